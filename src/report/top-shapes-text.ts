import type { Finding } from '../finding.js';
import { isBulkInsert, type ReasonForNoFinding } from '../findings/top-shapes.js';
import { formatBytes, formatCount, formatDuration, formatShare, inWords, plural } from '../format.js';
import { MS_PER_HOUR } from '../time-units.js';
import { isActive } from './finding-status.js';
import type { Report } from './report.js';

export type ReportedShape = NonNullable<Report['topShapes']>[number];

/** A recording of less says nothing of what runs in a day. Judgement. */
const SHORT = MS_PER_HOUR;

/** The fewer of documents and keys are left out if they are a smaller share of the others. Judgement. */
const LEAST_SHARE = 0.01;

const REASON_TEXT: Readonly<Record<ReasonForNoFinding, string>> = {
  'not linted': 'not judged: the collection is not among the linted ones',
  'recorded in part': 'not judged: the recorded command was cut off',
  'writes only': 'it only inserts',
  'follows inserts': 'a tailable cursor reads a capped collection in the order of its inserts, which no index gives',
  waits: 'it waits rather than works, see Coverage',
  'asks a search index': 'not judged: a search index answers it, and mongolint does not read these',
  'unknown how it is executed': 'not judged: the source does not report what is examined',
  'too small to tell': 'not judged: the collection is too small to tell',
  'served well': 'an index serves it well',
  'reads what it returns': 'it reads what it returns',
  'cheap each time': 'an execution examines little',
  'computes from what it reads': 'it counts or groups all that it reads: only a stored result would save that',
  'an index would narrow it': 'an index would find less in vain, and no check that ran reports it',
  'nothing known helps': 'no check that ran knows what would help',
};

/** "Bulk inserts: 34 % of the time, 240 executions on 3 collections"; null if all are among the shapes shown. */
export function bulkInsertsText({ topShapes = [] }: Report, most: number): string | null {
  const bulk = topShapes.slice(most).filter(isBulkInsert);
  if (bulk.length === 0) return null;
  const executions = bulk.reduce((sum, shape) => sum + shape.executions, 0);
  const shares = bulk.flatMap(({ msShare }) => msShare ?? []);
  const share =
    shares.length < bulk.length ? '' : `${formatShare(shares.reduce((sum, each) => sum + each, 0))} of the time, `;
  const collections = new Set(bulk.map(({ namespace }) => namespace)).size;
  return `Bulk inserts: ${share}${plural(executions, 'execution')} on ${plural(collections, 'collection')}.`;
}

/** What was recorded, and for how long: "Costliest operations by the profiler (3.1 h)". */
export function topShapesHeading({ recorded = [], topShapes = [] }: Report): string {
  const sources = [...new Set(topShapes.map(({ source }) => source))].map((source) => {
    const own = recorded.filter((each) => each.source === source);
    const length = Math.max(0, ...own.map(({ from, to }) => Date.parse(to) - Date.parse(from)));
    const slow = Math.max(0, ...own.map(({ slowerThanMs = 0 }) => slowerThanMs));
    const which = slow > 0 ? `, only what took longer than ${formatDuration(slow)}` : '';
    return { length, text: `${source} (${formatDuration(length)}${which})` };
  });
  const [since] = recorded.flatMap((each) => each.since ?? []);
  const from = since === undefined ? '' : `, since ${since.slice(0, 16)}Z`;
  const isShort = sources.every(({ length }) => length < SHORT);
  return `Costliest operations by the ${inWords(sources.map(({ text }) => text))}${from}${isShort ? '; recording too short for daily totals' : ''}`;
}

/** "48 % of the time, 3 % of what is examined". */
export function shapeShares({ msShare, examinedShare }: ReportedShape): string {
  const texts = [
    ...(msShare === null ? [] : [`${formatShare(msShare)} of the time`]),
    ...(examinedShare === null ? [] : [`${formatShare(examinedShare)} of what is examined`]),
  ];
  return inWords(texts);
}

/** "1,200 executions of 340 ms", "12,000 documents each to return 10", "run by checkout". */
export function shapeFigures(shape: ReportedShape): string[] {
  const { executions, milliseconds, documentsExamined, keysExamined, returned, ranBy = [] } = shape;
  const time = milliseconds === null ? '' : ` of ${formatDuration(milliseconds / Math.max(1, executions))}`;
  const most = Math.max(documentsExamined ?? 0, keysExamined ?? 0);
  const isMuch = (count: number | null): count is number => count !== null && count >= most * LEAST_SHARE;
  const examined = [
    ...(isMuch(documentsExamined) ? [plural(documentsExamined, 'document')] : []),
    ...(isMuch(keysExamined) ? [plural(keysExamined, 'key')] : []),
  ];
  const verb = shape.kind === 'find' || shape.kind === 'aggregate' ? 'return' : 'return or write';
  const result = returned === null ? '' : ` to ${verb} ${formatCount(returned)}`;
  const spilled = Object.entries(shape.spills ?? {}).map(
    ([stage, bytes]) => `${stage} spills up to ${formatBytes(bytes)}`,
  );
  const names = ranBy.flatMap(({ appName }) => appName ?? []);
  return [
    `${plural(executions, 'execution')}${time}`,
    ...(examined.length === 0 ? [] : [`${inWords(examined)} each${result}`]),
    ...(spilled.length === 0 ? [] : [`its ${inWords(spilled)}`]),
    ...(shape.peakMemoryBytes === undefined ? [] : [`up to ${formatBytes(shape.peakMemoryBytes)} of memory`]),
    ...(names.length === 0 ? [] : [`run by ${inWords([...new Set(names)])}`]),
  ];
}

/** The findings that are about a shape and count, the worst first. */
export function findingsOfShape({ findings }: ReportedShape, all: readonly Finding[]): readonly Finding[] {
  const wanted = new Set(findings);
  return all.filter((finding) => wanted.has(finding.fingerprint) && isActive(finding));
}

/** Why no finding is about it; of suppressed ones, that they are. */
export function reasonText({ why }: ReportedShape): string {
  return why === undefined ? 'known (suppressed, in the baseline, or of another owner)' : REASON_TEXT[why];
}
