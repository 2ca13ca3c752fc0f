import type { LoadedConfig } from '../config/load-config.js';
import { LintError } from '../lint-error.js';
import { ofOwners, type Policy } from '../policy/apply-policy.js';
import { combinedParts, isPart, type PartReport } from './combined-parts.js';
import type { SavedReport } from '../report/read-reports.js';
import type { TargetReport } from '../report/target-reports.js';
import { partText, type RunPart } from '../run-part.js';
import type { Io } from './io.js';
import { NO_ALIAS } from './report-outputs.js';
import { aliasOfFile, readSavedReports } from './saved-run.js';

const NOT_LINTED = 'the saved report says that this target could not be linted.';

type NamedReport = SavedReport & { readonly alias: string };

/** The reports in many files, which are read one at a time whenever they are asked for. */
export class MergedReports {
  /** By a target, or one of its parts, the file with its report. */
  readonly #claimed = new Map<string, string>();
  readonly #aliases = new Set<string>();
  readonly #parts = new Map<number, Set<number>>();

  constructor(
    private readonly files: readonly string[],
    private readonly policy: Pick<Policy, 'owners' | 'ownerFilter'>,
    private readonly io: Io,
  ) {}

  /**
   * Every report, as its file has it but for owners.
   * @throws LintError if a file can't be read, is of another schema version, or two reports are of one target
   */
  async *reports(): AsyncGenerator<TargetReport> {
    this.#claimed.clear();
    const parts = new Map<string, PartReport[]>();
    for (const file of this.files) {
      const { part, reports } = await readSavedReports(file, this.io);
      if (part !== undefined) this.#parts.set(part.of, (this.#parts.get(part.of) ?? new Set()).add(part.number));
      for (const saved of reports) {
        const whole = this.#wholeOf(saved, file, parts);
        if (whole !== null) yield this.#targetReport(whole);
      }
    }
    // Of some collections there is no report.
    for (const [alias, known] of parts) yield this.#targetReport({ alias, report: combinedParts(known) });
  }

  /** What has no report though it should, a sentence each. Only after all reports were read. */
  missing({ values, file }: Pick<LoadedConfig, 'values' | 'file'>): string[] {
    const parts = [...this.#parts].flatMap(([of, numbers]) =>
      Array.from({ length: of }, (_, index): RunPart => ({ number: index + 1, of })).filter(
        ({ number }) => !numbers.has(number),
      ),
    );
    const targets = (values.targets ?? []).filter(({ alias }) => !this.#aliases.has(alias));
    return [
      ...parts.map((part) => `The report of ${partText(part)} is missing: its run wrote none.`),
      ...targets.map(({ alias }) => `${alias}: there is no report of this target, which ${file?.name ?? ''} lists.`),
    ];
  }

  /** The report of a target, or null as long as those of some of its collections are still to come. */
  #wholeOf(saved: SavedReport, file: string, parts: Map<string, PartReport[]>): NamedReport | null {
    const { report } = saved;
    if (report === null || !isPart(report)) {
      const alias = saved.alias ?? aliasOfFile(file);
      this.#claim(alias, alias, file);
      return { ...saved, alias };
    }
    // Files of parts differ in their names.
    const alias = saved.alias ?? NO_ALIAS;
    const { number, of } = report.part;
    this.#claim(`${alias}, ${partText(report.part)}`, alias, file);
    const known = [...(parts.get(alias) ?? []), report];
    if (known.some(({ part }) => part.of !== of))
      throw new LintError(
        `${file}: it is ${partText({ number, of })} of ${alias}, and other files are of another number.`,
      );
    if (known.length < of) {
      parts.set(alias, known);
      return null;
    }
    parts.delete(alias);
    return { alias, report: combinedParts(known) };
  }

  #claim(what: string, alias: string, file: string): void {
    const other = this.#claimed.get(what);
    if (other !== undefined)
      throw new LintError(`${other} and ${file} both hold a report of the target ${what}: merge only one of them.`);
    this.#claimed.set(what, file);
    this.#aliases.add(alias);
  }

  #targetReport({ alias, report, failure = NOT_LINTED }: NamedReport): TargetReport {
    if (report === null) return { alias, report, failed: { target: alias, message: failure, at: new Date() } };
    return { alias, report: ofOwners({ ...report, target: alias }, this.policy) };
  }
}
