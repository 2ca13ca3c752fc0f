import type { Threshold } from '../../check.js';
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
import { areOfNumbers, arrayElements, haveLengthOfPositions } from './array-elements.js';
import { lengthBound, type LengthBound } from './length-bound.js';
import type { WriteBound } from './write-bound.js';

/**
 * What bounds arrays, beside what their lengths show:
 * - `coordinates`: the points of one shape.
 * - `limit-field`: a number in the same document, such as `keep: 100`.
 * - `period`: all elements lie within an hour, a day or a month that the document names: a bucket.
 * - `recording`: always as long as an array of positions beside it.
 * - `write-cap`: recorded writes cut it, or stop at a length.
 * - `text`: the lines of one text, which writes set as a whole.
 */
export type ArrayBound = LengthBound | 'coordinates' | 'limit-field' | 'period' | 'recording' | 'write-cap' | 'text';

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

export const ARRAY_SHAPE_THRESHOLDS = {
  shapeArrays: {
    default: 5,
    unit: 'elements',
    description: 'number of arrays at a path from which their lengths can show a shape',
    source: 'judgement: of four lengths, any may be the odd one',
  },
  tailRatio: {
    default: 5,
    unit: 'ratio',
    description: 'multiple of the median from which the 99th percentile (or half the maximum) is a heavy tail',
    source: 'judgement: a lognormal distribution reaches it from sigma 0.7, a bucket of fixed duration does not',
  },
  dominantShare: {
    default: 0.5,
    unit: 'share',
    description: 'mean share of the document from which an array dominates it',
    source: 'judgement: more than everything else together',
  },
  dominantCorrelation: {
    default: 0.8,
    unit: 'ratio',
    description: 'correlation between array bytes and document bytes from which the array decides the size',
    source: 'judgement: the array then explains 64 % of the variance of document sizes',
  },
  dominantSpread: {
    default: 0.4,
    unit: 'ratio',
    description: 'standard deviation of the lengths, divided by their mean, from which they vary widely',
    source: 'judgement: arrays that grow steadily in documents of all ages have 0.58, hourly buckets 0.02 to 0.3',
  },
  narrowRatio: {
    default: 1.5,
    unit: 'ratio',
    description: 'multiple of the median up to which the longest array shows a narrow spread, and so a bound',
    source:
      'judgement: the longest of 1,000 buckets with a spread of 15 % has 1.5; steady growth without a bound has 2',
  },
  fewLengths: {
    default: 4,
    unit: 'elements',
    description: 'number of different lengths up to which they are fixed by design',
    source: 'judgement: covers vectors of two models, empty ones, leap years',
  },
  capShare: {
    default: 0.01,
    unit: 'share',
    description: 'share of all arrays at exactly the maximum length from which it can be a cap',
    source: 'judgement: a cap that one array in a hundred has met is in force; fewer may have met by chance',
  },
  capShareOfLong: {
    default: 0.05,
    unit: 'share',
    description: 'share of the long arrays at exactly the maximum length from which it can be a cap',
    source: 'judgement: where most arrays are short, a cap shows among the long ones only',
  },
  capArrays: {
    default: 3,
    unit: 'elements',
    description: 'number of arrays of exactly the maximum length from which it is a cap, if they stand out',
    source: 'judgement: two may be chance',
  },
} as const satisfies Readonly<Record<string, Threshold>>;

export type ArrayShapeLimits = { readonly [Name in keyof typeof ARRAY_SHAPE_THRESHOLDS]: number };

export const ARRAY_SHAPE_LIMITS = Object.fromEntries(
  Object.entries(ARRAY_SHAPE_THRESHOLDS).map(([name, threshold]) => [name, threshold.default]),
) as ArrayShapeLimits;

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
  limits: ArrayShapeLimits = ARRAY_SHAPE_LIMITS,
  writes: WriteBound | null = null,
): ArrayShape {
  const { array } = path;
  const ofNumbers = areOfNumbers(array);
  if (isGeometry(path, paths)) return { kind: 'bounded', by: 'coordinates' };
  if (writes?.kind === 'capped') return { kind: 'bounded', by: 'write-cap' };
  if (writes?.kind === 'text') return { kind: 'bounded', by: 'text' };
  const byLengths = lengthBound(array.lengths, long.elements, limits, ofNumbers);
  // Arrays that nothing shortens are alike at their greatest length because that is how far their writers came.
  const by = byLengths === 'cap' && writes?.kind === 'open' ? null : byLengths;
  const bound = by ?? boundBySiblings(array, paths);
  if (bound !== null) return { kind: 'bounded', by: bound };
  const each = unboundedShape(array, array.lengths, 'array', long, seen, limits);
  if (each.kind === 'unbounded' || !path.path.includes('[]')) return each;
  if (array.lengths.p99 < INNER_SHARE * long.elements) return each;
  const counts = elementsPerDocument(array);
  if (lengthBound(counts, long.elements, limits, ofNumbers) !== null) return each;
  const together = unboundedShape(array, counts, 'document', long, seen, limits);
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
  limits: ArrayShapeLimits,
): ArrayShape {
  const largest = countedPer === 'array' ? array.bytes.max : array.bytesPerDocument.max;
  if (counts.max < long.elements && largest < long.bytes) return { kind: 'short' };
  if (counts.count < limits.shapeArrays) return { kind: 'unclear' };
  const shape = (of: SeenPart) => {
    const heavyTail = hasHeavyTail(counts, of, limits);
    const dominant = isDominant(array, counts, of, limits);
    return heavyTail || dominant ? ({ kind: 'unbounded', heavyTail, dominant, counts, countedPer } as const) : null;
  };
  const sure = shape(seen);
  if (sure !== null) return { ...sure, isSure: true };
  const perhaps = shape(WHOLE);
  return perhaps === null ? { kind: 'unclear' } : { ...perhaps, isSure: false };
}

function hasHeavyTail(counts: Distribution, seen: SeenPart, { tailRatio }: ArrayShapeLimits): boolean {
  const line = tailRatio * Math.max(1, quantileAtMost(counts, 'median', seen));
  return quantileAtLeast(counts, 'p99', seen) >= line || largestAtLeast(counts, seen) >= MAXIMUM_FACTOR * line;
}

function isDominant(
  { bytesPerDocument, shareOfDocument, sizeCorrelation }: ArrayProfile,
  counts: Distribution,
  seen: SeenPart,
  { dominantShare, dominantCorrelation, dominantSpread }: ArrayShapeLimits,
): boolean {
  const documents = bytesPerDocument.count;
  return (
    meanShareAtLeast(shareOfDocument, documents, seen) >= dominantShare &&
    correlationWithin(sizeCorrelation ?? 0, documents, seen)[0] >= dominantCorrelation &&
    spreadAtLeast(counts, seen) >= dominantSpread
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
