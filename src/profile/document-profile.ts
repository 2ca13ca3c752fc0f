import type { FieldNamePattern } from '../data-name.js';
import type { Interval } from './sampling/confidence.js';
import type { SampleMethod } from './sampling/sample-plan.js';

/** BSON types by the names that `$type` uses. */
export const BSON_TYPES = [
  'double',
  'string',
  'object',
  'array',
  'binData',
  'undefined',
  'objectId',
  'bool',
  'date',
  'null',
  'regex',
  'dbPointer',
  'javascript',
  'symbol',
  'javascriptWithScope',
  'int',
  'timestamp',
  'long',
  'decimal',
  'minKey',
  'maxKey',
] as const;

export type BsonType = (typeof BSON_TYPES)[number];

export type TypeCounts = Partial<Record<BsonType, number>>;

/** One bar of a histogram: how many values lie in `from` to `to`, both included. */
export type DistributionBucket = { readonly from: number; readonly to: number; readonly count: number };

export type QuantileName = 'median' | 'p90' | 'p95' | 'p99';

/**
 * The distribution of a non-negative whole quantity (elements, bytes, levels). Quantiles (nearest rank), `mode` and
 * `distinct` are exact below 256; above, they are at most 1/128 too low. The others are exact.
 */
export interface Distribution {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly standardDeviation: number;
  readonly median: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  /** Where the quantiles of all values lie, if these were drawn at random; beyond it, once in 10,000 times on each side. */
  readonly intervals: { readonly [Name in QuantileName]: Interval };
  /** The least value of fewer. A few extremes are in a random sample by chance: see `LEAST_SEEN`. */
  readonly fifthLargest: number;
  readonly mode: number;
  readonly shareAtMode: number;
  readonly countAtMax: number;
  readonly shareAtMax: number;
  readonly distinct: number;
  /**
   * The values above the last gap in which the next value is at least twice the one before; absent if there is no such gap.
   * `spread` is their standard deviation divided by their mean.
   */
  readonly separateGroup?: { readonly count: number; readonly min: number; readonly spread: number };
  /** At most 10 bars over the whole range; of equal width, or geometric if max ≥ 20 × the 10th percentile. */
  readonly buckets: readonly DistributionBucket[];
}

/** What held of long arrays and the fields beside them in every document that was compared. Absent keys did not hold. */
export interface ArraySiblings {
  /** Documents whose array had 50 elements or more, of which at most 300 were compared. */
  readonly documents: number;
  /** A number that no array is longer than, and that a good share of them reach: a limit that somebody set. */
  readonly cap?: string;
  /** An array that is always as long. */
  readonly sameLengthAs?: string;
  /** A date on the quarter of an hour, or the text of a day, from which all elements lie within so many ms. */
  readonly period?: { readonly field: string; readonly milliseconds: number };
}

/**
 * What was measured of the arrays at one path. If names are recognized as data late, `shareOfDocument`,
 * `bytesPerDocument` and `sizeCorrelation` below `*` are, for the documents until then, per document and name.
 */
export interface ArrayProfile {
  /** Elements per array. Nested arrays count one by one, so a document may add several. */
  readonly lengths: Distribution;
  /** BSON bytes per array, its own header included. */
  readonly bytes: Distribution;
  readonly elementTypes: TypeCounts;
  /** Share of a document's bytes, 0 to 1, over the documents that hold the path; its arrays are summed per document. */
  readonly shareOfDocument: { readonly mean: number; readonly max: number };
  /** Over the documents that hold the path. */
  readonly bytesPerDocument: Distribution;
  /** Pearson: this path's bytes with the document's; null below 3 documents or if one side does not vary. */
  readonly sizeCorrelation: number | null;
  readonly siblings?: ArraySiblings;
}

/** The objects at one path, or the documents themselves at the root. */
export interface ObjectProfile {
  readonly fields: Distribution;
  /** Different field names seen; a lower bound if `folded` is true or the profile's `limits` left paths out. */
  readonly distinctFields: number;
  /**
   * True if most of the names are data: their values are profiled under one path, `*`, and the names are not kept.
   * Fields that nearly all objects share keep their own paths. Single names, such as an e-mail address, may become `*`
   * even if it is false.
   */
  readonly folded: boolean;
  /** `mixed` for several kinds; null if no names were folded. */
  readonly namePattern: FieldNamePattern | null;
}

