import type { Finding } from '../finding.js';
import { databaseOf, nameOf } from '../namespace.js';
import { shareInterval } from '../profile/sampling/confidence.js';
import type { ReportIndex } from '../report/report-index.js';
import type { Report } from '../report/report.js';
import type { ReportedCollection } from '../report/reported-collection.js';
import type { BaselineEntry, RecordOfFinding, SampleOfFinding } from './baseline-file.js';

/**
 * What became of a known finding that was judged again and not found: fixed only if this run would have shown it.
 * `gone` is what went with its collection, `stillThere` what a direct search found.
 */
export type MissingState = 'fixed' | 'gone' | 'notSeen' | 'stillThere';

/** The chance of missing a finding that is still there, up to which its absence proves that it is fixed. */
export const MOST_LIKELY_MISSED = 0.05;

/** A sample that is the same but for so few of its documents counts as the same. */
const SAME_SHARE = 1 - MOST_LIKELY_MISSED;

const CHOSEN_ALIKE: ReadonlySet<string> = new Set(['whole-collection', 'id-hash', 'id-index']);

/** True if unchanged documents give the same sample each time. */
export function isChosenAlike(method: string): boolean {
  return CHOSEN_ALIKE.has(method);
}

/** What findings of the source rest on. */
const SOURCE_CODE = 'source code';

type Recorded = NonNullable<Report['recorded']>;
type Sampled = Pick<ReportedCollection, 'documents' | 'sampled'>;

/** @param hasSetSeverity true if the entry's severity is set by the configuration */
export function missingState(entry: BaselineEntry, report: ReportIndex, hasSetSeverity: boolean): MissingState {
  const now = report.collection(entry.namespace);
  if (now === undefined) return isOfOneCollection(entry.namespace) ? 'gone' : 'fixed';
  const lookUp = report.lookUp(entry.fingerprint);
  if (lookUp?.state === 'found') return 'stillThere';
  if (lookUp?.state === 'absent') return 'fixed';
  if (entry.record?.source === SOURCE_CODE) return report.hasCode ? 'fixed' : 'notSeen';
  if (entry.record !== undefined && !isRecordedAsLong(entry.record, entry.namespace, report.recorded)) return 'notSeen';
  if (entry.sample === undefined || now.sampled?.complete === true) return 'fixed';
  // Nothing is sampled of a view or a time-series collection, by design.
  if (now.sampled === null) return now.kind === 'collection' ? 'notSeen' : 'fixed';
  const isSure = entry.severity !== 'info' && !hasSetSeverity;
  return isProven(entry.sample, now, isSure) ? 'fixed' : 'notSeen';
}

/** The sample that a finding rests on; undefined if it rests on none. */
export function sampleOf(
  { evidence, restsOn = [], namespace }: Finding,
  report: ReportIndex,
): SampleOfFinding | undefined {
  const collection = report.collection(namespace);
  const sampled = collection?.sampled ?? null;
  if (collection === undefined || sampled === null || !restsOn.includes('sample')) return undefined;
  const { documents, method, complete } = sampled;
  const shown = evidence['documentsShowing'];
  return {
    documents,
    of: complete ? documents : collection.documents,
    method,
    ...(typeof shown === 'number' && { showing: shown }),
  };
}

/** The longest record of operations that a finding rests on, or source code; undefined if it rests on neither. */
export function recordOf({ restsOn = [], namespace }: Finding, { recorded }: ReportIndex): RecordOfFinding | undefined {
  if (restsOn.includes(SOURCE_CODE)) return { source: SOURCE_CODE, duration: 0 };
  const [longest] = recorded
    .filter((record) => restsOn.includes(record.source) && isOf(record, namespace))
    .map((record) => ({ source: record.source, duration: durationOf(record) }))
    .toSorted((one, other) => other.duration - one.duration);
  return longest;
}

/** An operation that comes again was recorded again, if the source recorded for as long. */
function isRecordedAsLong({ source, duration }: RecordOfFinding, namespace: string, recorded: Recorded): boolean {
  return recorded.some(
    (record) => record.source === source && isOf(record, namespace) && durationOf(record) >= SAME_SHARE * duration,
  );
}

function isOf({ database }: Recorded[number], namespace: string): boolean {
  return database === undefined || database === databaseOf(namespace);
}

function durationOf({ from, to }: Recorded[number]): number {
  return Date.parse(to) - Date.parse(from);
}

/** True if this run looked at what the other one did, but for a few documents that have come or gone. */
function isSameSample(before: SampleOfFinding, { documents: of, sampled }: Sampled): boolean {
  if (sampled === null || !CHOSEN_ALIKE.has(before.method) || !CHOSEN_ALIKE.has(sampled.method)) return false;
  const [then, now] = [shareOf(before.documents, before.of), sampled.complete ? 1 : shareOf(sampled.documents, of)];
  return then !== null && now !== null && now >= SAME_SHARE * then;
}

/** True if what is recorded of a sample still holds: it is the same, or another one of its size. */
export function isLikeSample(before: SampleOfFinding, now: Sampled): boolean {
  if (isSameSample(before, now)) return true;
  const { documents = 0, method = before.method } = now.sampled ?? {};
  const [less, more] = [before.documents, documents].sort((one, other) => one - other) as [number, number];
  return method === before.method && !CHOSEN_ALIKE.has(method) && less >= SAME_SHARE * more;
}

function isProven(before: SampleOfFinding, now: ReportedCollection, isSure: boolean): boolean {
  if (isSameSample(before, now)) return true;
  const documents = now.sampled?.documents ?? 0;
  if (before.showing !== undefined)
    return chanceMissed(before.showing, before.documents, documents) <= MOST_LIKELY_MISSED;
  // From a sample, a warning is what surely lies beyond its line (LINE_RISK): another such sample shows it at least as an info.
  return isSure && documents >= before.documents;
}

/**
 * The probability that none of so many documents, drawn at random, shows what `showing` of `documents` showed before. Their
 * share is taken at its lower bound.
 */
export function chanceMissed(showing: number, documents: number, drawn: number): number {
  const [least] = shareInterval(Math.min(showing, documents), documents, MOST_LIKELY_MISSED);
  return (1 - least) ** drawn;
}

function shareOf(documents: number, of: number | null): number | null {
  return of === null ? null : documents / Math.max(1, documents, of);
}

/** A finding may also be of a family of collections, or of the whole cluster. */
function isOfOneCollection(namespace: string): boolean {
  return nameOf(namespace) !== '' && namespace.includes('.') && !namespace.includes('*');
}
