import { widerSlice, type Slice } from '../shapes/slices.js';
import { FIGURE_SOURCES, type FigureSource, type Operation, type OperationFigures, type Window } from '../workload.js';
import { AgeBoundTally } from './age-bound-tally.js';
import { ClientTally } from './clients.js';
import type { Execution } from './execution.js';
import { BurstTally, PlanTally, ListTally } from './list-tally.js';
import { addedWaiting, type Waiting } from './waiting.js';

/** Cursors remembered per shape. Beyond that, batches whose beginning was not seen are not counted as executions. */
const MOST_CURSORS = 10_000;

/** Plan summaries kept per shape. A shape has one or a few; a wildcard index can give it one per path. */
const MOST_PLAN_SUMMARIES = 20;
const OTHER_PLANS = 'other';

/** Different numbers of shards kept per shape. */
const MOST_SHARD_COUNTS = 1_000;

/** Figures that are added up over executions. */
const ADDED = [
  'milliseconds',
  'documentsExamined',
  'keysExamined',
  'documentsReturned',
  'documentsWritten',
  'responseBytes',
] as const;

export type AveragedFigure = (typeof ADDED)[number];

type Sum = number | null;

export class FiguresSum {
  #executions = 0;
  readonly #sums = Object.fromEntries(ADDED.map((name) => [name, null])) as Record<AveragedFigure, Sum>;
  #slowest: Sum = null;
  #largestResponse: Sum = null;
  #inMemorySorts = 0;
  #diskUses = 0;
  #slotBased = 0;
  #classic = 0;
  #longestArray = 0;
  #belowLimit = 0;
  #skips = { executions: 0, documents: 0, deepest: 0 };
  readonly #slices = new Map<string, Slice>();
  readonly #lists = new ListTally();
  readonly #ageBounds = new AgeBoundTally();
  #window: Window | null = null;
  readonly #clients = new ClientTally();
  readonly #bursts = new BurstTally();
  #waiting: Waiting | null = null;
  readonly #planSummaries = new Map<string, number>();
  readonly #plans = new PlanTally();
  readonly #shardsContacted = new Map<string, number>();
  readonly #begunCursors = new Set<string>();
  readonly #continuedCursors = new Set<string>();
  readonly #hints = new Map<string, number>();
  readonly #spills = new Map<string, number>();
  #peakMemory: Sum = null;
  #unfinished = { executions: 0, milliseconds: 0, longestMs: 0 };

