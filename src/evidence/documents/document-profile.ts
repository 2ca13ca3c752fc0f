import type { FieldNamePattern } from '../../data-name.js';
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

/** How often each BSON type occurred. */
export type TypeCounts = Partial<Record<BsonType, number>>;

/** One bar of a histogram: how many values lie in `from` to `to`, both included. */
export type DistributionBucket = { readonly from: number; readonly to: number; readonly count: number };

/**
 * The distribution of a non-negative whole quantity (elements, bytes, levels).
 *
 * `count`, `sum`, `min`, `max`, `mean`, `standardDeviation` (the population's) and `countAtMax` are exact. Quantiles
 * (nearest rank), `mode` and `distinct` are exact for values below 256; above, values are grouped and stand for the
 * smallest of their group, at most 1/128 too low, save the maximum.
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
  /** The most frequent value. */
  readonly mode: number;
  /** Share of all values that equal the mode, 0 to 1. */
  readonly shareAtMode: number;
  /** How many values equal the maximum. */
  readonly countAtMax: number;
  /** Share of all values that equal the maximum, 0 to 1. */
  readonly shareAtMax: number;
  /** How many different values occurred. */
  readonly distinct: number;
  /** At most 10 bars over the whole range, for drawing; of equal width, or geometric where max ≥ 20 × the 10th percentile. */
  readonly buckets: readonly DistributionBucket[];
}

/**
 * What was measured of the arrays at one path.
 *
 * Where field names were found to be data only after the fact, `shareOfDocument`, `bytesPerDocument` and
 * `sizeCorrelation` of the arrays below `*` are, for the documents until then, per document and name.
 */
export interface ArrayProfile {
  /** Elements per array. Nested arrays count one by one, so a document may add several. */
  readonly lengths: Distribution;
  /** BSON bytes per array, its own header included. */
  readonly bytes: Distribution;
  /** Types of the elements. */
  readonly elementTypes: TypeCounts;
  /** The array's share of its document's bytes, over the documents that hold it, 0 to 1. Arrays at one path are added up per document. */
  readonly shareOfDocument: { readonly mean: number; readonly max: number };
  /** Bytes in this path per document, over the documents that hold it. */
  readonly bytesPerDocument: Distribution;
  /**
   * Pearson correlation of the bytes in this path with the bytes of the whole document, over the documents that hold
   * it; null with fewer than 3 documents or where one side does not vary.
   */
  readonly sizeCorrelation: number | null;
}

/** What was measured of the objects at one path (or of the documents themselves, at the root). */
export interface ObjectProfile {
  /** Fields per object. */
  readonly fields: Distribution;
  /** Different field names seen; a lower bound where `folded` is true or the profile's `limits` left paths out. */
  readonly distinctFields: number;
  /**
   * True where the field names are data as a rule: the values below are then profiled under one path, `*`, and the
   * names themselves are kept nowhere. Fields that nearly all objects share keep their own paths beside it. Where it is
   * false there may still be a `*`, for single names that are plainly data, such as an e-mail address.
   */
  readonly folded: boolean;
  /** What the folded names look like, `mixed` for several things; null where none were folded. */
  readonly namePattern: FieldNamePattern | null;
}

/** Facts about the values at one path that need no second pass. Never printed: they are document values. */
export interface ValueFacts {
  /** Dates, in ms since 1970. */
  readonly dates?: { readonly count: number; readonly min: number; readonly max: number };
  /** int, long and double values, NaN and infinities left out; `whole` counts those without a fraction. */
  readonly numbers?: { readonly count: number; readonly min: number; readonly max: number; readonly whole: number };
  /** ObjectIds, by the time they carry, in ms since 1970. */
  readonly objectIds?: { readonly count: number; readonly min: number; readonly max: number };
  /** Strings: bytes per value in UTF-8, without the terminator. */
  readonly strings?: { readonly count: number; readonly sum: number; readonly max: number };
}

/** What was measured at one path. */
export interface PathProfile {
  /**
   * Dotted; `[]` stands for the elements of an array, `*` for field names that are data: `threads[].posts`,
   * `scores.*.wins`. A name that would read as something else (empty, `*`, or with a dot or bracket) is written as
   * `["a.b"]`.
   */
  readonly path: string;
  /** The path of the object or array it lies in; null at the top level. */
  readonly parent: string | null;
  /** Levels of nesting: 1 for a top-level field; each object or array on the way adds one, as the server counts. */
  readonly depth: number;
  /** Values seen here. */
  readonly occurrences: number;
  /** Documents in which the path occurs; at and below `*` an upper bound. */
  readonly documents: number;
  /** Share of the enclosing objects that hold this field, 0 to 1; for elements of arrays 1, for `*` an upper bound. */
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
  /** Documents profiled; malformed ones do not count. */
  readonly documents: number;
  /** BSON bytes of those documents. */
  readonly bytes: number;
  /** Bytes per document. */
  readonly sizes: Distribution;
  /**
   * Levels of nesting of the deepest value, and its path, null where the limits left that out; a flat document has depth
   * 1. An empty object or array is a value like any other and adds no level, as the server counts (measured on 6.0.5).
   */
  readonly depth: { readonly max: number; readonly path: string | null };
  /** The documents themselves as objects. */
  readonly root: ObjectProfile;
  /** Every path, parents before children, in order of first appearance. */
  readonly paths: readonly PathProfile[];
  /**
   * The largest document, and the path that weighs most in it: the deepest that holds at least 80 % of the bytes of the
   * heaviest top-level path. `heaviestPathBytes` counts type byte, name and value; elements are named by their array.
   */
  readonly largest: {
    readonly bytes: number;
    readonly heaviestPath: string | null;
    readonly heaviestPathBytes: number;
  };
  /** Documents that are not valid BSON, and what was wrong with the first, where in it. They count nowhere else. */
  readonly malformed: { readonly documents: number; readonly detail: string | null };
  /** Sentences about each bound that left something out; empty where nothing was. */
  readonly limits: readonly string[];
}

/** How the sampled documents were chosen. */
export type SampleMethod =
  /** Every document was read. */
  | 'whole-collection'
  /** `$sample` through the storage engine's random cursor. Picks pages, so large documents are over-represented. */
  | 'random-cursor'
  /** `$sample` by a scan and a random sort on the server: uniform. */
  | 'random-sort'
  /** Random picks from the `_id` index: uniform. */
  | 'id-index'
  /** The first documents in natural order, because nothing better worked: biased towards old documents. */
  | 'natural-order';

/** How the sample was taken, and what bounded it. */
export interface DocumentSample {
  readonly method: SampleMethod;
  /** True where every document of the collection was read. */
  readonly complete: boolean;
  /** The bound that kept the sample smaller than asked for, if one did. */
  readonly boundedBy: 'bytes' | 'time' | null;
  /** Time spent, in ms. */
  readonly elapsed: number;
}

/** The evidence `documents`: the profile and how its documents were chosen. */
export interface DocumentEvidence {
  readonly sample: DocumentSample;
  readonly profile: DocumentProfile;
}
