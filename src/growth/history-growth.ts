import { createHash } from 'node:crypto';
import { median, sum } from 'simple-statistics';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import { placeOf } from '../profile/growth-sample/growth-sample.js';
import { MS_PER_DAY } from '../time-units.js';
import { areFilling, around, fitRates } from './growing-arrays.js';
import type { HistoryGrowth, KeptGrowth } from './growth.js';
import { HISTORY, RATES, WRITES } from './limits.js';

/**
 * Some documents of a collection by which a later run recognises them, with the lengths of their arrays. Never an `_id`: a
 * salted hash that holds fewer bits than one.
 */
type DocumentSketch = NonNullable<KeptGrowth['sketch']>;

/** In a sketch, a document without an array at the path. */
const NONE = -1;

/** A run that kept a sketch. `at` in ms since 1970. */
export interface SketchedRun {
  readonly at: number;
  readonly sketch: DocumentSketch;
}

/** The length of a recognised document in each of the runs; NaN where it was not among the sketched ones. */
type Tracked = readonly number[];

/**
 * Whether the same documents have longer arrays from run to run: steadily, with few losses, and for good.
 *
 * @param runs in order of time, the present one last
 * @param path null for the sizes of documents
 * @param slack times that lines for growth are looser
 */
export function historyGrowth(runs: readonly SketchedRun[], path: string | null, slack: number): HistoryGrowth | null {
  const last = runs.at(-1);
  // Those of the last fortnight; if they are rarer, as many as show growth.
  const recent = runs.findIndex(({ at }) => (last?.at ?? 0) - at <= HISTORY.comparedDays * MS_PER_DAY);
  const compared = runs.slice(Math.max(0, Math.min(recent, runs.length - HISTORY.fewestRuns - 1)));
  const [first] = compared;
  if (first === undefined || last === undefined || compared.length < 2) return null;
  const windowDays = (last.at - first.at) / MS_PER_DAY;
  const documents = trackedIn(compared, path);
  const base = { windowDays, runs: compared.length, documents: documents.length };
  const not = (because: HistoryGrowth['because']): HistoryGrowth => ({
    ...base,
    verdict: because === 'few' || because === 'steps' ? 'unknown' : 'not growing',
    because,
    rates: null,
  });
  if (compared.length < HISTORY.fewestRuns || documents.length < HISTORY.fewestTracked) return not('few');
  const parts = partsOf(compared, documents);
  const [gained, lost] = [sum(parts.map((part) => part.gained)), sum(parts.map((part) => part.lost))];
  if (gained === 0 && lost === 0) return not('unchanged');
  if (lost > slack * WRITES.mostLost * (gained + lost)) return not('replaced');
  if (gained < WRITES.fewestGained) return not('few');
  const isGaining = (part: Part) => part.gained >= (HISTORY.parts.ofMean * gained * part.days) / windowDays;
  const gaining = parts.filter(isGaining).length;
  if (gaining < HISTORY.parts.least || gaining < (HISTORY.parts.share / slack) * parts.length) return not('steps');
  if (parts.findLastIndex(isGaining) < Math.floor((2 * parts.length) / 3)) return not('young');
  const gainers = documents.filter((one) => gainOf(one) > 0);
  const lengths = gainers.map(nowOf);
  const all = { lengths: documents.map(nowOf), arrays: documents.length };
  if (areFilling({ lengths, arrays: gainers.length }, all)) return not('young');
  const gains = gainers.map((one) => ({ gained: gainOf(one), days: windowDays }));
  const chanceSeen = (perDay: number) => -Math.expm1(-perDay * windowDays);
  const { median: perDay, each } = fitRates(gains, 1, chanceSeen, RATES.leastError.history);
  const most = lengths.indexOf(Math.max(...lengths));
  const error = RATES.leastError.history + 1 / Math.sqrt((gains[most] as { gained: number }).gained);
  const largest = { value: lengths[most] as number, perDay: around(each[most] as number, error) };
  const rates = { typical: { value: median(lengths), perDay }, largest };
  return { ...base, verdict: 'growing', because: 'growing', rates };
}