  add(execution: Execution): void {
    const { cursor, planSummary } = execution;
    this.#window = widened(this.#window, execution.at, execution.at);
    if (execution.isUnfinished) return this.#addUnfinished(execution);
    if (execution.isContinuation) remember(this.#continuedCursors, cursor);
    else {
      this.#executions += 1;
      this.#clients.add(execution.client);
      this.#bursts.add(execution.client.appName, execution.at);
      remember(this.#begunCursors, cursor);
      if (execution.sortedInMemory) this.#inMemorySorts += 1;
      if (execution.usedDisk) this.#diskUses += 1;
      if (execution.hint !== null) count(this.#hints, execution.hint, MOST_PLAN_SUMMARIES);
      if (execution.engine === 'sbe') this.#slotBased += 1;
      if (execution.engine === 'classic') this.#classic += 1;
      if (planSummary !== null) this.#countPlan(planSummary);
      this.#lists.add(execution.lists, execution.shape.truncated === true);
      this.#ageBounds.add(execution.ageBounds);
      if (execution.isBelowLimit) this.#belowLimit += 1;
      if (execution.skipped > 0) this.#countSkip(execution.skipped);
      if (execution.shardsContacted !== null)
        count(this.#shardsContacted, String(execution.shardsContacted), MOST_SHARD_COUNTS);
    }
    if (planSummary !== null) this.#plans.add(this.#nameOf(planSummary), execution);
    this.#waiting = addedWaiting(this.#waiting, execution.waiting);
    for (const name of ADDED) this.#sums[name] = sum(this.#sums[name], execution[name]);
    this.#slowest = larger(this.#slowest, execution.milliseconds);
    this.#largestResponse = larger(this.#largestResponse, execution.responseBytes);
    this.#longestArray = Math.max(this.#longestArray, execution.longestLiteralArray);
    for (const [path, slice] of Object.entries(execution.slices))
      this.#slices.set(path, widerSlice(this.#slices.get(path), slice));
    // A later batch tells the whole of its cursor once more.
    for (const [stage, bytes] of Object.entries(execution.spills))
      this.#spills.set(stage, Math.max(bytes, this.#spills.get(stage) ?? 0));
    this.#peakMemory = larger(this.#peakMemory, execution.peakMemoryBytes);
  }

  figures(): OperationFigures {
    // A slow batch may be recorded although the fast first one was not.
    const clients = this.#clients.clients();
    const busiest = this.#bursts.busiest();
    const lists = this.#lists.lists();
    const plans = this.#plans.plans();
    const ageBounds = this.#ageBounds.bounds();
    const unseenBeginnings = [...this.#continuedCursors].filter((cursor) => !this.#begunCursors.has(cursor)).length;
    const ended = this.#executions + unseenBeginnings;
    const { executions, milliseconds, longestMs } = this.#unfinished;
    const isAnyUnfinished = executions > 0;
    return {
      executions: ended > 0 ? ended : executions,
      ...this.#sums,
      ...(ended === 0 && isAnyUnfinished && { milliseconds }),
      slowestMilliseconds: isAnyUnfinished ? larger(this.#slowest, longestMs) : this.#slowest,
      largestResponseBytes: this.#largestResponse,
      planSummaries: Object.fromEntries(this.#planSummaries),
      ...(plans !== null && { plans }),
      inMemorySorts: this.#inMemorySorts,
      diskUses: this.#diskUses,
      slotBasedExecutions: this.#slotBased,
      classicExecutions: this.#classic,
      longestLiteralArray: this.#longestArray,
      slices: Object.fromEntries(this.#slices),
      ...(Object.keys(lists).length > 0 && { lists }),
      ...(ageBounds !== null && { ageBounds }),
      ...(this.#skips.executions > 0 && { skips: this.#skips }),
      ...(this.#belowLimit > 0 && { belowLimit: this.#belowLimit }),
      ...(this.#shardsContacted.size > 0 && { shardsContacted: Object.fromEntries(this.#shardsContacted) }),
      ...(clients.length > 0 && { clients }),
      ...(busiest !== null && { busiest }),
      ...(this.#waiting !== null && { waiting: this.#waiting }),
      ...(this.#hints.size > 0 && { hints: Object.fromEntries(this.#hints) }),
      ...(this.#spills.size > 0 && { spills: Object.fromEntries(this.#spills) }),
      ...(this.#peakMemory !== null && { peakMemoryBytes: this.#peakMemory }),
      ...(isAnyUnfinished && { unfinished: { executions, longestMs } }),
      window: this.#window,
    };
  }

  /** What it examined is unknown before it ends. */
  #addUnfinished({ milliseconds, planSummary, client }: Execution): void {
    const { executions, milliseconds: all, longestMs } = this.#unfinished;
    const ms = milliseconds ?? 0;
    this.#unfinished = { executions: executions + 1, milliseconds: all + ms, longestMs: Math.max(longestMs, ms) };
    this.#clients.add(client);
    if (planSummary !== null) this.#countPlan(planSummary);
  }

  #countSkip(documents: number): void {
    const { executions, documents: all, deepest } = this.#skips;
    this.#skips = { executions: executions + 1, documents: all + documents, deepest: Math.max(deepest, documents) };
  }

  #nameOf(summary: string): string {
    const isRoom = this.#planSummaries.size < MOST_PLAN_SUMMARIES || this.#planSummaries.has(summary);
    return isRoom ? summary : OTHER_PLANS;
  }

  #countPlan(summary: string): void {
    count(this.#planSummaries, this.#nameOf(summary));
  }
}

export function bestFigures(operation: Operation): { source: FigureSource; figures: OperationFigures } {
  const best = mostSeen(operation);
  if (best === null) throw new Error('An operation has figures of at least one source.');
  return best;
}

/** By the most executions; of several, the first source. */
function mostSeen(
  operation: Operation,
  counts: (figures: OperationFigures) => boolean = () => true,
): { source: FigureSource; figures: OperationFigures } | null {
  const seen = FIGURE_SOURCES.flatMap((source) => {
    const figures = operation.figures[source];
    return figures !== undefined && counts(figures) ? [{ source, figures }] : [];
  });
  const [best = null] = seen.toSorted((one, other) => other.figures.executions - one.figures.executions);
  return best;
}

/** A figure per execution, from the source with the most executions among those that report it; null if none does. */
export function averageOf(
  operation: Operation,
  figure: AveragedFigure,
): { value: number; source: FigureSource } | null {
  const best = mostSeen(operation, (figures) => figures[figure] !== null && figures.executions > 0);
  return best && { value: (best.figures[figure] ?? 0) / best.figures.executions, source: best.source };
}

export function widened(window: Window | null, from: number, to: number): Window {
  return window === null ? { from, to } : { from: Math.min(window.from, from), to: Math.max(window.to, to) };
}

/** @param most different ones that are counted */
function count(counts: Map<string, number>, name: string, most = Infinity): void {
  const known = counts.get(name);
  if (known !== undefined || counts.size < most) counts.set(name, (known ?? 0) + 1);
}

function remember(cursors: Set<string>, cursor: string | null): void {
  if (cursor !== null && cursors.size < MOST_CURSORS) cursors.add(cursor);
}

function sum(one: Sum, other: Sum): Sum {
  return one === null ? other : other === null ? one : one + other;
}

function larger(one: Sum, other: Sum): Sum {
  return one === null ? other : other === null ? one : Math.max(one, other);
}
