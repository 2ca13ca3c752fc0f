import type { ProfiledGrowth } from '../../../profile/document-profiler.js';
import { hashesIn, lengthByIndex, NONE, saltedHashes, type DocumentSketch } from './document-sketch.js';

/** The documents of the present run, among which those of earlier runs are recognised. */
export interface TrackedSample {
  readonly places: ReadonlyMap<string, number>;
  readonly sizes: ArrayLike<number>;
  /** Whether a document with this hash would be among them. If not, it need not be gone. */
  mayHold(hash: string): boolean;
  /** Whether it is there for a reason that does not hang on what it gained. @param isEven whether it stood for others then */
  isComparable(place: number, isEven: boolean): boolean;
  lengthsAt(path: string): ReadonlyMap<number, number>;
}

export function sampledDocuments({ sample, lengths }: ProfiledGrowth, salt: string): TrackedSample {
  return {
    places: saltedHashes(sample.idDigests, salt),
    sizes: sample.documentSizes,
    mayHold: () => true,
    isComparable: () => true,
    lengthsAt(path) {
      const series = lengths.get(path);
      return series === undefined ? new Map() : lengthByIndex(series, sample);
    },
  };
}

/** As a run kept them: all with the smallest hashes, and the longest. @param isWhole whether these are all of the sample */
export function sketchedDocuments({ hashes, evenly, sizes, lengths }: DocumentSketch, isWhole: boolean): TrackedSample {
  const known = hashesIn(hashes);
  const greatest = known[evenly - 1] ?? '';
  return {
    places: new Map(known.map((hash, place) => [hash, place])),
    sizes,
    mayHold: (hash) => isWhole || hash <= greatest,
    isComparable: (place, isEven) => isWhole || place < evenly || !isEven,
    lengthsAt(path) {
      const values = lengths.find((one) => one.path === path)?.values ?? [];
      return new Map([...values.entries()].filter(([, value]) => value !== NONE));
    },
  };
}
