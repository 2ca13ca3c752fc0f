import { BSON, type Document } from 'mongodb';
import { batchesOf, type RawCursor } from '../../connect/raw-cursor.js';

/** Regular expressions stay as they are: JavaScript would throw on some of the server's. */
const DECODING: BSON.DeserializeOptions = { bsonRegExp: true, validation: { utf8: false } };

type ReadingEnd = 'complete' | 'bytes' | { readonly error: unknown };

/**
 * Decodes documents as they arrive, holding one batch at most, up to a number of bytes. Malformed BSON is given as
 * null. An error is returned, not thrown, since what was read before it counts.
 */
export async function readDocuments(
  cursor: RawCursor,
  mostBytes: number,
  take: (document: Document | null) => void,
): Promise<ReadingEnd> {
  let bytes = 0;
  try {
    for await (const batch of batchesOf(cursor)) {
      for (const raw of batch) {
        bytes += raw.length;
        take(decoded(raw));
      }
      if (bytes >= mostBytes) return 'bytes';
    }
    return 'complete';
  } catch (error) {
    return { error };
  }
}

/**
 * The valid ones of the documents, up to a number of bytes.
 *
 * @throws the server's or driver's error
 */
export async function validDocuments(
  cursor: RawCursor,
  mostBytes: number,
): Promise<{ readonly documents: Document[]; readonly isCutOff: boolean }> {
  const documents: Document[] = [];
  const end = await readDocuments(cursor, mostBytes, (document) => {
    if (document !== null) documents.push(document);
  });
  if (typeof end === 'object') throw end.error;
  return { documents, isCutOff: end === 'bytes' };
}

function decoded(raw: Uint8Array): Document | null {
  try {
    return BSON.deserialize(raw, DECODING);
  } catch (error) {
    if (error instanceof BSON.BSONError || error instanceof RangeError) return null;
    throw error;
  }
}
