import { createHash } from 'node:crypto';
import { median, sum } from 'simple-statistics';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import { placeOf } from '../profile/growth-sample/kept-documents.js';
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

/** A document that was recognised, with its length in each of the runs; NaN where it was not among the sketched ones. */
interface Tracked {
  readonly lengths: readonly number[];
  /** Whether its hash chose it, so that it stands for others. If not, it is there because its arrays are long. */
  readonly isTypical: boolean;
}

/**
 * Whether the same documents have longer arrays from run to run: steadily, with few losses, and for good.
 *
 * @param runs in order of time, the present one last
 * @param path null for the sizes of documents
 * @param wasGrowing whether the run before reported growth: it takes more to say otherwise
 */
export function historyGrowth(
  runs: readonly SketchedRun[],
  path: string | null,
  wasGrowing: boolean,
): HistoryGrowth | null {
  const compared = comparedRuns(runs);
  const [first, last] = [compared[0], compared.at(-1)];
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
  const slack = wasGrowing ? HISTORY.slack : 1;
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
  const typical = gainers.filter((one) => one.isTypical);
  const [growing, all] =
    typical.length < HISTORY.fewestTracked ? [gainers, documents] : [typical, documents.filter((one) => one.isTypical)];
  const lengths = growing.map(nowOf);
  const isFilling = areFilling({ lengths, arrays: lengths.length }, { lengths: all.map(nowOf), arrays: all.length });
  if (isFilling && !wasGrowing) return not('young');
  const gains = growing.map((one) => ({ gained: gainOf(one), days: windowDays }));
  const chanceSeen = (perDay: number) => -Math.expm1(-perDay * windowDays);
  const largest = gainers.reduce((one, other) => (nowOf(other) > nowOf(one) ? other : one));
  const error = RATES.leastError.history + 1 / Math.sqrt(gainOf(largest));
  return {
    ...base,
    verdict: 'growing',
    because: 'growing',
    rates: {
      typical: { value: median(lengths), perDay: fitRates(gains, 1, chanceSeen, RATES.leastError.history).median },
      largest: { value: nowOf(largest), perDay: around(gainOf(largest) / windowDays, error) },
    },
  };
}

function nowOf({ lengths }: Tracked): number {
  return lengths.at(-1) as number;
}

function gainOf({ lengths }: Tracked): number {
  return (lengths.at(-1) as number) - (lengths[0] as number);
}

/** Those of the last fortnight; if they are rarer, as many as show growth. */
function comparedRuns(runs: readonly SketchedRun[]): readonly SketchedRun[] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const recent = runs.findIndex(({ at }) => last.at - at <= HISTORY.comparedDays * MS_PER_DAY);
  return runs.slice(Math.max(0, Math.min(recent, runs.length - HISTORY.fewestRuns - 1)));
}

/** The documents that were there in the first run and are there now. */
function trackedIn(runs: readonly SketchedRun[], path: string | null): Tracked[] {
  const columns = runs.map(({ sketch }) => {
    const values = path === null ? sketch.sizes : (sketch.lengths.find((one) => one.path === path)?.values ?? []);
    return new Map(
      hashesIn(sketch.hashes).map((hash, place) => [
        hash,
        { length: values[place] ?? NONE, isTypical: place < (sketch.chosenByHash ?? Infinity) },
      ]),
    );
  });
  return [...(columns[0] ?? [])].flatMap(([hash, { isTypical }]) => {
    // An array that is not there yet has no elements.
    const seen = columns.map((column) => column.get(hash));
    const lengths = seen.map((one) => (one === undefined ? NaN : Math.max(0, one.length)));
    return seen.at(-1) === undefined || seen.every((one) => one?.length === NONE)
      ? []
      : [{ lengths, isTypical: isTypical && seen.at(-1)?.isTypical === true }];
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
      .map(({ lengths }) => (lengths[run] as number) - (lengths[from] as number))
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

/** @param salt that of the history file, so that hashes of two files can't be compared */
export function sketchOf({ sample, lengths }: ProfiledGrowth, salt: string): DocumentSketch {
  const paths = [...lengths].map(([path, series]) => {
    const places = series.documents.map((number) => placeOf(number, sample));
    return { path, lengths: new Map(places.map((index, at) => [index, series.lengths[at] as number])) };
  });
  const documents = [...sample.digests]
    .flatMap((digest, index) => (Number.isNaN(digest) ? [] : [{ hash: hashOf(digest, salt), index }]))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1));
  const { documents: most, fewest, values, byHash } = HISTORY.sketch;
  const count = Math.round(Math.min(most, Math.max(fewest, values / (paths.length + 1))));
  const typical = documents.slice(0, Math.round(byHash * count));
  const elements = (index: number) => sum(paths.map((path) => path.lengths.get(index) ?? 0));
  const longest = documents
    .slice(typical.length)
    .sort((one, other) => elements(other.index) - elements(one.index))
    .slice(0, count - typical.length);
  const chosen = [...typical, ...longest];
  return {
    hashes: Buffer.from(chosen.map(({ hash }) => hash).join(''), 'hex').toString('base64'),
    chosenByHash: typical.length,
    sizes: chosen.map(({ index }) => sample.sizes[index] as number),
    lengths: paths
      .map((of) => ({ path: of.path, values: chosen.map(({ index }) => rounded(of.lengths.get(index) ?? NONE)) }))
      .filter(({ values: ofPath }) => ofPath.some((value) => value !== NONE)),
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

function rounded(length: number): number {
  return Math.round(100 * length) / 100;
}
