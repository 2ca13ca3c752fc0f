import { BSON, type Document } from 'mongodb';
import type { RawCursor } from '../../connect/cluster-reader.js';

/** Regular expressions stay as they are: the server's know more than JavaScript's, which would throw. */
const DECODING: BSON.DeserializeOptions = { bsonRegExp: true, validation: { utf8: false } };

/** How reading a cursor ended. */
export type ReadingEnd = 'complete' | 'bytes' | { readonly error: unknown };

/**
 * Decodes documents one by one as they arrive, so that no more than a batch is held, and stops past a number of bytes. A
 * document that is no BSON is given as null. What was read before an error counts: it is returned, not thrown.
 */
export async function readDocuments(
  cursor: RawCursor,
  mostBytes: number,
  take: (document: Document | null) => void,
): Promise<ReadingEnd> {
  let bytes = 0;
  try {
    while (await cursor.hasNext()) {
      for (const raw of cursor.readBufferedDocuments()) {
        bytes += raw.length;
        take(decoded(raw));
      }
      if (bytes >= mostBytes) return 'bytes';
    }
    return 'complete';
  } catch (error) {
    return { error };
  } finally {
    await cursor.close();
  }
}

function decoded(raw: Uint8Array): Document | null {
  try {
    return BSON.deserialize(raw, DECODING);
  } catch (error) {
    if (error instanceof BSON.BSONError || error instanceof RangeError) return null;
    throw error;
  }
}
