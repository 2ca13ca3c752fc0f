import { z } from 'zod';
import type { Plain } from '../plain.js';
import { type DocumentEvidence, type PathProfile, typeCountsSchema, type ValueFacts } from './document-profile.js';
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

const NAMES = [
  'path',
  'types',
  'documents',
  'elementsPerArray',
  'shortestArray',
  'longestString',
  'averageString',
  'textFormat',
  'shareOfBytes',
  'spread',
  'deciles',
] as const satisfies readonly (keyof FieldType)[];

/** Collections up to which objects take less time than they take memory. */
const MOST_AS_OBJECTS = 2_500;

/** Collections whose fields are ready: a check asks for the same ones again and again, and joins name a few at a time. */
const MOST_READY = 64;

/** Holds the field types of a run's collections: as JSON if they are thousands, since objects take four times as much memory. */
export class HeldFieldTypes {
  readonly #ready = new Map<string, readonly FieldType[]>();
  readonly #hold: (() => unknown)[] = [];
  #collections = 0;

  /** The same field types, whose fields may be made again if they were not asked for lately. */
  held({ documents, complete, fields }: FieldTypes): FieldTypes {
    // Evidence of an older version lacks some, and stays as it is.
    if (!fields.every((field) => NAMES.every((name) => name in field))) return { documents, complete, fields };
    let known: readonly FieldType[] | string = fields;
    this.#hold.push(() => (known = textOf(known as readonly FieldType[])));
    this.#collections += 1;
    if (this.#collections > MOST_AS_OBJECTS) for (const hold of this.#hold.splice(0)) hold();
    const fieldsOf = () => (typeof known === 'string' ? this.#fieldsIn(known) : known);
    return {
      documents,
      complete,
      get fields() {
        return fieldsOf();
      },
    };
  }

  #fieldsIn(text: string): readonly FieldType[] {
    const ready = this.#ready.get(text);
    if (ready !== undefined) return ready;
    const rows = JSON.parse(text) as readonly (readonly unknown[])[];
    const fields = rows.map(
      (row) => Object.fromEntries(NAMES.map((name, at) => [name, row[at]])) as never as FieldType,
    );
    this.#ready.set(text, fields);
    if (this.#ready.size > MOST_READY) this.#ready.delete(this.#ready.keys().next().value as string);
    return fields;
  }
}

function textOf(fields: readonly FieldType[]): string {
  return JSON.stringify(fields.map((field) => NAMES.map((name) => field[name])));
}
