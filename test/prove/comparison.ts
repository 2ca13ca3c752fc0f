/** A shape before and after the remedies: whether it got worse, and whether what was estimated came true. */
import type { ReplayedShape } from './replay.js';

export interface ComparedShape {
  readonly id: string;
  /** What it asks, without values. */
  readonly text: string;
  readonly namespace: string;
  /** The checks whose findings name it. */
  readonly namedBy: readonly string[];
  readonly before: ReplayedShape;
  readonly after: ReplayedShape;
  /** Documents that an execution examines with the index, as a finding estimates; null if none does. */
  readonly estimated: number | null;
}

/**
 * What a replay may examine more by itself: a trial of plans that ends elsewhere. Label before the first run: a tenth, and
 * two documents or keys an execution.
 */
const NOISE_SHARE = 0.1;
const NOISE_PER_EXECUTION = 2;
/** An estimate holds if it is off by this factor at most; below one document an execution, all is one. */
const FACTOR = 2;

/** By documents examined, and by documents and keys together: a key is read in place of a document. */
export function isWorse({ before, after }: Pick<ComparedShape, 'before' | 'after'>): boolean {
  return (
    isBeyondNoise(before.documentsExamined, after.documentsExamined) || isBeyondNoise(examined(before), examined(after))
  );
}

export function isEstimateMet({ estimated, after }: Pick<ComparedShape, 'estimated' | 'after'>): boolean | null {
  if (estimated === null) return null;
  const [one, other] = [Math.max(1, estimated), Math.max(1, after.documentsExamined)];
  return Math.max(one, other) <= FACTOR * Math.min(one, other);
}

/** Documents and keys. */
export function examined({ documentsExamined, keysExamined }: ReplayedShape): number {
  return documentsExamined + keysExamined;
}

function isBeyondNoise(before: number, after: number): boolean {
  return after > before * (1 + NOISE_SHARE) + NOISE_PER_EXECUTION;
}
