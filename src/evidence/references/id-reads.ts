import { BSON, type Document } from 'mongodb';
import type { ClusterReader, RawCursor } from '../../connect/cluster-reader.js';
import type { Collection } from '../../inventory/collection.js';
import { identifierForms, identifierKey, type IdentifierForm } from './identifier-forms.js';

/** Sampled values of a field, each in all its forms. Document values: they never leave this folder. */
export interface FieldValues {
  readonly path: string;
  readonly values: readonly (readonly IdentifierForm[])[];
  readonly isRepeated: boolean;
}

const SAMPLED_DOCUMENTS = 20;
/** `$sample` is cheap where it asks for less than 5 % of the documents, so that it uses the random cursor (measured on 6.0.5). */
const RANDOM_CURSOR_DOCUMENTS = 20 * SAMPLED_DOCUMENTS + 1;
/** Longest time for one of these reads, in ms: each takes one or two. */
const MOST_MS = 2_000;
/** Ids asked for at once: some 100 KB of command. */
const MOST_IDS = 2_000;

/** Numbers stay what they are stored as, so that large ones keep their digits. */
const DECODING: BSON.DeserializeOptions = { promoteValues: false, validation: { utf8: false } };

/**
 * Reads values of some fields from a few documents.
 *
 * @param count documents of the collection
 */
export async function readValues(
  reader: ClusterReader,
  { database, name }: Collection,
  paths: readonly string[],
  count: number,
): Promise<FieldValues[]> {
  const projection = { ...Object.fromEntries(paths.map((path) => [path, 1])), ...(paths.includes('_id') ? {} : { _id: 0 }) };
  const bounds = { maxTimeMS: MOST_MS };
  const cursor =
    count >= RANDOM_CURSOR_DOCUMENTS
      ? reader.aggregateRaw(database, name, [{ $sample: { size: SAMPLED_DOCUMENTS } }, { $project: projection }], bounds)
      : reader.findRaw(database, name, {}, { ...bounds, limit: SAMPLED_DOCUMENTS, projection });
  const documents = await decodedDocuments(cursor);
  return paths.map((path) => fieldValues(path, documents));
}

/** Those of the values that are `_id`s of the collection, by their keys. */
export async function foundIds(
  reader: ClusterReader,
  { database, name }: Collection,
  forms: readonly IdentifierForm[],
): Promise<Set<string>> {
  const values = [...new Map(forms.map(({ key, value }) => [key, value])).values()];
  const found = new Set<string>();
  for (let from = 0; from < values.length; from += MOST_IDS) {
    const filter = { _id: { $in: values.slice(from, from + MOST_IDS) } };
    const cursor = reader.findRaw(database, name, filter, { projection: { _id: 1 }, maxTimeMS: MOST_MS });
    for (const { _id } of await decodedDocuments(cursor)) {
      const key = identifierKey(_id);
      if (key !== null) found.add(key);
    }
  }
  return found;
}

async function decodedDocuments(cursor: RawCursor): Promise<Document[]> {
  const documents: Document[] = [];
  try {
    while (await cursor.hasNext()) for (const raw of cursor.readBufferedDocuments()) documents.push(BSON.deserialize(raw, DECODING));
  } finally {
    await cursor.close();
  }
  return documents;
}

function fieldValues(path: string, documents: readonly Document[]): FieldValues {
  const values = documents.map((document) => identifierForms(valueAt(document, path))).filter((forms) => forms.length > 0);
  const distinct = new Map(values.map((forms) => [forms[0]?.key, forms]));
  return { path, values: [...distinct.values()], isRepeated: distinct.size < values.length };
}

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isDocument(value) ? value[name] : undefined), document);
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !('_bsontype' in value);
}
