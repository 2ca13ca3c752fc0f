import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readBounded } from '../bounded-file.js';
import { DeclaredRun } from '../drift/declared-run.js';
import type { Drift } from '../drift/drift-schema.js';
import { fileFault, FileFault, nullIfMissing } from '../file-fault.js';
import { PRIVATE_MODE, replaceFile } from '../file-replacement.js';
import type { Report } from '../report/report.js';
import { failuresOf } from '../report/run-failure.js';
import { terminalJson } from '../terminal-text.js';
import { NO_ALIAS } from './report-outputs.js';
import type { RunTarget } from './run-settings.js';

/** Some 100,000 collections. */
const MOST_BYTES = 256 * 1024 * 1024;
const BEFORE = 'the run before';
const NOW = 'this run';

const BEGINNING = '{"target":';

/** Beside a history: what was declared when the targets that share it were linted last. */
export function declaredFile(history: string): string {
  return `${history}.declared.jsonl`;
}

type Target = Pick<RunTarget, 'alias' | 'sibling' | 'options' | 'part'>;

/** A target and its report, with what is declared in its cluster; null if it was not linted to its end. */
interface Linted {
  readonly target: Target;
  readonly report: Report | null;
  readonly declared: DeclaredRun;
}

/**
 * What differs from the run before, of each target that keeps a history, and from its sibling. A run that did not come to its
 * end is not compared, and neither is a part of a target's collections.
 */
export class NightlyDrift {
  /** Lines about files that can't be used. */
  readonly faults: string[] = [];
  private readonly before = new Map<Target, DeclaredRun>();

  constructor(
    private readonly linted: readonly Linted[],
    private readonly cwd: string,
  ) {}

  /** The reports with what differs, by target. */
  async reports(): Promise<ReadonlyMap<Target, Report>> {
    for (const { target } of this.usable()) this.before.set(target, await this.read(target));
    return new Map(this.usable().map((one) => [one.target, this.withDrift(one)]));
  }

  /** Keeps what is declared for the next run, once this one was reported. */
  async keep(): Promise<void> {
    const usable = this.usable().filter(({ target }) => target.options.history !== undefined);
    for (const file of new Set(usable.map(({ target }) => this.fileOf(target))))
      await this.write(
        file,
        usable.filter(({ target }) => this.fileOf(target) === file),
      );
  }

  private usable(): (Linted & { readonly report: Report })[] {
    return this.linted.flatMap((one) => {
      const { report, target } = one;
      return report === null || target.part !== undefined || failuresOf(report).length > 0 ? [] : [{ ...one, report }];
    });
  }

  private withDrift({ target, report, declared }: Linted & { readonly report: Report }): Report {
    const drift = declared.driftFrom(this.beforeOf(target), { old: BEFORE, new: NOW });
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

  private fileOf({ options: { history = '' } }: Target): string {
    return declaredFile(resolve(this.cwd, history));
  }

  private async read(target: Target): Promise<DeclaredRun> {
    if (target.options.history === undefined) return new DeclaredRun();
    try {
      const lines = await linesIn(this.fileOf(target));
      if (!lines.every(isOfAny)) throw new SyntaxError('It holds other lines.');
      return DeclaredRun.of(lines.filter((line) => isOf(line, target)));
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is damaged' : fileFault(error);
      this.faults.push(`${this.fileOf(target)} can't be read: ${why}. What differs from the run before is not known.`);
      return new DeclaredRun();
    }
  }

  private async write(file: string, linted: readonly Linted[]): Promise<void> {
    try {
      const kept = (await linesIn(file)).filter(isOfAny);
      const others = kept.filter((line) => !linted.some(({ target }) => isOf(line, target)));
      const own = linted.flatMap(({ target, declared }) =>
        declared.lines(this.beforeOf(target)).map((line) => `${beginningOf(target)}${terminalJson(line).slice(1)}`),
      );
      await replaceFile(file, [...others, ...own].map((line) => `${line}\n`).join(''), PRIVATE_MODE);
    } catch (error) {
      this.faults.push(`${file} can't be written: ${fileFault(error)}. The next run won't know what differs.`);
    }
  }
}

/** @throws FileFault for a link or a pipe: nobody named the file */
async function linesIn(file: string): Promise<string[]> {
  const status = await lstat(file).catch(nullIfMissing);
  if (status !== null && !status.isFile())
    throw new FileFault(status.isSymbolicLink() ? 'it is a link' : 'it is no file');
  const text = (await readBounded(file, MOST_BYTES).catch(nullIfMissing)) ?? '';
  return text.split('\n').filter((line) => line !== '');
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
