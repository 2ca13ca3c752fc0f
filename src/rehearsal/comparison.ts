import type { Cost } from './explained.js';

/**
 * What an execution may examine more by itself: a trial of plans that ends elsewhere. Judgement: a tenth, and two documents
 * or keys an execution.
 */
const NOISE_SHARE = 0.1;
const NOISE_PER_EXECUTION = 2;

type Examined = Pick<Cost, 'documentsExamined' | 'keysExamined'>;

/** Whether an operation got worse, by documents examined, or by documents and keys: a key is read in place of a document. */
export function isWorse(before: Examined, after: Examined): boolean {
  return (
    isBeyondNoise(before.documentsExamined, after.documentsExamined) || isBeyondNoise(examined(before), examined(after))
  );
}

/** Documents and keys. */
export function examined({ documentsExamined, keysExamined }: Examined): number {
  return documentsExamined + keysExamined;
}

function isBeyondNoise(before: number, after: number): boolean {
  return after > before * (1 + NOISE_SHARE) + NOISE_PER_EXECUTION;
}
