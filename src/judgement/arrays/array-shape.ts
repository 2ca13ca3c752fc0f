import type { ArrayProfile, Distribution, PathProfile } from '../../profile/document-profile.js';
import { withoutElements } from '../../profile/path-steps.js';
import type { Interval } from '../../profile/sampling/confidence.js';
import {
  correlationWithin,
  largestAtLeast,
  meanShareAtLeast,
  quantileAtLeast,
  quantileAtMost,
  spreadAtLeast,
  WHOLE,
  type SeenPart,
} from '../margins.js';
import { areOfNumbers, arrayElements, haveLengthOfPositions, type WriteBound } from './array-elements.js';
import { lengthBound, type LengthBound, WIDE_SPREAD } from './length-bound.js';

/** What bounds arrays, by their lengths, by a field beside them or by what is written, as a report says it. */
export const BOUNDS = {
  'fixed-length': 'all are equally long',
  'few-lengths': 'only a few different lengths',
  cap: 'many are exactly as long as the longest',
  'narrow-spread': 'their lengths hardly differ',
  'separate-group': 'the long ones are about equally long',
  coordinates: 'the points of one shape',
  'limit-field': 'a number in the document limits them',
  period: 'all elements lie within a period that the document names',
  recording: 'one recording, as long as an array of positions beside it',
  'write-cap': 'recorded writes cut them, or stop at a length',
  text: 'the lines of a text, which writes set as a whole',
} as const satisfies Readonly<Record<LengthBound, string>> & Readonly<Record<string, string>>;

export type ArrayBound = keyof typeof BOUNDS;

/** The shape of the arrays at one path. `short` ones are too short to matter; `unclear` lengths show neither, or are too few. */
export type ArrayShape =
  | { readonly kind: 'bounded'; readonly by: ArrayBound }
  | { readonly kind: 'short' | 'unclear' }
  | UnboundedShape;

export interface UnboundedShape {
  readonly kind: 'unbounded';
  /** The longest arrays have many times the length of the typical one. */
  readonly heavyTail: boolean;
  /** The array makes up most of a document, whose size varies with it. */
  readonly dominant: boolean;
  /** False if the sample shows it, but the whole collection might not. */
  readonly isSure: boolean;
  /** Elements per array; or per document, if only all arrays of a document together are long. */
  readonly counts: Distribution;
  readonly countedPer: 'array' | 'document';
}

export interface LongArray {
  readonly elements: number;
  readonly bytes: number;
}

/** Arrays at a path from which their lengths can show a shape. Judgement: of four lengths, any may be the odd one. */
export const FEWEST_ARRAYS = 5;
/** Multiple of the median from which the 99th percentile is a heavy tail. Judgement: a lognormal one reaches it from sigma 0.7. */
export const TAIL_RATIO = 5;
/** Mean share of the document from which an array dominates it. Judgement: more than everything else together. */
export const DOMINANT_SHARE = 0.5;
/** Correlation of array and document bytes from which the array decides the size. Judgement: 64 % of their variance. */
const DOMINANT_CORRELATION = 0.8;

/** Former thresholds of the checks that judge arrays by their shape. */
export const RETIRED_OF_ARRAY_SHAPES = [
  'shapeArrays',
  'tailRatio',
  'dominantShare',
  'dominantCorrelation',
  'dominantSpread',
  'narrowRatio',
  'fewLengths',
  'capShare',
  'capShareOfLong',
  'capArrays',
] as const;

/** A maximum alone is a weaker sign than a percentile: it must be this many times further out. */
const MAXIMUM_FACTOR = 2;
/** Share of a long array's elements that inner arrays must have before they count together. */
const INNER_SHARE = 0.1;

/** @param writes what recorded writes and the oplog say of its end; null if nothing */
export function arrayShape(
  path: PathProfile & { readonly array: ArrayProfile },
  paths: readonly PathProfile[],
  long: LongArray,
  seen: SeenPart,
  writes: WriteBound | null = null,
): ArrayShape {
  const { array } = path;
  const ofNumbers = areOfNumbers(array);
  if (isGeometry(path, paths)) return { kind: 'bounded', by: 'coordinates' };
  if (writes?.kind === 'capped') return { kind: 'bounded', by: 'write-cap' };
  if (writes?.kind === 'text') return { kind: 'bounded', by: 'text' };
  const byLengths = lengthBound(array.lengths, long.elements, ofNumbers);
  // Arrays that nothing shortens are alike at their greatest length because that is how far their writers came.
  const by = byLengths === 'cap' && writes?.kind === 'open' ? null : byLengths;
  const bound = by ?? boundBySiblings(array, paths);
  if (bound !== null) return { kind: 'bounded', by: bound };
  const each = unboundedShape(array, array.lengths, 'array', long, seen);
  if (each.kind === 'unbounded' || !path.path.includes('[]')) return each;
  if (array.lengths.p99 < INNER_SHARE * long.elements) return each;
  const counts = elementsPerDocument(array);
  if (lengthBound(counts, long.elements, ofNumbers) !== null) return each;
  const together = unboundedShape(array, counts, 'document', long, seen);
  return together.kind === 'unbounded' ? together : each;
}

