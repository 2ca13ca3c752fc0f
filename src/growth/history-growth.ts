import { createHash } from 'node:crypto';
import { median, sum } from 'simple-statistics';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import { placeOf } from '../profile/growth-sample/kept-documents.js';
import { MS_PER_DAY } from '../time-units.js';
import { areFilling, isHeldByCap, around, fitRates } from './finished-arrays.js';
import type { HistoryGrowth, KeptGrowth } from './growth.js';
import { FINISHED, HISTORY, RATES, WRITES } from './limits.js';

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
  /** Whether it stands for others. If not, it is there because its arrays are long. */
  readonly isEven: boolean;
}

/**
 * Whether the same documents have longer arrays from run to run: steadily, with few losses, and for good.
 *
 * @param runs in order of time, the present one last
 * @param path null for the sizes of documents
 * @param isTold whether the run before told growth: it takes more to tell otherwise
 */
export function historyGrowth(
  runs: readonly SketchedRun[],
  path: string | null,
  isTold: boolean,
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
  const slack = isTold ? HISTORY.told : 1;
  const gainers = documents.filter((one) => gainOf(one) > 0);
  const gained = sum(gainers.map(gainOf));
  const parts = partsOf(compared, documents);
  const lost = sum(parts.map((part) => part.lost));
  if (gained === 0 && lost === 0) return not('unchanged');
  if (lost > slack * WRITES.mostLost * (gained + lost)) return not('replaced');
  if (gained < WRITES.fewestGained) return not('few');
  const mean = sum(parts.map((part) => part.gained)) / windowDays;
  const gaining = parts.filter((part) => part.gained >= HISTORY.parts.ofMean * mean * part.days);
  if (gaining.length < HISTORY.parts.least || gaining.length < (HISTORY.parts.share / slack) * parts.length)
    return not('steps');
  if (haveStopped(compared, gainers, slack)) return not('young');
  const late = parts.slice(Math.floor((2 * parts.length) / 3));
  const least = (WRITES.leastContinued / slack) * mean * sum(late.map((part) => part.days));
  if (sum(late.map((part) => part.gained)) < least) return not('young');
  const even = gainers.filter(({ isEven }) => isEven);
  const typical = even.length < HISTORY.fewestTracked ? gainers : even;
  const lengths = typical.map(nowOf);
  const all = documents.filter(({ isEven }) => isEven).map(nowOf);
  const arrays = { lengths, weights: lengths.map(() => 1), arrays: typical.length };
  const others = { lengths: all, arrays: all.length, created: [] };
  const isFew = even.length < HISTORY.fewestTracked;
  if (!isTold && isFew && median(lengths) < FINISHED.leastLonger * median(all)) return not('young');
  if (!isTold && !isFew && (areFilling(arrays, others) || isHeldByCap(lengths, others))) return not('young');
  const rates = ratesOf(typical, windowDays, parts);
  const largest = gainers.reduce((one, other) => (nowOf(other) > nowOf(one) ? other : one));
  return {
    ...base,
    verdict: 'growing',
    because: 'growing',
    rates: {
      typical: { value: median(lengths), perDay: rates },
      largest: {
        value: nowOf(largest),
        perDay: around(gainOf(largest) / windowDays, RATES.leastError.history + 1 / Math.sqrt(gainOf(largest))),
      },
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
        { length: values[place] ?? NONE, isEven: place < sketch.evenly },
      ]),
    );
  });
  return [...(columns[0] ?? [])].flatMap(([hash, { isEven }]) => {
    // An array that is not there yet has no elements.
    const seen = columns.map((column) => column.get(hash));
    const lengths = seen.map((one) => (one === undefined ? NaN : Math.max(0, one.length)));
    return seen.at(-1) === undefined || seen.every((one) => one?.length === NONE)
      ? []
      : [{ lengths, isEven: isEven && seen.at(-1)?.isEven === true }];
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

/** Lasting growth looks the same backwards: as many arrays begin to gain as stop. Of arrays that fill, none begins. */
function haveStopped(runs: readonly SketchedRun[], gainers: readonly Tracked[], slack: number): boolean {
  const middle = Math.floor((runs.length - 1) / 2);
  let [stopped, begun] = [0, 0];
  for (const { lengths } of gainers) {
    const half = lengths[middle] as number;
    if (Number.isNaN(half)) continue;
    const [before, after] = [half - (lengths[0] as number), (lengths.at(-1) as number) - half];
    if (before > 0 && after <= 0) stopped += 1;
    if (before <= 0 && after > 0) begun += 1;
  }
  const byChance = Math.max(HISTORY.stopped.more, HISTORY.stopped.share * gainers.length);
  return stopped >= slack * (HISTORY.stopped.ratio * begun + byChance);
}

function ratesOf(gainers: readonly Tracked[], days: number, parts: readonly Part[]) {
  const gains = gainers.map((one) => ({ gained: gainOf(one), days }));
  const perDay = parts.map((part) => part.gained / part.days);
  const average = sum(perDay) / perDay.length;
  const uneven = Math.sqrt(sum(perDay.map((one) => (one - average) ** 2)) / perDay.length ** 2) / average;
  return fitRates(gains, 1, (rate) => -Math.expm1(-rate * days), Math.hypot(RATES.leastError.history, uneven)).median;
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
  const most = HISTORY.sketch.evenly + HISTORY.sketch.longest;
  // Of collections with many arrays, fewer documents.
  const share = Math.min(1, Math.max(HISTORY.sketch.fewest, HISTORY.sketch.lengths / (paths.length + 1)) / most);
  const evenly = documents.slice(0, Math.round(share * HISTORY.sketch.evenly));
  const elements = (index: number) => sum(paths.map((path) => path.lengths.get(index) ?? 0));
  const longest = documents
    .slice(evenly.length)
    .sort((one, other) => elements(other.index) - elements(one.index))
    .slice(0, Math.round(share * HISTORY.sketch.longest));
  const chosen = [...evenly, ...longest];
  return {
    hashes: Buffer.from(chosen.map(({ hash }) => hash).join(''), 'hex').toString('base64'),
    evenly: evenly.length,
    sizes: chosen.map(({ index }) => sample.sizes[index] as number),
    lengths: paths
      .map((of) => ({ path: of.path, values: chosen.map(({ index }) => rounded(of.lengths.get(index) ?? NONE)) }))
      .filter(({ values }) => values.some((value) => value !== NONE)),
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
