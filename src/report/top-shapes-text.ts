import type { Finding } from '../finding.js';
import { isBulkInsert, type ReasonForNoFinding } from '../findings/top-shapes.js';
import { formatBytes, formatCount, formatDuration, formatShare, inWords, plural } from '../format.js';
import { MS_PER_HOUR } from '../time-units.js';
import { isActive } from './finding-status.js';
import type { Report } from './report.js';
import type { Cell, Column, Section, Span } from './section.js';

export type ReportedShape = NonNullable<Report['topShapes']>[number];

/** A recording of less says nothing of what runs in a day. Judgement. */
const SHORT = MS_PER_HOUR;

/** The fewer of documents and keys are left out if they are a smaller share of the others. Judgement. */
const LEAST_SHARE = 0.01;

/** In a word or two, and in a sentence. */
const REASON_TEXT: Readonly<Record<ReasonForNoFinding, readonly [brief: string, whole: string]>> = {
  'not linted': ['not linted', 'not judged: the collection is not among the linted ones'],
  'recorded in part': ['cut off', 'not judged: the recorded command was cut off'],
  'writes only': ['inserts', 'it only inserts'],
  'follows inserts': [
    'tails inserts',
    'a tailable cursor reads a capped collection in insertion order: no index helps',
  ],
  waits: ['waits', 'it waits rather than works, see Coverage'],
  'asks a search index': ['search index', 'not judged: a search index answers it, and mongolint does not read these'],
  'unknown how it is executed': ['unknown', 'not judged: the source does not report what is examined'],
  'too small to tell': ['too small', 'not judged: the collection is too small to tell'],
  'served well': ['served well', 'an index serves it well'],
  'reads what it returns': ['returns it all', 'it returns what it reads'],
  'cheap each time': ['cheap each', 'an execution examines little'],
  'indexed since': ['indexed now', 'an index serves it now; executions that scan or sort were recorded before'],
  'computes from what it reads': [
    'counts it all',
    'it counts or groups everything it reads: only a stored result would avoid that',
  ],
  'an index would narrow it': ['index helps', 'an index would examine less, though no check reports it'],
  'nothing known helps': ['none known', 'no check knows a remedy'],
};

/** Inserts of many documents at once, which the costliest shapes leave out; null if all are among the shapes shown. */
export function bulkInserts(
  { topShapes = [] }: Report,
  most: number,
): { readonly msShare: number | null; readonly text: string } | null {
  const bulk = topShapes.slice(most).filter(isBulkInsert);
  if (bulk.length === 0) return null;
  const executions = bulk.reduce((sum, shape) => sum + shape.executions, 0);
  const shares = bulk.flatMap(({ msShare }) => msShare ?? []);
  const collections = new Set(bulk.map(({ namespace }) => namespace)).size;
  return {
    msShare: shares.length < bulk.length ? null : shares.reduce((sum, each) => sum + each, 0),
    text: `bulk inserts: ${plural(executions, 'execution')} on ${plural(collections, 'collection')}`,
  };
}

/** What was recorded, and for how long: "Costliest operations by time (profiler, 3.1 h)". */
export function topShapesHeading({ recorded = [], topShapes = [] }: Report): string {
  const sources = [...new Set(topShapes.map(({ source }) => source))].map((source) => sourceText(source, recorded));
  const [since] = recorded.flatMap((each) => each.since ?? []);
  const from = since === undefined ? '' : `, since ${since.slice(0, 16)}Z`;
  const by = topShapes.some(({ msShare }) => msShare !== null) ? 'time' : 'what they examine';
  return `Costliest operations by ${by} (${sources.join('; ')}${from})`;
}

/** What a source recorded, and for how long: "profiler, 3.1 h". */
export function sourceText(source: string, recorded: NonNullable<Report['recorded']>): string {
  const own = recorded.filter((each) => each.source === source);
  const length = Math.max(0, ...own.map(({ from, to }) => Date.parse(to) - Date.parse(from)));
  const slow = Math.max(0, ...own.map(({ slowerThanMs = 0 }) => slowerThanMs));
  const which = slow > 0 ? `, only above ${formatDuration(slow)}` : '';
  const only = length < SHORT ? 'only ' : '';
  return `${source}, ${only}${formatDuration(length)}${which}`;
}

