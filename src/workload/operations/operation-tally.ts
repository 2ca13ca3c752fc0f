import { isIsoTime } from '../../time-units.js';
import { widened, type Window } from '../window.js';
import type { Coverage, OperationFigures, OperationShape, SourcePart, SourcePlace, Operation } from '../workload.js';
import { isExecution, type Execution, type NoExecution } from './execution.js';
import { FiguresSum } from './figures.js';

/** Shapes kept per source. An application has hundreds, but without end if it writes values into field names. */
export const MOST_SHAPES = 10_000;

/** Unknown kinds of entries named per source. The server has some 300 commands. */
const MOST_UNKNOWN_KINDS = 100;

/** Lines kept per shape. Beyond three, reports only count them. */
const MOST_LINES = 100;

export interface TalliedOperation extends Pick<Operation, 'sentFrom'> {
  readonly shape: OperationShape;
  readonly key: string;
  readonly figures: OperationFigures;
}

export class OperationTally {
  crowdedOut = 0;
  readonly #byKey = new Map<string, { shape: OperationShape; sum: FiguresSum; lines: Set<string | null> }>();

  add(execution: Execution): void {
    const known = this.#byKey.get(execution.key);
    if (known === undefined && this.#byKey.size >= MOST_SHAPES) {
      this.crowdedOut += 1;
      return;
    }
    const tallied = known ?? { shape: execution.shape, sum: new FiguresSum(), lines: new Set() };
    if (known === undefined) this.#byKey.set(execution.key, tallied);
    tallied.sum.add(execution);
    const { sentFrom } = execution;
    if (sentFrom !== undefined && (sentFrom === null || tallied.lines.size < MOST_LINES)) tallied.lines.add(sentFrom);
  }

  operations(): TalliedOperation[] {
    return [...this.#byKey].map(([key, { shape, sum, lines }]) => ({
      shape,
      key,
      figures: sum.figures(),
      ...(lines.size > 0 && { sentFrom: [...lines] }),
    }));
  }
}

export class EntryCounts {
  entries = 0;
  ignored = 0;
  unreadable = 0;
  bounded = false;
  readonly #notUnderstood = new Map<string, number>();
  #window: Window | null = null;

  /** All that the source gave, whatever it was. */
  get read(): number {
    const { entries, ignored, unreadable } = this;
    return [...this.#notUnderstood.values()].reduce((sum, count) => sum + count, entries + ignored + unreadable);
  }

  /** Notes that the source covers this time, whether its entry counts or not. */
  covers(at: number): void {
    if (isIsoTime(at)) this.#window = widened(this.#window, at, at);
  }

  /** True if nothing was read that shows that the source records at all. */
  get isEmpty(): boolean {
    return this.read === this.unreadable;
  }

  leaveOut(read: NoExecution): void {
    if (read === 'ignored') this.ignored += 1;
    else if (read === 'unreadable') this.unreadable += 1;
    else this.#addNotUnderstood(read.notUnderstood);
  }

  #addNotUnderstood(kind: string): void {
    const isRoom = this.#notUnderstood.size < MOST_UNKNOWN_KINDS || this.#notUnderstood.has(kind);
    const name = isRoom ? kind : 'others';
    this.#notUnderstood.set(name, (this.#notUnderstood.get(name) ?? 0) + 1);
  }

  part(place: SourcePlace, coverage: Coverage): SourcePart {
    const { entries, ignored, unreadable, bounded } = this;
    return {
      ...place,
      coverage,
      window: this.#window,
      entries,
      ignored,
      unreadable,
      ...(this.#notUnderstood.size > 0 && { notUnderstood: Object.fromEntries(this.#notUnderstood) }),
      bounded,
    };
  }
}

export class PartTally extends EntryCounts {
  #fastest = Infinity;

  /** @param since entries from before are ignored, in ms since 1970; null for none */
  constructor(
    private readonly tally: OperationTally,
    private readonly since: number | null = null,
  ) {
    super();
  }

  override covers(at: number): void {
    if (this.since === null || at >= this.since) super.covers(at);
  }

  add(read: Execution | NoExecution): void {
    if (!isExecution(read)) this.leaveOut(read);
    else if (this.since !== null && read.at < this.since) this.ignored += 1;
    else {
      this.entries += 1;
      this.#fastest = Math.min(this.#fastest, read.recorded.milliseconds ?? Infinity);
      this.tally.add(read);
    }
  }

  /** What is recorded now may not be what was: an entry faster than the threshold is of another setting. */
  override part(place: SourcePlace, coverage: Coverage): SourcePart {
    const { operations, slowMilliseconds } = coverage;
    const isOfOther =
      (operations === 'slow' || operations === 'part') && slowMilliseconds !== null && this.#fastest < slowMilliseconds;
    return super.part(place, isOfOther ? { operations: 'part', slowMilliseconds: null, sampleRate: null } : coverage);
  }
}