/** The values at one path. Never printed: they are document values. */
export interface ValueFacts {
  /** In ms since 1970. `monthPast` counts those that were past for 31 days; absent from evidence files of older versions. */
  readonly dates?: { readonly count: number; readonly min: number; readonly max: number; readonly monthPast?: number };
  /** int, long and double values without NaN and infinities; `whole` counts those without a fraction. */
  readonly numbers?: { readonly count: number; readonly min: number; readonly max: number; readonly whole: number };
  /** By the time they carry, in ms since 1970. */
  readonly objectIds?: { readonly count: number; readonly min: number; readonly max: number };
  /** Bytes per value in UTF-8, without the terminator. */
  readonly strings?: { readonly count: number; readonly sum: number; readonly max: number };
}

/** What was measured at one path. */
export interface PathProfile {
  /**
   * Dotted; `[]` stands for the elements of an array, `*` for names that are data: `threads[].posts`, `scores.*.wins`.
   * A name that would read as something else (empty, `*`, with a dot or bracket) is written as `["a.b"]`.
   */
  readonly path: string;
  /** The path of the object or array it lies in; null at the top level. */
  readonly parent: string | null;
  /** Levels of nesting as the server counts: 1 for a top-level field, one more per object or array on the way. */
  readonly depth: number;
  readonly occurrences: number;
  /** Documents in which the path occurs; at and below `*` an upper bound. */
  readonly documents: number;
  /** Share of the enclosing objects that hold this field, 0 to 1; elements of arrays have 1, `*` an upper bound. */
  readonly presence: number;
  /** Times a field name was repeated within one object; 0 for elements and for `*`. */
  readonly duplicates: number;
  readonly types: TypeCounts;
  /** BSON bytes at this path over all documents: type byte, name and value. */
  readonly bytes: number;
  /** `bytes` as a share of all profiled bytes, 0 to 1. */
  readonly shareOfBytes: number;
  readonly array?: ArrayProfile;
  readonly object?: ObjectProfile;
  readonly values?: ValueFacts;
}

/** The profile of a set of documents. Plain data, of bounded size. */
export interface DocumentProfile {
  /** Without malformed ones. */
  readonly documents: number;
  readonly bytes: number;
  readonly sizes: Distribution;
  /**
   * The deepest value and its path, null if the limits left it out. Flat documents have depth 1; an empty object or
   * array adds no level, as the server counts (measured on 6.0.5).
   */
  readonly depth: { readonly max: number; readonly path: string | null };
  readonly root: ObjectProfile;
  /** Every path, parents before children, in order of first appearance. */
  readonly paths: readonly PathProfile[];
  /**
   * The largest document, and the deepest path that holds at least 80 % of the bytes of its heaviest top-level path
   * (type byte, name and value); elements are named by their array.
   */
  readonly largest: {
    readonly bytes: number;
    readonly heaviestPath: string | null;
    readonly heaviestPathBytes: number;
  };
  /** Documents that are not valid BSON, which count nowhere else, and what was wrong with the first. */
  readonly malformed: { readonly documents: number; readonly detail: string | null };
  /** Sentences about each bound that left something out. */
  readonly limits: readonly string[];
}

/** What ends a sample early: a bound, or once documents were read, a signal, a lost connection or a dropped collection. */
export const SAMPLE_ENDS = ['bytes', 'time', 'interruption', 'connection', 'vanished'] as const;
export type SampleEnd = (typeof SAMPLE_ENDS)[number];

export interface DocumentSample {
  readonly method: SampleMethod;
  /** True if every document of the collection was read. */
  readonly complete: boolean;
  /** What kept the sample smaller than asked for, if something did. */
  readonly boundedBy: SampleEnd | null;
  /** In ms. */
  readonly elapsed: number;
}

/** The evidence `documents`: the profile and how its documents were chosen. */
export interface DocumentEvidence {
  readonly sample: DocumentSample;
  readonly profile: DocumentProfile;
}
