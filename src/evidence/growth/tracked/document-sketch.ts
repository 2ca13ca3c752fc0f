import { createHash } from 'node:crypto';
import type { ProfiledGrowth } from '../../../profile/document-profiler.js';

/**
 * Some documents of a collection, by which a later run recognises them, with the lengths of their arrays. Never an `_id`:
 * a salted hash that holds fewer bits than one.
 */
export interface DocumentSketch {
  /** In Base64, one after the other. */
  readonly hashes: string;
  /** The first so many have the smallest hashes of the sample; the others are there because their arrays are long. */
  readonly evenly: number;
  /** In bytes, in the order of the hashes. */
  readonly sizes: readonly number[];
  /** Elements per array of each document at a path; -1 if it has none there. */
  readonly lengths: readonly { readonly path: string; readonly values: readonly number[] }[];
}

/** With 2^40 hashes, two of 1,000 documents share one in one of two million samples. */
const HASH_BYTES = 5;
/** So that of 5 % that grow there are ten; and so many of the longest, which a twentieth and a hundredth are among. */
const EVENLY = 160;
const LONGEST = 40;
const MOST_LENGTHS = 6_000;
const FEWEST_DOCUMENTS = 20;

/** @param salt that of the history file, so that hashes of two files can't be compared */
export function sketchOf({ sample, lengths }: ProfiledGrowth, salt: string): DocumentSketch {
  const documents = [...saltedHashes(sample.idDigests, salt)]
    .map(([hash, index]) => ({ hash, index }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const columns = new Map([...lengths].map(([path, series]) => [path, lengthByIndex(series, sample)]));
  const share = Math.min(1, Math.max(FEWEST_DOCUMENTS, MOST_LENGTHS / (columns.size + 1)) / (EVENLY + LONGEST));
  const evenly = documents.slice(0, Math.round(share * EVENLY));
  const elements = (index: number) => [...columns.values()].reduce((sum, column) => sum + (column.get(index) ?? 0), 0);
  const longest = documents
    .slice(evenly.length)
    .map((document) => ({ ...document, elements: elements(document.index) }))
    .sort((a, b) => b.elements - a.elements)
    .slice(0, Math.round(share * LONGEST));
  const chosen = [...evenly, ...longest];
  return {
    hashes: Buffer.from(chosen.map(({ hash }) => hash).join(''), 'hex').toString('base64'),
    evenly: evenly.length,
    sizes: chosen.map(({ index }) => sample.documentSizes[index] as number),
    lengths: [...columns]
      .map(([path, column]) => ({ path, values: chosen.map(({ index }) => rounded(column.get(index) ?? NONE)) }))
      .filter(({ values }) => values.some((value) => value !== NONE)),
  };
}

export const NONE = -1;

/** The same documents, without some of the last that are there by their hash. */
export function shortened(sketch: DocumentSketch, most: number): DocumentSketch {
  const { hashes, evenly, sizes, lengths } = sketch;
  if (sizes.length <= most) return sketch;
  const byHash = Math.round((evenly / sizes.length) * most);
  const kept = <Item>(items: readonly Item[]) => [
    ...items.slice(0, byHash),
    ...items.slice(evenly, evenly + most - byHash),
  ];
  return {
    hashes: Buffer.from(kept(hashesIn(hashes)).join(''), 'hex').toString('base64'),
    evenly: byHash,
    sizes: kept(sizes),
    lengths: lengths.map(({ path, values }) => ({ path, values: kept(values) })),
  };
}

/** In hexadecimal, in the sketch's order. */
export function hashesIn(hashes: string): string[] {
  const bytes = Buffer.from(hashes, 'base64');
  return Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, index) =>
    bytes.toString('hex', index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}

export function saltedHashes(digests: Float64Array, salt: string): Map<string, number> {
  const hashes = new Map<string, number>();
  for (const [index, digest] of digests.entries()) {
    if (Number.isNaN(digest)) continue;
    hashes.set(
      createHash('sha256')
        .update(`${salt} ${digest}`)
        .digest('hex')
        .slice(0, 2 * HASH_BYTES),
      index,
    );
  }
  return hashes;
}

export function lengthByIndex(
  series: { readonly columns: { readonly documents: Float64Array; readonly lengths: Float64Array } },
  sample: { indexOf(number: number): number },
): Map<number, number> {
  const { documents, lengths } = series.columns;
  return new Map(Array.from(lengths, (length, at) => [sample.indexOf(documents[at] as number), length]));
}

function rounded(length: number): number {
  return Math.round(100 * length) / 100;
}
