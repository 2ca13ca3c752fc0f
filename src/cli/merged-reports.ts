import type { LoadedConfig } from '../config/load-config.js';
import { LintError } from '../lint-error.js';
import { ofOwners, type Policy } from '../policy/apply-policy.js';
import type { SavedReport } from '../report/read-reports.js';
import type { TargetReport } from '../report/target-reports.js';
import { partText, type RunPart } from '../run-part.js';
import type { Io } from './io.js';
import { aliasOfFile, readSavedReports } from './saved-run.js';

const NOT_LINTED = 'the saved report says that this target could not be linted.';

/** The reports in many files, which are read one at a time whenever they are asked for. */
export class MergedReports {
  readonly #fileOf = new Map<string, string>();
  readonly #parts = new Map<number, Set<number>>();

  constructor(
    private readonly files: readonly string[],
    private readonly policy: Pick<Policy, 'owners' | 'ownerFilter'>,
    private readonly io: Io,
  ) {}

  /**
   * Every report, as its file has it but for owners.
   *
   * @throws LintError if a file can't be read, is of another schema version, or two reports are of one target
   */
  async *reports(): AsyncGenerator<TargetReport> {
    for (const file of this.files) {
      const { part, reports } = await readSavedReports(file, this.io);
      if (part !== undefined) this.#parts.set(part.of, (this.#parts.get(part.of) ?? new Set()).add(part.number));
      for (const saved of reports) {
        const alias = saved.alias ?? aliasOfFile(file);
        this.#claim(alias, file);
        yield this.#targetReport(alias, saved);
      }
    }
  }

  /** What has no report though it should, a sentence each. Only after all reports were read. */
  missing({ values, file }: Pick<LoadedConfig, 'values' | 'file'>): string[] {
    const parts = [...this.#parts].flatMap(([of, numbers]) =>
      Array.from({ length: of }, (_, index): RunPart => ({ number: index + 1, of })).filter(
        ({ number }) => !numbers.has(number),
      ),
    );
    const targets = (values.targets ?? []).filter(({ alias }) => !this.#fileOf.has(alias));
    return [
      ...parts.map((part) => `The report of ${partText(part)} is missing: its run wrote none.`),
      ...targets.map(({ alias }) => `${alias}: there is no report of this target, which ${file?.name ?? ''} lists.`),
    ];
  }

  #claim(alias: string, file: string): void {
    const other = this.#fileOf.get(alias);
    if (other !== undefined && other !== file)
      throw new LintError(`${other} and ${file} both hold a report of the target ${alias}: merge only one of them.`);
    this.#fileOf.set(alias, file);
  }

  #targetReport(alias: string, { report, failure = NOT_LINTED }: SavedReport): TargetReport {
    if (report === null) return { alias, report, failed: { target: alias, message: failure, at: new Date() } };
    return { alias, report: ofOwners({ ...report, target: alias }, this.policy) };
  }
}
