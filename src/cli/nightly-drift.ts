import { DeclaredRun } from '../drift/declared-run.js';
import type { Drift, SideNames } from '../drift/drift.js';
import { fileFault } from '../files/file-fault.js';
import { KeptFile, type KeptText } from '../files/kept-text.js';
import type { Report } from '../report/report.js';
import { failuresOf } from '../report/run-failure.js';
import { terminalJson } from '../text/terminal-text.js';
import { NO_ALIAS } from './report-outputs.js';
import type { RunTarget } from './run-settings.js';

/** Some 100,000 collections. */
const MOST_BYTES = 256 * 1024 * 1024;
const LAST_AND_THIS: SideNames = { old: 'the last run', new: 'this run', isOverTime: true };

const BEGINNING = '{"target":';

/** What was declared when the targets that share a history were linted last, in a file beside it. */
export function declaredIn(history: string): KeptText {
  return KeptFile.beside(history, '.declared.jsonl', MOST_BYTES);
}

/** True for a line that says what is declared. */
export function isDeclaredLine(line: string): boolean {
  try {
    return isOfAny(line) && DeclaredRun.of([line]) instanceof DeclaredRun;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

type Target = Pick<RunTarget, 'alias' | 'sibling' | 'options' | 'part'>;

/** A target and its report, with what is declared in its cluster; null if it was not linted to its end. */
interface Linted {
  readonly target: Target;
  readonly report: Report | null;
  readonly declared: DeclaredRun;
}

/**
 * What differs from the last run, of each target that keeps a history, and from its sibling. A run that did not come to its
 * end is not compared, and neither is a part of a target's collections.
 */
export class NightlyDrift {
  /** Lines about files that can't be used. */
  readonly faults: string[] = [];
  private readonly before = new Map<Target, DeclaredRun>();

  constructor(
    private readonly linted: readonly Linted[],
    private readonly keptOf: (target: Target) => KeptText | null,
  ) {}

  /** The reports with what differs, by target. */
  async reports(): Promise<ReadonlyMap<Target, Report>> {
    for (const { target } of this.usable()) this.before.set(target, await this.read(target));
    return new Map(this.usable().map((one) => [one.target, this.withDrift(one)]));
  }

  /** Keeps what is declared for the next run, once this one was reported. */
  async keep(): Promise<void> {
    for (const { target, declared } of this.usable()) {
      const kept = this.keptOf(target);
      if (kept !== null) await this.write(kept, target, declared);
    }
  }

  private usable(): (Linted & { readonly report: Report })[] {
    return this.linted.flatMap((one) => {
      const { report, target } = one;
      return report === null || target.part !== undefined || failuresOf(report).length > 0 ? [] : [{ ...one, report }];
    });
  }

  private withDrift({ target, report, declared }: Linted & { readonly report: Report }): Report {
    const drift = declared.driftFrom(this.beforeOf(target), LAST_AND_THIS);
    const siblingDrift = this.fromSibling(target, declared);
    return { ...report, ...(drift !== null && { drift }), ...(siblingDrift !== null && { siblingDrift }) };
  }

  private fromSibling(target: Target, declared: DeclaredRun): Drift | null {
    const sibling = this.usable().find((other) => other.target.alias === target.sibling && other.target !== target);
    if (sibling === undefined || target.sibling === undefined) return null;
    const names = { old: target.sibling, new: target.alias ?? NO_ALIAS };
    const drift = declared.driftFrom(sibling.declared, names);
    const before = this.beforeOf(target).driftFrom(this.beforeOf(sibling.target), names);
    const known = new Set(before?.differences.map(({ namespace, message }) => JSON.stringify([namespace, message])));
    return (
      drift && {
        ...drift,
        differences: drift.differences.map((difference) => {
          const { namespace, message } = difference;
          return known.has(JSON.stringify([namespace, message])) ? { ...difference, known: true as const } : difference;
        }),
      }
    );
  }

  private beforeOf(target: Target): DeclaredRun {
    return this.before.get(target) ?? new DeclaredRun();
  }

  private async read(target: Target): Promise<DeclaredRun> {
    const kept = this.keptOf(target);
    if (kept === null) return new DeclaredRun();
    try {
      const lines = linesOf(await kept.read());
      if (!lines.every(isOfAny)) throw new SyntaxError('It holds other lines.');
      return DeclaredRun.of(lines.filter((line) => isOf(line, target)));
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is damaged' : fileFault(error);
      this.faults.push(`${kept.name} can't be read: ${why}. Drift since the last run is unknown.`);
      return new DeclaredRun();
    }
  }

  private async write(kept: KeptText, target: Target, declared: DeclaredRun): Promise<void> {
    const own = declared
      .lines(this.beforeOf(target))
      .map((line) => `${beginningOf(target)}${terminalJson(line).slice(1)}`);
    const isOfOther = (line: string) => isOfAny(line) && !isOf(line, target);
    try {
      await kept.change((now) => [...linesOf(now).filter(isOfOther), ...own].map((line) => `${line}\n`).join(''));
    } catch (error) {
      this.faults.push(`${kept.name} can't be written: ${fileFault(error)}. The next run can't report drift.`);
    }
  }
}

function linesOf(text: string | null): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '');
}

/** Each line begins with its target, so that files are told apart without reading them whole. */
function beginningOf({ alias = '' }: Target): string {
  return `${BEGINNING}${terminalJson(JSON.stringify(alias))},`;
}

function isOfAny(line: string): boolean {
  return line.startsWith(BEGINNING);
}

function isOf(line: string, target: Target): boolean {
  return line.startsWith(beginningOf(target));
}
