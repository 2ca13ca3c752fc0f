import type { Execution, NoExecution } from './execution.js';
import { FiguresSum, widened } from './figures.js';
import type { Coverage, OperationFigures, OperationShape, SourcePart, SourcePlace, Window } from '../workload.js';

/** Shapes kept per source. An application has hundreds; one that writes values into field names has no end of them. */
export const MOST_SHAPES = 10_000;

/** The operations of one shape, as one source tells of them. */
export interface TalliedOperation {
  readonly shape: OperationShape;
  readonly key: string;
  readonly figures: OperationFigures;
}

/** Adds up what one source tells, by shape, in bounded memory. */
export class OperationTally {
  /** Executions whose shape found no room. */
  crowdedOut = 0;
  readonly #byKey = new Map<string, { shape: OperationShape; sum: FiguresSum }>();

  add(execution: Execution): void {
    const known = this.#byKey.get(execution.key);
    if (known !== undefined) known.sum.add(execution);
    else if (this.#byKey.size >= MOST_SHAPES) this.crowdedOut += 1;
    else {
      const sum = new FiguresSum();
      sum.add(execution);
      this.#byKey.set(execution.key, { shape: execution.shape, sum });
    }
  }

  operations(): TalliedOperation[] {
    return [...this.#byKey].map(([key, { shape, sum }]) => ({ shape, key, figures: sum.figures() }));
  }
}

/** Counts what became of the entries of one part of a source. */
export class EntryCounts {
  entries = 0;
  ignored = 0;
  unreadable = 0;
  /** True where a bound left entries out. */
  bounded = false;
  #window: Window | null = null;

  /** Notes that the source was looked at for this time, whether anything in it counted or not. */
  covers(at: number): void {
    if (Number.isFinite(at)) this.#window = widened(this.#window, at, at);
  }

  part(place: SourcePlace, coverage: Coverage): SourcePart {
    const { entries, ignored, unreadable, bounded } = this;
    return { ...place, coverage, window: this.#window, entries, ignored, unreadable, bounded };
  }
}

/** Counts the entries of one part, and adds those that are executions to the tally of their source. */
export class PartTally extends EntryCounts {
  constructor(private readonly tally: OperationTally) {
    super();
  }

  add(read: Execution | NoExecution): void {
    if (read === 'ignored') this.ignored += 1;
    else if (read === 'unreadable') this.unreadable += 1;
    else {
      this.entries += 1;
      this.tally.add(read);
    }
  }
}