const nowOf = (lengths: Tracked) => lengths.at(-1) as number;
const gainOf = (lengths: Tracked) => nowOf(lengths) - (lengths[0] as number);

/** The documents that were there in the first run and are there now. */
function trackedIn(runs: readonly SketchedRun[], path: string | null): Tracked[] {
  const columns = runs.map(({ sketch }) => {
    const values = path === null ? sketch.sizes : (sketch.lengths.find((one) => one.path === path)?.values ?? []);
    return new Map(hashesIn(sketch.hashes).map((hash, place) => [hash, values[place] ?? NONE]));
  });
  return [...(columns[0] ?? new Map<string, number>()).keys()].flatMap((hash) => {
    const seen = columns.map((column) => column.get(hash));
    if (seen.at(-1) === undefined || seen.every((length) => length === NONE)) return [];
    // An array that is not there yet has no elements.
    return [seen.map((length) => (length === undefined ? NaN : Math.max(0, length)))];
  });
}

interface Part {
  readonly days: number;
  readonly gained: number;
  readonly lost: number;
}

/** The time compared in parts of a run or more, and what all gained and lost in each. */
function partsOf(runs: readonly SketchedRun[], documents: readonly Tracked[]): Part[] {
  const start = runs[0]?.at ?? 0;
  const least = ((runs.at(-1)?.at ?? 0) - start) / HISTORY.parts.most / 1.001;
  const parts: Part[] = [];
  let from = 0;
  for (const [run, { at }] of runs.entries()) {
    if (run === 0 || (at - (runs[from] as SketchedRun).at < least && run < runs.length - 1)) continue;
    const diffs = documents
      .map((lengths) => (lengths[run] as number) - (lengths[from] as number))
      .filter((diff) => !Number.isNaN(diff));
    parts.push({
      days: (at - (runs[from] as SketchedRun).at) / MS_PER_DAY,
      gained: sum(diffs.filter((diff) => diff > 0)),
      lost: -sum(diffs.filter((diff) => diff < 0)),
    });
    from = run;
  }
  return parts;
}

/** The documents with the smallest hashes: each run chooses the same. @param salt that of the history file, so that hashes of two files can't be compared */
export function sketchOf({ sample, lengths }: ProfiledGrowth, salt: string): DocumentSketch {
  const paths = [...lengths].map(([path, series]) => {
    const places = series.documents.map((number) => placeOf(number, sample));
    return { path, byPlace: new Map(places.map((place, index) => [place, series.lengths[index] as number])) };
  });
  const { most, fewest, values } = HISTORY.sketch;
  const chosen = [...sample.digests]
    .flatMap((digest, place) => (Number.isNaN(digest) ? [] : [{ hash: hashOf(digest, salt), place }]))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1))
    .slice(0, Math.min(most, Math.max(fewest, Math.round(values / (paths.length + 1)))));
  return {
    hashes: Buffer.from(chosen.map(({ hash }) => hash).join(''), 'hex').toString('base64'),
    sizes: chosen.map(({ place }) => sample.sizes[place] as number),
    lengths: paths
      .map(({ path, byPlace }) => ({
        path,
        values: chosen.map(({ place }) => Math.round(100 * (byPlace.get(place) ?? NONE)) / 100),
      }))
      .filter((one) => one.values.some((value) => value !== NONE)),
  };
}

/** In hexadecimal, in the sketch's order. */
function hashesIn(hashes: string): string[] {
  const bytes = Buffer.from(hashes, 'base64');
  return Array.from({ length: Math.floor(bytes.length / HISTORY.hashBytes) }, (_, index) =>
    bytes.toString('hex', index * HISTORY.hashBytes, (index + 1) * HISTORY.hashBytes),
  );
}

function hashOf(digest: number, salt: string): string {
  return createHash('sha256')
    .update(`${salt} ${digest}`)
    .digest('hex')
    .slice(0, 2 * HISTORY.hashBytes);
}
