import { z } from 'zod';
import type { Plain } from '../../plain.js';
import { type Accumulator, type Batch, byName, largest, parts, sum } from './accumulator.js';

/** Steps per doubling: what is read from a step is at most 9 % from the figure. */
const STEPS = 4;

const SHARE = 0.9;

/** How a figure is spread over executions. */
export const tailSchema = z.strictObject({
  /** The figure of the execution that has most; exact. */
  worst: z.number().nonnegative(),
  /** Executions by step: 0 below 1, and then from 2 to the power of (step - 1) / 4 on. */
  steps: z.record(z.string(), z.number()),
});

export type Tail = Plain<typeof tailSchema>;

export const addedTails = parts<Tail>({ worst: largest, steps: byName(sum) });

/** The tail of one execution. */
export function tailOf(figure: number): Tail {
  return { worst: figure, steps: { [stepOf(figure)]: 1 } };
}

function stepOf(figure: number): number {
  return figure < 1 ? 0 : 1 + Math.floor(STEPS * Math.log2(figure));
}

/** What nine of ten executions do not exceed, within 9 %. */
export function p90Of(tail: Tail): number {
  const executions = Object.values(tail.steps).reduce((all, each) => all + each, 0);
  return reachedBy(tail, executions - Math.ceil(SHARE * executions) + 1);
}

/** What so many executions reach, within 9 %. */
export function reachedBy({ worst, steps }: Tail, executions: number): number {
  const worstFirst = Object.entries(steps).toSorted(([one], [other]) => Number(other) - Number(one));
  let passed = 0;
  const [step] = worstFirst.find(([, each]) => (passed += each) >= executions) ?? ['0'];
  return step === '0' ? 0 : Math.min(worst, 2 ** ((Number(step) - 0.5) / STEPS));
}

type Totals<Name extends string> = { readonly [Of in Name]?: number };

type Tails<Name extends string> = { readonly [Of in Name]?: Tail };

interface Counted {
  worst: number;
  readonly steps: Map<number, number>;
}

/** Cursors remembered per shape. Beyond that, batches whose beginning was not seen are not counted as executions. */
const MOST_CURSORS = 10_000;

/** Spreads totals over executions; the batches of a cursor are one. Undefined below two executions. */
export class TailTally<Name extends string> implements Accumulator<true, Tails<Name>> {
  readonly #byCursor = new Map<string, Totals<Name>>();
  readonly #tails = new Map<Name, Counted>();
  #executions = 0;

  constructor(private readonly names: readonly Name[]) {}

  add(_: true, { cursor, recorded }: Pick<Batch, 'cursor' | 'recorded'>): void {
    const totals = recorded as Totals<Name>;
    const known = cursor === null ? undefined : this.#byCursor.get(cursor);
    if (cursor === null || (known === undefined && this.#byCursor.size >= MOST_CURSORS)) this.#count(totals);
    else this.#byCursor.set(cursor, this.#added(known, totals));
  }

  figure(): Tails<Name> | undefined {
    for (const totals of this.#byCursor.values()) this.#count(totals);
    this.#byCursor.clear();
    if (this.#executions < 2) return undefined;
    const tails = [...this.#tails].map(([name, { worst, steps }]) => [
      name,
      { worst, steps: Object.fromEntries(steps) },
    ]);
    return Object.fromEntries(tails) as Tails<Name>;
  }

  #added(known: Totals<Name> | undefined, further: Totals<Name>): Totals<Name> {
    const sums = this.names.map((name) => [name, (known?.[name] ?? 0) + (further[name] ?? 0)] as const);
    return Object.fromEntries(sums.filter(([name]) => (known?.[name] ?? further[name]) !== undefined)) as Totals<Name>;
  }

  #count(totals: Totals<Name>): void {
    this.#executions += 1;
    for (const name of this.names) {
      const figure = totals[name];
      if (figure === undefined) continue;
      let tail = this.#tails.get(name);
      if (tail === undefined) this.#tails.set(name, (tail = { worst: 0, steps: new Map<number, number>() }));
      tail.worst = Math.max(tail.worst, figure);
      const step = stepOf(figure);
      tail.steps.set(step, (tail.steps.get(step) ?? 0) + 1);
    }
  }
}

/** Counts executions by their first batches. A slow batch may be recorded although the fast first one was not. */
export class ExecutionTally implements Accumulator<1, number> {
  #begun = 0;
  #unfinished = 0;
  readonly #begunCursors = new Set<string>();
  readonly #continuedCursors = new Set<string>();

  add(_: 1, { cursor, isContinuation, isUnfinished }: Batch): void {
    if (isUnfinished) {
      this.#unfinished += 1;
      return;
    }
    const cursors = isContinuation ? this.#continuedCursors : this.#begunCursors;
    if (!isContinuation) this.#begun += 1;
    if (cursor !== null && cursors.size < MOST_CURSORS) cursors.add(cursor);
  }

  figure(): number {
    const unseenBeginnings = [...this.#continuedCursors].filter((cursor) => !this.#begunCursors.has(cursor)).length;
    const ended = this.#begun + unseenBeginnings;
    return ended > 0 ? ended : this.#unfinished;
  }
}

/** Adds up the time of what ended, or else of what was still running: what it examined is unknown before it ends. */
export class TimeTally implements Accumulator<number, number> {
  #ended: number | undefined;
  #unfinished: number | undefined;

  add(milliseconds: number, { isUnfinished }: Batch): void {
    if (isUnfinished) this.#unfinished = (this.#unfinished ?? 0) + milliseconds;
    else this.#ended = (this.#ended ?? 0) + milliseconds;
  }

  figure(): number | undefined {
    return this.#ended ?? this.#unfinished;
  }
}
