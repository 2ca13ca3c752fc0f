import { createHash } from 'node:crypto';
import { sum } from 'simple-statistics';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import type { KeptGrowth } from './growth.js';
import { HISTORY } from './limits.js';

/**
 * Some documents of a collection by which a later run recognises them, with the lengths of their arrays. Never an `_id`: a
 * salted hash that holds fewer bits than one.
 */
export type DocumentSketch = NonNullable<KeptGrowth['sketch']>;

/** In a sketch, a document without an array at the path. */
export const NONE = -1;

/** @param salt that of the history file, so that hashes of two files can't be compared */
export function sketchOf({ sample, lengths }: ProfiledGrowth, salt: string): DocumentSketch {
  const paths = [...lengths].map(([path, { columns }]) => {
    const places = [...columns.documents].map((number) => sample.indexOf(number));
    return { path, lengths: new Map(places.map((index, at) => [index, columns.lengths[at] as number])) };
  });
  const documents = [...sample.idDigests]
    .flatMap((digest, index) => (Number.isNaN(digest) ? [] : [{ hash: hashOf(digest, salt), index }]))
    .sort((one, other) => (one.hash < other.hash ? -1 : 1));
  const most = HISTORY.sketch.evenly + HISTORY.sketch.longest;
  // Of collections with many arrays, fewer documents.
  const share = Math.min(1, Math.max(HISTORY.sketch.fewest, HISTORY.sketch.lengths / (paths.length + 1)) / most);
  const evenly = documents.slice(0, Math.round(share * HISTORY.sketch.evenly));
  const elements = (index: number) => sum(paths.map((path) => path.lengths.get(index) ?? 0));
  const longest = documents
    .slice(evenly.length)
    .sort((one, other) => elements(other.index) - elements(one.index))
    .slice(0, Math.round(share * HISTORY.sketch.longest));
  const chosen = [...evenly, ...longest];
  return {
    hashes: Buffer.from(chosen.map(({ hash }) => hash).join(''), 'hex').toString('base64'),
    evenly: evenly.length,
    sizes: chosen.map(({ index }) => sample.documentSizes[index] as number),
    lengths: paths
      .map((of) => ({ path: of.path, values: chosen.map(({ index }) => rounded(of.lengths.get(index) ?? NONE)) }))
      .filter(({ values }) => values.some((value) => value !== NONE)),
  };
}

/** In hexadecimal, in the sketch's order. */
export function hashesIn(hashes: string): string[] {
  const bytes = Buffer.from(hashes, 'base64');
  return Array.from({ length: Math.floor(bytes.length / HISTORY.hashBytes) }, (_, index) =>
    bytes.toString('hex', index * HISTORY.hashBytes, (index + 1) * HISTORY.hashBytes),
  );
}

function hashOf(digest: number, salt: string): string {
  return createHash('sha256')
    .update(`${salt} ${digest}`)
    .digest('hex')
    .slice(0, 2 * HISTORY.hashBytes);
}

function rounded(length: number): number {
  return Math.round(100 * length) / 100;
}
