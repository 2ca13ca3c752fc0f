import { z } from 'zod';
import { CONFIDENCES } from '../finding/severity.js';
import { GROWTH_SOURCES, OPLOG_REASONS } from '../growth/growth.js';
import type { CollectionKind } from '../inventory/collection.js';
import { SKIP_REASONS } from '../presence.js';
import { SAMPLE_ENDS } from '../profile/document-profile.js';
import { SAMPLE_METHODS } from '../profile/sampling/sample-plan.js';
import { count, growing } from './published-schema.js';

const COLLECTION_KINDS = ['collection', 'view', 'timeseries'] as const satisfies readonly CollectionKind[];

const GROWTH_UNITS = ['elements', 'bytes'] as const;

const bytes = () => z.number().nonnegative();

const daysRangeSchema = z.tuple([z.number(), z.number()]);

const growthSchema = z.strictObject({
  path: z.string().nullable().describe('The array; null for documents as a whole.'),
  unit: growing(GROWTH_UNITS, 'What it grows by: elements of an array, or bytes of a document.'),
  perDay: z
    .number()
    .describe(
      'Rate of a typical array or document per day. From the oplog, of those arrays only that are appended to.',
    ),
  sources: z
    .array(growing(GROWTH_SOURCES, 'A source that shows it.'))
    .describe('The sources that show it, first the one whose rate this is.'),
  confidence: z.enum(CONFIDENCES).describe('How sure it is.'),
  windowDays: z.number().describe('Days over which it was measured.'),
  perDayRange: daysRangeSchema.optional().describe('The same rate, in 90 of 100 cases between these two.'),
  typicalNow: z.number().optional().describe('Length or size of a typical one now.'),
  largestNow: z.number().optional().describe('Length or size of the largest one now.'),
  largestPerDay: z.number().optional().describe('Rate of the largest one per day.'),
  daysUntil: z
    .array(
      z.strictObject({
        limit: z.number().describe('Elements or bytes.'),
        unit: growing(GROWTH_UNITS, 'The unit of the limit.'),
        typical: daysRangeSchema.nullable().describe('For a typical one; null if there is no honest forecast.'),
        largest: daysRangeSchema.nullable().describe('For the largest one; null if there is no honest forecast.'),
      }),
    )
    .optional()
    .describe('Days from now between which each limit is reached, in 90 of 100 cases or more.'),
});

const growthUnseenSchema = z.strictObject({
  source: growing(GROWTH_SOURCES, 'The source.'),
  reason: growing(SKIP_REASONS, 'Why it says nothing.'),
  detail: z.string().describe('The same as a sentence.'),
});

/** With what only older reports hold. */
const ARRAY_SHAPES = [...OPLOG_REASONS, 'rolls-over'] as const;

const writtenArraySchema = z.strictObject({
  path: z.string().describe('The array.'),
  writes: count().describe('Writes to it that were read.'),
  share: z.number().describe('Share of the time covered by the oplog, or of its entries, that was read.'),
  shape: growing(ARRAY_SHAPES, 'What the writes make of it, in a word.'),
  detail: z.string().describe('The same as a sentence.'),
});

/** A collection as the report lists it. */
export const reportedCollectionSchema = z.strictObject({
  namespace: z.string().describe('database.collection'),
  kind: growing(COLLECTION_KINDS, 'What the namespace holds.'),
  encrypted: z
    .literal(true)
    .optional()
    .describe(
      'Present of Queryable Encryption: the server leaves operations of encrypting clients out of its records.',
    ),
  documents: count().nullable().describe('Documents according to the metadata; null if not known.'),
  averageDocumentSize: bytes().nullable().describe('Bytes of BSON per document; null if not known.'),
  size: count().nullable().describe('Uncompressed BSON bytes of all documents; null if not known.'),
  storageSize: count().nullable().describe('Bytes on disk, compressed, without indexes; null if not known.'),
  indexes: count().nullable().describe('Indexes, the one on _id included; null if not known.'),
  indexBytes: count().optional().describe('Bytes of all indexes on disk; absent if not known.'),
  sampled: z
    .strictObject({
      documents: count().describe('Documents that were read; fewer than asked for where a bound was reached.'),
      bytes: count().describe('BSON bytes of the sampled documents.'),
      method: growing(
        SAMPLE_METHODS,
        'How the documents were chosen: all of them, at random by one of three ways, or the first ones.',
      ),
      complete: z.boolean().describe('True if every document was read.'),
      boundedBy: z
        .enum(SAMPLE_ENDS)
        .meta({ examples: [...SAMPLE_ENDS] })
        .nullable()
        .describe(
          'What kept the sample smaller than asked for: a bound, or what ended the reading; null if nothing did.',
        ),
    })
    .nullable()
    .describe('The sample; null if no document was read: `notSampled` says why.'),
  notSampled: z.string().nullable().describe('Why no document was read; null if some were.'),
  growth: z
    .array(growthSchema)
    .optional()
    .describe('What was measured to grow, whether it is a finding or not; absent if growth was not measured.'),
  writtenArrays: z
    .array(writtenArraySchema)
    .optional()
    .describe('Arrays that writes in the oplog concern, and whether these make them grow; absent if there are none.'),
  growthUnseen: z
    .array(growthUnseenSchema)
    .optional()
    .describe('Sources that could not show growth here; absent if each of them could, or growth was not measured.'),
});

export type ReportedCollection = z.infer<typeof reportedCollectionSchema>;
