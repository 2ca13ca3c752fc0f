import { z } from 'zod';
import type { Plain } from '../plain.js';
import { typeCountsSchema, type DocumentEvidence, type PathProfile, type ValueFacts } from './document-profile.js';
import { TEXT_FORMATS, type TextFormat } from './text-formats.js';
import { valueSpreadSchema } from './value-tally.js';

/** Values of a sample below which their spread is not known. */
export const LEAST_COMPARED = 100;

export const fieldTypeSchema = z.strictObject({
  /** As in the profile: dotted, `[]` for elements of arrays, `*` for names that are data. */
  path: z.string(),
  types: typeCountsSchema,
  documents: z.number(),
  /** On average; null if no arrays were seen here. */
  elementsPerArray: z.number().nullable(),
  /** Elements of the shortest; null if no arrays were seen here. Absent if the evidence is of an older version. */
  shortestArray: z.number().nullable().exactOptional(),
  /** In bytes of UTF-8; null if no strings were seen here. */
  longestString: z.number().nullable(),
  /** In the same bytes. Absent if the evidence is of an older version. */
  averageString: z.number().nullable().exactOptional(),
  /** What all of its texts but one in a hundred stand for; null if nothing, or several. Absent if the evidence is of an older version. */
  textFormat: z.enum(TEXT_FORMATS).nullable().exactOptional(),
  /** The share of the bytes of all documents, 0 to 1. */
  shareOfBytes: z.number().exactOptional(),
  /** Null if no values were seen here. Absent if the evidence is of an older version. */
  spread: valueSpreadSchema.nullable().exactOptional(),
  /** The deciles of its dates, and of the ObjectIds in `_id`, as the profile has them; null below a hundred. Absent in evidence of older versions. */
  deciles: z.array(z.number()).nullable().exactOptional(),
});

export type FieldType = Plain<typeof fieldTypeSchema>;

/** What checks of several collections need of the profile: small enough to be kept for every collection of the run. */
export const fieldTypesSchema = z.strictObject({
  documents: z.number(),
  /** True if every document of the collection was read. */
  complete: z.boolean(),
  fields: z.array(fieldTypeSchema),
});

export type FieldTypes = Plain<typeof fieldTypesSchema>;

export function fieldTypesOf({ profile, sample }: DocumentEvidence): FieldTypes {
  return {
    documents: profile.documents,
    complete: sample.complete && profile.malformed.documents === 0,
    fields: profile.paths.map(fieldType),
  };
}

function fieldType({ path, types, documents, array, values, shareOfBytes }: PathProfile): FieldType {
  const strings = values?.strings;
  return {
    path,
    types,
    documents,
    elementsPerArray: array?.lengths.mean ?? null,
    shortestArray: array?.lengths.min ?? null,
    longestString: strings?.max ?? null,
    averageString: strings === undefined ? null : strings.sum / strings.count,
    textFormat: textFormatOf(strings),
    shareOfBytes,
    spread: values?.spread ?? null,
    deciles: (path === '_id' ? values?.objectIds : values?.dates)?.deciles ?? null,
  };
}

/** Share of the texts that "all" means: some are empty, or say that there is none. */
const NEARLY_ALL = 0.99;

function textFormatOf(strings: ValueFacts['strings']): TextFormat | null {
  const { count = 0, formats = {} } = strings ?? {};
  return TEXT_FORMATS.find((format) => (formats[format] ?? 0) >= NEARLY_ALL * Math.max(1, count)) ?? null;
}
