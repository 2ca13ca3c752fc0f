import { FIGURE_SOURCES, type FigureSource, type Operation, type OperationFigures } from '../workload.js';

/** A figure of all operations together, by who recorded them. Null of a source that has it of none. */
export function totalsBySource(
  operations: readonly Operation[],
  figureOf: (figures: OperationFigures) => number | null,
): Readonly<Record<FigureSource, number | null>> {
  const totals: Record<FigureSource, number | null> = {
    profiler: null,
    queryStats: null,
    logFile: null,
    recentLog: null,
    routerLog: null,
  };
  for (const { figures } of operations) {
    for (const source of FIGURE_SOURCES) {
      const recorded = figures[source];
      const figure = recorded === undefined ? null : figureOf(recorded);
      if (figure !== null) totals[source] = (totals[source] ?? 0) + figure;
    }
  }
  return totals;
}