function boundBySiblings({ siblings }: ArrayProfile, paths: readonly PathProfile[]): ArrayBound | null {
  if (siblings?.period !== undefined) return 'period';
  if (siblings?.cap !== undefined) return 'limit-field';
  const twin = paths.find(({ path }) => path === siblings?.sameLengthAs);
  return twin !== undefined && arrayElements(twin, paths).positions ? 'recording' : null;
}

/** Elements per document, for arrays within arrays; estimated from the bytes per document and the mean bytes of an element. */
export function elementsPerDocument({ lengths, bytesPerDocument }: ArrayProfile): Distribution {
  const bytesPerElement = Math.max(1, bytesPerDocument.sum / Math.max(1, lengths.sum));
  const elements = (bytes: number) => Math.round(bytes / bytesPerElement);
  const within = ([low, high]: Interval): Interval => [elements(low), elements(high)];
  return {
    ...bytesPerDocument,
    sum: elements(bytesPerDocument.sum),
    min: elements(bytesPerDocument.min),
    max: elements(bytesPerDocument.max),
    mean: bytesPerDocument.mean / bytesPerElement,
    standardDeviation: bytesPerDocument.standardDeviation / bytesPerElement,
    median: elements(bytesPerDocument.median),
    p90: elements(bytesPerDocument.p90),
    p95: elements(bytesPerDocument.p95),
    p99: elements(bytesPerDocument.p99),
    intervals: {
      median: within(bytesPerDocument.intervals.median),
      p90: within(bytesPerDocument.intervals.p90),
      p95: within(bytesPerDocument.intervals.p95),
      p99: within(bytesPerDocument.intervals.p99),
    },
    fifthLargest: elements(bytesPerDocument.fifthLargest),
    mode: elements(bytesPerDocument.mode),
    buckets: bytesPerDocument.buckets.map(({ from, to, count }) => ({ from: elements(from), to: elements(to), count })),
  };
}

function unboundedShape(
  array: ArrayProfile,
  counts: Distribution,
  countedPer: UnboundedShape['countedPer'],
  long: LongArray,
  seen: SeenPart,
): ArrayShape {
  const largest = countedPer === 'array' ? array.bytes.max : array.bytesPerDocument.max;
  if (counts.max < long.elements && largest < long.bytes) return { kind: 'short' };
  if (counts.count < FEWEST_ARRAYS) return { kind: 'unclear' };
  const shape = (of: SeenPart) => {
    const heavyTail = hasHeavyTail(counts, of);
    const dominant = isDominant(array, counts, of);
    return heavyTail || dominant ? ({ kind: 'unbounded', heavyTail, dominant, counts, countedPer } as const) : null;
  };
  const sure = shape(seen);
  if (sure !== null) return { ...sure, isSure: true };
  const perhaps = shape(WHOLE);
  return perhaps === null ? { kind: 'unclear' } : { ...perhaps, isSure: false };
}

function hasHeavyTail(counts: Distribution, seen: SeenPart): boolean {
  const line = TAIL_RATIO * Math.max(1, quantileAtMost(counts, 'median', seen));
  return quantileAtLeast(counts, 'p99', seen) >= line || largestAtLeast(counts, seen) >= MAXIMUM_FACTOR * line;
}

function isDominant(
  { bytesPerDocument, shareOfDocument, sizeCorrelation }: ArrayProfile,
  counts: Distribution,
  seen: SeenPart,
): boolean {
  const documents = bytesPerDocument.count;
  return (
    meanShareAtLeast(shareOfDocument, documents, seen) >= DOMINANT_SHARE &&
    correlationWithin(sizeCorrelation ?? 0, documents, seen)[0] >= DOMINANT_CORRELATION &&
    spreadAtLeast(counts, seen) >= WIDE_SPREAD
  );
}

/** GeoJSON: a field `coordinates` whose innermost arrays are positions. A polygon of thousands of points is one shape. */
function isGeometry({ path }: PathProfile, paths: readonly PathProfile[]): boolean {
  const field = withoutElements(path);
  if (field !== 'coordinates' && !field.endsWith('.coordinates')) return false;
  const levels = paths.filter((each) => each.array !== undefined && withoutElements(each.path) === field);
  const [innermost] = levels.toSorted((one, other) => other.path.length - one.path.length);
  return innermost?.array !== undefined && haveLengthOfPositions(innermost.array) && areOfNumbers(innermost.array);
}
