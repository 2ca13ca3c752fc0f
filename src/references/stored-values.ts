import { BSON, type Document } from 'mongodb';
import type { RawCursor } from '../connect/cluster-reader.js';
import { SHORT_READ } from '../connect/deadline.js';

/** Numbers stay as stored, so that large ones keep their digits; and regular expressions, which JavaScript may refuse. */
const DECODING: BSON.DeserializeOptions = { promoteValues: false, bsonRegExp: true, validation: { utf8: false } };

/** For reads of a few short fields: all that they bring in one batch, where the link is fast enough. */
export const IN_ONE_BATCH = { ...SHORT_READ, batchSize: 10_000 } as const;

/** The holder is the document, an embedded one, or an element of an array. */
export interface HeldValue {
  readonly value: unknown;
  readonly holder: Document;
}

/** Document values: they never leave this folder. */
export async function decodedDocuments(cursor: RawCursor): Promise<Document[]> {
  const documents: Document[] = [];
  try {
    while (await cursor.hasNext())
      for (const raw of cursor.readBufferedDocuments()) documents.push(BSON.deserialize(raw, DECODING));
  } finally {
    await cursor.close();
  }
  return documents;
}

/** As a query finds them, in arrays too. The path has no marks for arrays. */
export function heldValues(document: Document, path: string): HeldValue[] {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holders = names.reduce<Document[]>(
    (objects, name) => objects.flatMap((object) => elementsOf(object[name]).filter(isDocument)),
    [document],
  );
  return holders.flatMap((holder) => elementsOf(holder[last]).map((value) => ({ value, holder })));
}

export function projectionOn(paths: Iterable<string>): Document {
  const all = [...new Set(paths)];
  const outermost = all.filter((path) => !all.some((other) => path.startsWith(`${other}.`)));
  return Object.fromEntries(outermost.map((path) => [path, 1]));
}

function elementsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !('_bsontype' in value);
}
