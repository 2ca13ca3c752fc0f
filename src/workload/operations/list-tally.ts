import { z } from 'zod';
import type { Plain } from '../../plain.js';
import type { ValueLists } from '../shapes/value-lists.js';

/** How many values executions gave to `$in` of one path. */
export const listLengthsSchema = z.strictObject({
  /** Executions with such a list. */
  executions: z.number(),
  /** All of them together. */
  values: z.number(),
  /** To three digits. */
  median: z.number(),
  longest: z.number(),
  /** Executions whose list was recorded in part, so that their figures are lower bounds; absent if none was. */
  cut: z.number().exactOptional(),
});

export type ListLengths = Plain<typeof listLengthsSchema>;

/** Shorter lists are what the manual recommends: "tens of values" (MongoDB manual, "$in"). */
const LEAST_VALUES = 100;

/** Lengths are counted to so many digits, so that there are a few thousand at most. */
const DIGITS = 3;

interface Tally {
  executions: number;
  values: number;
  longest: number;
  cut: number;
  readonly byLength: Map<number, number>;
}

export class ListTally {
  readonly #byPath = new Map<string, Tally>();

  /** @param isCut whether the command was recorded in part */
  add(lists: ValueLists, isCut: boolean): void {
    for (const path of Object.keys(lists)) {
      const values = lists[path] ?? 0;
      const tally = this.#byPath.get(path) ?? { executions: 0, values: 0, longest: 0, cut: 0, byLength: new Map() };
      tally.executions += 1;
      tally.values += values;
      tally.longest = Math.max(tally.longest, values);
      if (isCut) tally.cut += 1;
      const length = roundedDown(values);
      tally.byLength.set(length, (tally.byLength.get(length) ?? 0) + 1);
      this.#byPath.set(path, tally);
    }
  }

  /** Without those that are never long. */
  lists(): Readonly<Record<string, ListLengths>> {
    const long = [...this.#byPath].filter(([, { longest }]) => longest > LEAST_VALUES);
    return Object.fromEntries(
      long.map(([path, { executions, values, longest, cut, byLength }]) => [
        path,
        { executions, values, median: medianOf(byLength, executions), longest, ...(cut > 0 && { cut }) },
      ]),
    );
  }
}

function roundedDown(values: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, values))) + 1 - DIGITS);
  return Math.floor(values / unit) * unit;
}

/** The lower of the two in the middle. */
function medianOf(byLength: ReadonlyMap<number, number>, executions: number): number {
  let passed = 0;
  for (const [length, count] of [...byLength].toSorted(([one], [other]) => one - other)) {
    passed += count;
    if (2 * passed >= executions) return length;
  }
  return 0;
}
