import { compareTexts } from '../compare-texts.js';
import { worstFirst } from '../findings/finding-order.js';
import { databaseOf } from '../namespace.js';
import { partText } from '../run-part.js';
import { countBySeverity } from '../report/build-report.js';
import type { Report } from '../report/report.js';
import { failuresOf } from '../report/run-failure.js';

/** A report on some of the collections of a cluster. */
export type PartReport = Report & { readonly part: NonNullable<Report['part']> };

export function isPart(report: Report): report is PartReport {
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

const LISTS = ['fixed', 'gone', 'notSeen', 'stillThere', 'notices', 'letPass', 'lookUps'] as const;

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
  const sampled = collections.flatMap((collection) => collection.sampled ?? []);
  const isSkipped = (id: string) => skipped.some(({ check }) => check === id || check === '*');
  return {
    ...first,
    databases: new Set(collections.map(({ namespace }) => databaseOf(namespace))).size,
    collections: collections.length,
    documentsSampled: sampled.reduce((sum, { documents }) => sum + documents, 0),
    bytesSampled: sampled.reduce((sum, { bytes }) => sum + bytes, 0),
    findings: countBySeverity(findings),
    suppressed: findings.filter(({ suppressed }) => suppressed !== undefined).length,
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
  const sum = (of: (baseline: (typeof counts)[number]) => number | undefined) =>
    counts.reduce((total, baseline) => total + (of(baseline) ?? 0), 0);
  const stillThere = sum((baseline) => baseline.stillThere);
  return {
    baseline: {
      new: sum((baseline) => baseline.new),
      known: sum(({ known }) => known),
      fixed: sum(({ fixed }) => fixed),
      gone: sum(({ gone }) => gone),
      notSeen: sum(({ notSeen }) => notSeen),
      ...(stillThere > 0 && { stillThere }),
      notJudged: sum(({ notJudged }) => notJudged),
    },
  };
}
