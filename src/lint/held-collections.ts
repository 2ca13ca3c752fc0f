import pLimit from 'p-limit';
import type { SampledDocuments } from '../profile/sample.js';

/** Collections that are held, for each that is read at the time: whatever they weigh, and if they are light. */
export const FEWEST_HELD_PER_READ = 4;
export const MOST_HELD_PER_READ = 12;
/** From so many bytes on, no more than the fewest are held. */
export const MOST_HELD_BYTES = 16 * 1024 * 1024;
/** Measured on profiles of 40 to 3,000 paths, 300 documents each: 0.6 to 2 KB a path, 20 to 40 bytes a length. */
const BYTES_PER_PATH = 1_000;
const BYTES_PER_LENGTH = 40;

/**
 * Lets collections that were read wait for what all share, such as the oplog, while others are read: the lighter their
 * profiles, the more of them.
 */
export class HeldCollections {
  private readonly limit: ReturnType<typeof pLimit>;
  private held = 0;
  private bytes = 0;

  /** @param concurrency collections that are read at once */
  constructor(private readonly concurrency: number) {
    this.limit = pLimit(FEWEST_HELD_PER_READ * concurrency);
  }

  /** Collects from a collection as soon as there is room. */
  collect<Result>(collect: () => Promise<Result>): Promise<Result> {
    return this.limit(collect);
  }

  /** Counts what was sampled until what is waited for is there. */
  async whileHeld<Result>(sampled: SampledDocuments | null, waitedFor: Promise<Result>): Promise<Result> {
    const bytes = sampled === null ? 0 : bytesOf(sampled);
    this.weigh(1, bytes);
    try {
      return await waitedFor;
    } finally {
      this.weigh(-1, -bytes);
    }
  }

  private weigh(collections: number, bytes: number): void {
    this.held += collections;
    this.bytes += bytes;
    const { concurrency } = this;
    const fewest = FEWEST_HELD_PER_READ * concurrency;
    const light = Math.min(MOST_HELD_PER_READ * concurrency, this.held + concurrency);
    const atOnce = this.bytes < MOST_HELD_BYTES ? Math.max(fewest, light) : fewest;
    if (this.limit.concurrency !== atOnce) this.limit.concurrency = atOnce;
  }
}

function bytesOf({ evidence, growth }: SampledDocuments): number {
  let lengths = 0;
  for (const { columns } of growth.lengths.values()) lengths += columns.lengths.length;
  return BYTES_PER_PATH * evidence.profile.paths.length + BYTES_PER_LENGTH * lengths;
}
