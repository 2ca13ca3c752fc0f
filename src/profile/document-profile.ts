import { z } from 'zod';
import { ofKind } from '../names.js';
import { figureSchema, type Plain } from '../plain.js';
import { FIELD_NAME_PATTERNS } from '../workload/data-name.js';
import { SAMPLE_METHODS } from './sampling/sample-plan.js';
import { TEXT_FORMATS } from './text-formats.js';
import { valueSpreadSchema } from './value-tally.js';

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

export const typeCountsSchema = z.partialRecord(z.enum(BSON_TYPES), z.number());
export type TypeCounts = Partial<Record<BsonType, number>>;

/** What ends a sample early: a bound, or once documents were read, a signal, a lost connection or a dropped collection. */
export const SAMPLE_ENDS = ['bytes', 'time', 'interruption', 'connection', 'vanished'] as const;
export type SampleEnd = (typeof SAMPLE_ENDS)[number];

/** One bar of a histogram: how many values lie in `from` to `to`, both included. */
export const distributionBucketSchema = z.strictObject({ from: z.number(), to: z.number(), count: z.number() });
export type DistributionBucket = Plain<typeof distributionBucketSchema>;

const interval = z.tuple([z.number(), z.number()]);

export type QuantileName = 'median' | 'p90' | 'p95' | 'p99';

/**
 * The distribution of a non-negative whole quantity (elements, bytes, levels). Quantiles (nearest rank), `mode` and
 * `distinct` are exact below 256; above, they are at most 1/128 too low. The others are exact.
 */
export const distributionSchema = z.strictObject({
  count: z.number(),
  sum: z.number(),
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  standardDeviation: z.number(),
  median: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  /** Where the quantiles of all values lie, if these were drawn at random; beyond it, once in 10,000 times on each side. */
  intervals: z.strictObject({ median: interval, p90: interval, p95: interval, p99: interval }),
  /** The least value of fewer. A few extremes are in a random sample by chance: see `LEAST_SEEN`. */
  fifthLargest: z.number(),
  mode: z.number(),
  shareAtMode: z.number(),
  countAtMax: z.number(),
  shareAtMax: z.number(),
  distinct: z.number(),
  /**
   * The values above the last gap in which the next value is at least twice the one before; absent if there is no such gap.
   * `spread` is their standard deviation divided by their mean.
   */
  separateGroup: z.strictObject({ count: z.number(), min: z.number(), spread: z.number() }).exactOptional(),
  /** At most 10 bars over the whole range; of equal width, or geometric if max ≥ 20 × the 10th percentile. */
  buckets: z.array(distributionBucketSchema),
});

export type Distribution = Plain<typeof distributionSchema>;

/** What held of long arrays and the fields beside them in every document that was compared. Absent keys did not hold. */
export const arraySiblingsSchema = z.strictObject({
  /** Documents whose array had 50 elements or more, of which at most 300 were compared. */
  documents: z.number(),
  /** A number that no array is longer than, and that a good share of them reach: a limit that somebody set. */
  cap: z.string().exactOptional(),
  /** An array that is always as long. */
  sameLengthAs: z.string().exactOptional(),
  /** A date on the quarter of an hour, or the text of a day, from which all elements lie within so many ms. */
  period: z.strictObject({ field: z.string(), milliseconds: z.number() }).exactOptional(),
});

export type ArraySiblings = Plain<typeof arraySiblingsSchema>;

/**
 * What was measured of the arrays at one path. If names are recognized as data late, `shareOfDocument`,
 * `bytesPerDocument` and `sizeCorrelation` below `*` are, for the documents until then, per document and name.
 */
export const arrayProfileSchema = z.strictObject({
  /** Elements per array. Nested arrays count one by one, so a document may add several. */
  lengths: distributionSchema,
  /** BSON bytes per array, its own header included. */
  bytes: distributionSchema,
  elementTypes: typeCountsSchema,
  /** Share of a document's bytes, 0 to 1, over the documents that hold the path; its arrays are summed per document. */
  shareOfDocument: z.strictObject({ mean: z.number(), max: z.number() }),
  /** Over the documents that hold the path. */
  bytesPerDocument: distributionSchema,
  /** Pearson: this path's bytes with the document's; null below 3 documents or if one side does not vary. */
  sizeCorrelation: z.number().nullable(),
  siblings: arraySiblingsSchema.exactOptional(),
});

export type ArrayProfile = Plain<typeof arrayProfileSchema>;

/** The objects at one path, or the documents themselves at the root. */
export const objectProfileSchema = z.strictObject({
  fields: distributionSchema,
  /** Different field names seen; a lower bound if `folded` is true or the profile's `limits` left paths out. */
  distinctFields: z.number(),
  /**
   * True if most of the names are data: their values are profiled under one path, `*`, and the names are not kept.
   * Fields that nearly all objects share keep their own paths. Single names, such as an e-mail address, may become `*`
   * even if it is false.
   */
  folded: z.boolean(),
  /** `mixed` for several kinds; null if no names were folded. */
  namePattern: z.enum(FIELD_NAME_PATTERNS).nullable(),
});

export type ObjectProfile = Plain<typeof objectProfileSchema>;

/** Where a tenth, two tenths and so on of the times lie, the oldest first; absent below a hundred. */
const deciles = z.array(z.number());

