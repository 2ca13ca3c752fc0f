import { z } from 'zod';
import type { Plain } from '../../plain.js';

/** How far back an execution reaches by one path: a value is made relative at once, and not kept. */
export interface AgeBound {
  /** The age of its oldest bound when it ran, in ms; 0 if that is in the future. */
  readonly ageMs?: number;
  /** Without any condition: the most that it reads from the newest end, those that it skips with them. */
  readonly newest?: number;
}

/** How far back executions reach by one path. */
export const ageBoundSchema = z.strictObject({
  /** Executions with a bound by this path. */
  executions: z.number(),
  /** The age of the oldest bound when it was used, in ms; absent if none of them had one. */
  oldestMs: z.number().exactOptional(),
  /** The most that one without a condition reads from the newest end; absent if all have one. */
  newest: z.number().exactOptional(),
});

type Tally = Plain<typeof ageBoundSchema>;

/** Paths kept per shape: a filter has few dates and ids. */
const MOST_PATHS = 20;

export class AgeBoundTally {
  readonly #byPath = new Map<string, Tally>();

  add(bounds: Readonly<Record<string, AgeBound>>): void {
    for (const [path, { ageMs, newest }] of Object.entries(bounds)) {
      const known = this.#byPath.get(path);
      if (known === undefined && this.#byPath.size >= MOST_PATHS) continue;
      const { executions = 0, oldestMs, newest: most } = known ?? {};
      this.#byPath.set(path, {
        executions: executions + 1,
        ...larger('oldestMs', oldestMs, ageMs),
        ...larger('newest', most, newest),
      });
    }
  }

  /** Null if no execution had any. */
  bounds(): Readonly<Record<string, Tally>> | null {
    return this.#byPath.size === 0 ? null : Object.fromEntries(this.#byPath);
  }
}

function larger(name: 'oldestMs' | 'newest', one: number | undefined, other: number | undefined): Partial<Tally> {
  const known = [one, other].filter((each) => each !== undefined);
  return known.length === 0 ? {} : { [name]: Math.max(...known) };
}
