import { z } from 'zod';
import { type Plain, figureSchema, timeSchema } from '../../plain.js';
import type { ValueLists } from '../shapes/value-lists.js';

/** Executions of one application that began within ten seconds: the most that were recorded. */
export const burstSchema = z.strictObject({
  /** Null if the application does not name itself. */
  appName: z.string().nullable(),
  executions: z.number(),
});

export type Burst = Plain<typeof burstSchema>;

/** In ms. Loops of an application last for seconds, and a slow network makes hundreds of round trips a second. */
export const BURST_MS = 10_000;

/** Fewer are not worth a figure. */
const LEAST_EXECUTIONS = 50;

/** Applications watched per shape. */
const MOST_APPLICATIONS = 20;

/** In ms: two of them in a row are ten seconds, so that a burst of five is whole wherever it begins. */
const SPAN_MS = BURST_MS / 2;

/** Spans kept per application: entries come in the order of time, or nearly so. */
const MOST_SPANS = 4;

export class BurstTally {
  readonly #spans = new Map<string | null, Map<number, number>>();
  #busiest: Burst = { appName: null, executions: 0 };

  add(appName: string | null, at: number): void {
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

  /** Null if there were too few for a figure. */
  busiest(): Burst | null {
    return this.#busiest.executions < LEAST_EXECUTIONS ? null : this.#busiest;
  }
}

/** What executions by one plan cost together. */
export const planFiguresSchema = z.strictObject({
  executions: figureSchema,
  /** Documents and index keys. */
  examined: z.number().nonnegative(),
  /** Documents returned or written. */
  returned: z.number().nonnegative(),
  /** Executions that several plans were tried for. */
  tried: z.number(),
  /** Executions whose cached plan examined far more than when it was chosen, so that all were tried again. */
  replanned: z.number(),
  from: timeSchema,
  to: timeSchema,
});

export type PlanFigures = Plain<typeof planFiguresSchema>;

/** What an entry records of its plan. */
interface Planned {
  readonly at: number;
  readonly isContinuation: boolean;
  readonly documentsExamined: number | null;
  readonly keysExamined: number | null;
  readonly documentsReturned: number | null;
  readonly documentsWritten: number | null;
  readonly triedPlans: boolean;
  readonly replanned: boolean;
}

export class PlanTally {
  readonly #plans = new Map<string, { -readonly [Name in keyof PlanFigures]: PlanFigures[Name] }>();

  /** @param summary of its plan */
  add(summary: string, execution: Planned): void {
    const { at, isContinuation, documentsExamined, keysExamined, documentsReturned, documentsWritten } = execution;
    const none = { executions: 0, examined: 0, returned: 0, tried: 0, replanned: 0, from: at, to: at };
    const plan = this.#plans.get(summary) ?? none;
    this.#plans.set(summary, plan);
    if (!isContinuation) plan.executions += 1;
    plan.examined += (documentsExamined ?? 0) + (keysExamined ?? 0);
    plan.returned += documentsWritten ?? documentsReturned ?? 0;
    plan.tried += Number(execution.triedPlans);
    plan.replanned += Number(execution.replanned);
    plan.from = Math.min(plan.from, at);
    plan.to = Math.max(plan.to, at);
  }

  /** By their summaries; null if all executions had one plan, which was never given up. */
  plans(): Readonly<Record<string, PlanFigures>> | null {
    const isOne = this.#plans.size < 2 && [...this.#plans.values()].every(({ replanned }) => replanned === 0);
    return isOne ? null : Object.fromEntries(this.#plans);
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
