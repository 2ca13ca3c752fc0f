import pLimit from 'p-limit';
import type { Collection } from '../inventory/collection.js';
import type { Absent } from '../presence.js';
import { gapsOf, type Failure } from '../workload/sources/source.js';

export class BoundedReads {
  readonly #limit;
  readonly #failures: Failure[] = [];

  /** @param operation half a sentence before the name of a collection: "looking for references in" */
  constructor(
    concurrency: number,
    private readonly operation: string,
  ) {
    this.#limit = pLimit(concurrency);
  }

  /** For reads whose failure is no gap. */
  limited<T>(read: () => Promise<T>): Promise<T> {
    return this.#limit(read);
  }

  async attempt<T>({ namespace }: Collection, read: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#limit(read);
    } catch (error) {
      this.#failures.push({ place: namespace, error });
      return null;
    }
  }

  gaps(): Absent[] {
    return gapsOf(this.#failures, { operation: this.operation, privilege: 'find on it' });
  }
}
