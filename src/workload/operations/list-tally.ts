import { z } from 'zod';
import type { Plain } from '../../plain.js';
import type { ValueLists } from '../shapes/value-lists.js';
import type { Accumulator, Batch } from './accumulator.js';
import type { Client } from './clients.js';

/** Executions of one application that began within ten seconds: the most that were recorded. */
export const burstSchema = z.strictObject({
  /** Null if the application does not name itself. */
  appName: z.string().nullable(),
  executions: z.number(),
});

export type Burst = Plain<typeof burstSchema>;

/** In ms. Loops of an application last for seconds, and a slow network makes hundreds of round trips a second. */
export const BURST_MS = 10_000;

/** Fewer are not worth a figure, not even those of a loop in a test. */
const LEAST_EXECUTIONS = 20;

/** Applications watched per shape. */
const MOST_APPLICATIONS = 20;

/** In ms: two of them in a row are ten seconds, so that a burst of five is whole wherever it begins. */
const SPAN_MS = BURST_MS / 2;

/** Spans kept per application: entries come in the order of time, or nearly so. */
const MOST_SPANS = 4;

export class BurstTally implements Accumulator<Client, Burst> {
  readonly #spans = new Map<string | null, Map<number, number>>();
  #busiest: Burst = { appName: null, executions: 0 };

  add({ appName }: Client, { at }: Batch): void {
    const spans = this.#spans.get(appName) ?? new Map<number, number>();
    if (spans.size === 0) {
      if (this.#spans.size >= MOST_APPLICATIONS) return;
      this.#spans.set(appName, spans);
    }
    const span = Math.floor(at / SPAN_MS);
    const inSpan = (spans.get(span) ?? 0) + 1;
    spans.set(span, inSpan);
    const executions = inSpan + Math.max(spans.get(span - 1) ?? 0, spans.get(span + 1) ?? 0);
    if (spans.size > MOST_SPANS) spans.delete(spans.keys().next().value ?? span);
    if (executions > this.#busiest.executions) this.#busiest = { appName, executions };
  }

  /** Undefined if there were too few for a figure. */
  figure(): Burst | undefined {
    return this.#busiest.executions < LEAST_EXECUTIONS ? undefined : this.#busiest;
  }
}

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

/** The lists of an execution, and whether its command was recorded in part. */
export interface RecordedLists {
  readonly lists: ValueLists;
  readonly isCut: boolean;
}

export class ListTally implements Accumulator<RecordedLists, Readonly<Record<string, ListLengths>>> {
  readonly #byPath = new Map<string, Tally>();

  add({ lists, isCut }: RecordedLists): void {
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
  figure(): Readonly<Record<string, ListLengths>> | undefined {
    const long = [...this.#byPath].filter(([, { longest }]) => longest > LEAST_VALUES);
    if (long.length === 0) return undefined;
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
