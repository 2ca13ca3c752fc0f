import type { LoadedConfig } from '../config/load-config.js';
import { worstFirst } from '../findings/finding-order.js';
import { LintError } from '../lint-error.js';
import { collectionCounts, findingCounts } from '../report/build-report.js';
import type { SavedReport } from '../report/read-reports.js';
import type { Report } from '../report/report.js';
import { failuresOf } from '../report/run-failure.js';
import { partText, type RunPart } from '../report/run-part.js';
import type { TargetReport } from '../report/target-reports.js';
import { compareTexts } from '../text/compare-texts.js';
import type { Io } from './io.js';
import { NO_ALIAS } from './report-outputs.js';
import { aliasOfFile, readSavedReports } from './saved-run.js';

/** A report on some of the collections of a cluster. */
export type PartReport = Report & { readonly part: NonNullable<Report['part']> };

const NOT_LINTED = 'the saved report says that this target could not be linted.';

const LISTS = ['cautions', 'fixed', 'gone', 'notSeen', 'stillThere', 'notices', 'letPass', 'lookUps'] as const;

type NamedReport = SavedReport & { readonly alias: string };

/** The reports in many files, which are read one at a time whenever they are asked for. */
export class SavedReports {
  /** By a target, or one of its parts, the file with its report. */
  readonly #claimed = new Map<string, string>();
  readonly #aliases = new Set<string>();
  readonly #parts = new Map<number, Set<number>>();

  /** @param isMerge whether the parts of a cluster are one report, and each report has the name of its target */
  constructor(
    private readonly files: readonly string[],
    private readonly isMerge: boolean,
    private readonly io: Io,
  ) {}

  /**
   * Every report as its file has it.
   * @throws LintError if a file can't be read, is of another schema version, or two reports are of one target
   */
  async *each(): AsyncGenerator<TargetReport> {
    const isNamed = this.isMerge || this.files.length > 1;
    for await (const { alias, report, failure = NOT_LINTED } of this.#whole()) {
      if (report === null) yield { alias, report, failed: { target: alias, message: failure, at: new Date() } };
      else yield { alias, report: isNamed ? { ...report, target: alias } : report };
    }
  }

  async *#whole(): AsyncGenerator<NamedReport> {
    this.#claimed.clear();
    const parts = new Map<string, PartReport[]>();
    for (const file of this.files) {
      const { part, reports } = await readSavedReports(file, this.io);
      if (part !== undefined) this.#parts.set(part.of, (this.#parts.get(part.of) ?? new Set()).add(part.number));
      for (const saved of reports) {
        const whole = this.#wholeOf(saved, file, parts);
        if (whole !== null) yield whole;
      }
    }
    // Some collections have no report.
    for (const [alias, known] of parts) yield { alias, report: combinedParts(known) };
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
    if (report === null || !isPart(report) || !this.isMerge) {
      const alias = saved.alias ?? (this.isMerge || this.files.length > 1 ? aliasOfFile(file) : NO_ALIAS);
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
      throw new LintError(
        `${other} and ${file} both hold a report of the target ${what}: ${this.isMerge ? 'merge' : 'give'} only one of them.`,
      );
    this.#claimed.set(what, file);
    this.#aliases.add(alias);
  }
}

function isPart(report: Report): report is PartReport {
  return report.part !== undefined;
}

/** The reports on the parts of one cluster as one report. A part without a report makes it one that did not come to its end. */
export function combinedParts(parts: readonly PartReport[]): Report {
  const ordered = parts.toSorted((one, other) => one.part.number - other.part.number);
  const [first] = ordered;
  if (first === undefined) throw new Error('There are no parts.');
  const { part, ...whole } = first;
  const times = (key: 'startedAt' | 'finishedAt') => ordered.map((report) => report[key]).sort(compareTexts);
  const combined: Report = {
    ...whole,
    startedAt: times('startedAt')[0] ?? first.startedAt,
    finishedAt: times('finishedAt').at(-1) ?? first.finishedAt,
    failures: [...distinct(ordered.flatMap(failuresOf)), ...missingParts(ordered, part.of)],
    checks: checksOf(ordered),
    findings: worstFirst(ordered.flatMap(({ findings }) => findings)),
    ...joined(ordered),
    skipped: distinct(ordered.flatMap(({ skipped }) => skipped)),
    collections: ordered
      .flatMap(({ collections }) => collections)
      .sort((one, other) => compareTexts(one.namespace, other.namespace)),
  };
  return { ...combined, summary: summaryOf(combined, ordered) };
}

function missingParts(parts: readonly PartReport[], of: number): NonNullable<Report['failures']> {
  const known = new Set(parts.map(({ part }) => part.number));
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((number) => !known.has(number));
  return missing.map((number) => ({
    reason: 'part-missing',
    detail: `${partText({ number, of })} has no report; run it again, and merge.`,
  }));
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function checksOf(parts: readonly Report[]): NonNullable<Report['checks']> {
  const checks = new Map<string, NonNullable<Report['checks']>[number]>();
  for (const check of parts.flatMap((report) => report.checks ?? []))
    checks.set(check.check, { ...check, judged: check.judged + (checks.get(check.check)?.judged ?? 0) });
  return [...checks.values()];
}

/** The lists that any of the parts has. */
function joined(parts: readonly Report[]): Partial<Report> {
  const lists = LISTS.flatMap((name) => {
    const present = parts.flatMap((report) => (report[name] === undefined ? [] : [report[name]]));
    return present.length === 0 ? [] : [[name, distinct<unknown>(present.flat())]];
  });
  return Object.fromEntries(lists) as Partial<Report>;
}

function summaryOf(
  { findings, collections, checks = [], skipped }: Report,
  parts: readonly Report[],
): Report['summary'] {
  const { serverLoad: _, reads: __, ...first } = (parts[0] as Report).summary;
  const isSkipped = (id: string) => skipped.some(({ check }) => check === id || check === '*');
  return {
    ...first,
    ...collectionCounts(collections),
    ...findingCounts(findings),
    ...baselineOf(parts),
    checks: {
      ran: checks.filter(({ judged }) => judged > 0).length,
      skipped: checks.filter(({ check }) => isSkipped(check)).length,
    },
  };
}

/** Each part compares with what is known of its own collections, so that the counts add up. */
function baselineOf(parts: readonly Report[]): Pick<Report['summary'], 'baseline'> {
  const counts = parts.flatMap(({ summary }) => summary.baseline ?? []);
  if (counts.length === 0) return {};
  const names = new Set(counts.flatMap((each) => Object.keys(each) as (keyof (typeof counts)[number])[]));
  const sum = (name: keyof (typeof counts)[number]) => counts.reduce((all, each) => all + (each[name] ?? 0), 0);
  return { baseline: Object.fromEntries([...names].map((name) => [name, sum(name)])) as (typeof counts)[number] };
}
