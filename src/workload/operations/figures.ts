import { FIGURE_SOURCES, type FigureSource, type Operation, type OperationFigures } from '../workload.js';
import type { Accumulator } from './accumulator.js';
import type { Execution } from './execution.js';
import type { FigureRow } from './figure-row.js';
import { type AveragedFigure, type FigureName, FIGURES } from './operation-figures.js';

const ROWS = Object.entries(FIGURES) as [FigureName, FigureRow][];

/** Figures by their rows; what is undefined is absent. */
export function figuresBy(figureOf: (row: FigureRow, name: FigureName) => unknown): OperationFigures {
  const figures = ROWS.map(([name, row]) => [name, figureOf(row, name)] as const);
  return Object.fromEntries(figures.filter(([, figure]) => figure !== undefined)) as OperationFigures;
}

/** The figures of the executions of one shape. */
export class FiguresSum {
  readonly #accumulators = new Map<FigureName, Accumulator<unknown, unknown>>();

  add(execution: Execution): void {
    for (const name of Object.keys(execution.recorded) as FigureName[]) {
      let accumulator = this.#accumulators.get(name);
      if (accumulator === undefined) {
        accumulator = (FIGURES[name] as FigureRow).accumulator();
        this.#accumulators.set(name, accumulator);
      }
      accumulator.add(execution.recorded[name], execution);
    }
  }

  figures(): OperationFigures {
    return figuresBy((row, name) => this.#accumulators.get(name)?.figure() ?? row.empty);
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