/** A row for each of the costliest operations, for a comment. */
export function topShapesSection(report: Report, most: number): Section {
  const rows = (report.topShapes ?? []).slice(0, most).map((shape): Cell[] => {
    const found = findingsOfShape(shape, report.findings).map(({ severity, check }) => `${severity} ${check}`);
    return [
      shareCell(shape.msShare),
      shareCell(shape.examinedShare),
      [{ code: shape.namespace }, shape.shape],
      shapeFigures(shape).join('; '),
      found.length === 0 ? reasonText(shape) : found.join(', '),
    ];
  });
  const bulk = bulkInserts(report, most);
  const last = bulk === null ? [] : [[shareCell(bulk.msShare), '', bulk.text, '', '']];
  return {
    id: 'costliest',
    heading: topShapesHeading(report),
    count: rows.length,
    table: { columns: COLUMNS, rows: rows.length === 0 ? [] : [...rows, ...last] },
  };
}

const COLUMNS: readonly Column[] = [
  { head: 'Time', isNumber: true },
  { head: 'Examined', isNumber: true },
  { head: 'Operation' },
  { head: 'Figures' },
  { head: 'Findings' },
];

function shareCell(share: number | null): Span {
  return { figure: share === null ? null : formatShare(share) };
}

/** "1,200 executions of 340 ms", "each reads 12,000 documents to return 10", "run by checkout". */
export function shapeFigures(shape: ReportedShape): string[] {
  const { executions, milliseconds, documentsExamined, keysExamined, returned, ranBy = [] } = shape;
  const time = milliseconds === null ? '' : ` of ${formatDuration(milliseconds / Math.max(1, executions))}`;
  const examined = examinedTexts(documentsExamined, keysExamined);
  const verb = shape.kind === 'find' || shape.kind === 'aggregate' ? 'return' : 'return or write';
  const result = returned === null ? '' : ` to ${verb} ${formatCount(returned)}`;
  const spilled = Object.entries(shape.spills ?? {}).map(
    ([stage, bytes]) => `${stage} spills up to ${formatBytes(bytes)}`,
  );
  const names = ranBy.flatMap(({ appName }) => appName ?? []);
  return [
    `${plural(executions, 'execution')}${time}`,
    ...(examined.length === 0 ? [] : [`each reads ${inWords(examined)}${result}`]),
    ...(spilled.length === 0 ? [] : [`its ${inWords(spilled)}`]),
    ...(shape.peakMemoryBytes === undefined ? [] : [`up to ${formatBytes(shape.peakMemoryBytes)} of memory`]),
    ...(names.length === 0 ? [] : [`run by ${inWords([...new Set(names)])}`]),
  ];
}

/** "12,000 documents", "340 keys": without what is few beside the others, or not known. */
export function examinedTexts(documents: number | null, keys: number | null): string[] {
  const most = Math.max(documents ?? 0, keys ?? 0);
  const isMuch = (count: number | null): count is number => count !== null && count >= most * LEAST_SHARE;
  return [
    ...(isMuch(documents) ? [plural(documents, 'document')] : []),
    ...(isMuch(keys) ? [plural(keys, 'key')] : []),
  ];
}

/** The findings that are about a shape and count, the worst first. */
export function findingsOfShape({ findings }: ReportedShape, all: readonly Finding[]): readonly Finding[] {
  const wanted = new Set(findings);
  return all.filter((finding) => wanted.has(finding.fingerprint) && isActive(finding));
}

/** Why no finding is about it; of suppressed ones, that they are. */
export function reasonText({ why }: ReportedShape): string {
  return why === undefined ? 'known (suppressed, baseline, or of another owner)' : REASON_TEXT[why][1];
}

export function briefReason({ why }: ReportedShape): string {
  return why === undefined ? 'known' : REASON_TEXT[why][0];
}
