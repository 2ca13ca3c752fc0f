import type { JudgedSize } from '../judged-size.js';

/** Bytes on disk of an index entry on one number, with prefix compression (measured on 6.0.5: 9 to 12). */
const BYTES_PER_ENTRY = 10;

/** A file has 4 KB at least, so entries are counted instead if a size is expected. */
export function indexBytesAt(bytes: number, size: JudgedSize | null): number {
  return size === null || size.from === null ? bytes : BYTES_PER_ENTRY * size.documents;
}

/** From which size an index that serves nothing is a warning. */
export const IDLE_INDEX_WARNING = {
  default: 25 * 1024 * 1024,
  unit: 'bytes',
  description: 'bytes of the index from which a warning is given instead of an info',
  source:
    'judgement: about a tenth of 256 MB, the smallest cache that a server gives itself (MongoDB manual, "WiredTiger Storage Engine")',
} as const;