/** The values at one path. Never printed: they are document values. */
export const valueFactsSchema = z.strictObject({
  /** In ms since 1970. `monthPast` counts those that were past for 31 days; absent from evidence files of older versions. */
  dates: z
    .strictObject({
      count: z.number(),
      min: z.number(),
      max: z.number(),
      deciles: deciles.exactOptional(),
      monthPast: z.number().exactOptional(),
    })
    .exactOptional(),
  /** int, long and double values without NaN and infinities; `whole` counts those without a fraction. */
  numbers: z.strictObject({ count: z.number(), min: z.number(), max: z.number(), whole: z.number() }).exactOptional(),
  /** By the time they carry, in ms since 1970. */
  objectIds: z
    .strictObject({ count: z.number(), min: z.number(), max: z.number(), deciles: deciles.exactOptional() })
    .exactOptional(),
  /** Bytes per value in UTF-8, without the terminator. `formats` counts those in the form of another type, if there are any. */
  strings: z
    .strictObject({
      count: z.number(),
      sum: z.number(),
      max: z.number(),
      formats: z.partialRecord(z.enum(TEXT_FORMATS), z.number()).exactOptional(),
    })
    .exactOptional(),
  /** The spread of all values but null; absent from evidence files of older versions. */
  spread: valueSpreadSchema.exactOptional(),
});

export type ValueFacts = Plain<typeof valueFactsSchema>;

/** What was measured at one path. */
export const pathProfileSchema = z.strictObject({
  /**
   * Dotted; `[]` stands for the elements of an array, `*` for names that are data: `threads[].posts`, `scores.*.wins`.
   * A name that would read as something else (empty, `*`, with a dot or bracket) is written as `["a.b"]`.
   */
  path: z.string(),
  /** The path of the object or array it lies in; null at the top level. */
  parent: z.string().nullable(),
  /** Levels of nesting as the server counts: 1 for a top-level field, one more per object or array on the way. */
  depth: z.number(),
  occurrences: z.number(),
  /** Documents in which the path occurs; at and below `*` an upper bound. */
  documents: z.number(),
  /** Share of the enclosing objects that hold this field, 0 to 1; elements of arrays have 1, `*` an upper bound. */
  presence: z.number(),
  /** Times a field name was repeated within one object; 0 for elements and for `*`. */
  duplicates: z.number(),
  types: typeCountsSchema,
  /** BSON bytes at this path over all documents: type byte, name and value. */
  bytes: z.number(),
  /** `bytes` as a share of all profiled bytes, 0 to 1. */
  shareOfBytes: z.number(),
  array: arrayProfileSchema.exactOptional(),
  object: objectProfileSchema.exactOptional(),
  values: valueFactsSchema.exactOptional(),
});

export type PathProfile = Plain<typeof pathProfileSchema>;

export const SHAPE_STRUCTURES = ['value', 'object', 'array'] as const;

/**
 * Shapes of documents that exclude each other by their top-level fields, and cover nearly all documents. The oldest comes
 * first if `follows` is a number.
 */
export const documentShapesSchema = z.strictObject({
  /** Documents that were compared: at most 1,000, spread evenly over all that were read. */
  documents: z.number(),
  shapes: z.array(
    z.strictObject({
      /** That nearly all documents of this shape have, and none of another. A null counts as absent. */
      fields: z.array(z.strictObject({ path: z.string(), structure: z.enum(SHAPE_STRUCTURES) })),
      documents: z.number(),
      /** By ObjectIds: when 5 %, half and 95 % of the documents had been created, in ms since 1970; null if `_id` is none. */
      created: z.tuple([z.number(), z.number(), z.number()]).nullable(),
    }),
  ),
  /** Chance that a document is newer than one of the shape before, the least of all shapes; null if no ages are known. */
  follows: z.number().nullable(),
  /** A field of few values by which the shapes are told apart. */
  dividedBy: z.string().nullable(),
});

export type DocumentShapes = Plain<typeof documentShapesSchema>;

/** The profile of a set of documents. Plain data, of bounded size. */
export const documentProfileSchema = z.strictObject({
  /** Without malformed ones. */
  documents: figureSchema,
  bytes: figureSchema,
  sizes: distributionSchema,
  /**
   * The deepest value and its path, null if the limits left it out. Flat documents have depth 1; an empty object or
   * array adds no level, as the server counts (measured on 6.0.5).
   */
  depth: z.strictObject({ max: z.number(), path: z.string().nullable() }),
  root: objectProfileSchema,
  /** Every path, parents before children, in order of first appearance. */
  paths: z.array(pathProfileSchema),
  /** Absent if all documents share a shape, or are of too many. */
  shapes: documentShapesSchema.exactOptional(),
  /**
   * The largest document, and the deepest path that holds at least 80 % of the bytes of its heaviest top-level path
   * (type byte, name and value); elements are named by their array.
   */
  largest: z.strictObject({ bytes: z.number(), heaviestPath: z.string().nullable(), heaviestPathBytes: z.number() }),
  /** Documents that are not valid BSON, which count nowhere else, and what was wrong with the first. */
  malformed: z.strictObject({ documents: figureSchema, detail: ofKind('sentence').nullable() }),
  /** Sentences about each bound that left something out. */
  limits: z.array(ofKind('sentence')),
});

export type DocumentProfile = Plain<typeof documentProfileSchema>;

export const documentSampleSchema = z.strictObject({
  method: z.enum(SAMPLE_METHODS),
  /** True if every document of the collection was read. */
  complete: z.boolean(),
  /** What kept the sample smaller than asked for, if something did. */
  boundedBy: z.enum(SAMPLE_ENDS).nullable(),
  /**
   * Documents larger than all sampled ones that were found by a search of the whole collection, at most 100: the profile has
   * their extremes. Absent if nobody searched.
   */
  larger: z.number().exactOptional(),
  /** In ms. */
  elapsed: z.number(),
});

export type DocumentSample = Plain<typeof documentSampleSchema>;

/** The evidence `documents`: the profile and how its documents were chosen. */
export const documentEvidenceSchema = z.strictObject({
  sample: documentSampleSchema,
  profile: documentProfileSchema,
});

export type DocumentEvidence = Plain<typeof documentEvidenceSchema>;
