import type { Document } from 'mongodb';
import { documentIn, figureIn, timeIn } from '../../connect/answer.js';
import { type Merge, owned } from '../operations/accumulator.js';
import { figuresBy } from '../operations/figures.js';
import type { Statistics } from '../operations/read-entry.js';
import type { OperationFigures } from '../workload.js';

/** Parts of `metrics` that hold figures in 8.1 and later; before, they were in `metrics` itself. */
const SECTIONS = ['queryExec', 'cursor', 'queryPlanner', 'writes'];

/**
 * Null if the entry does not even say how often the query ran. 6.0 reports times and documents returned; later versions
 * also documents and keys examined, sorts and spills.
 */
export function queryStatsFigures(metrics: unknown, client?: Document, isWrite = false): OperationFigures | null {
  const statistics: Statistics = {
    figure: (name, part) => figureIn(holderOf(metrics, name), part === undefined ? name : `${name}.${part}`),
    time: (name) => timeIn(holderOf(metrics, name), name),
    isWrite,
    client,
  };
  const figures = figuresBy(({ statistic, empty }) => (statistic === undefined ? empty : statistic(statistics)));
  return figures.executions < 1 ? null : figures;
}

/** The figures of two entries about one shape. One that either does not report is unknown of both. */
export function addedFigures(one: OperationFigures, other: OperationFigures): OperationFigures {
  return figuresBy(({ statistic, merge, added }, name) => {
    const [own, further] = [one[name], other[name]];
    if (statistic === undefined) return own;
    if (added !== undefined) return added(own, further);
    return own === null || further === null ? null : (merge as Merge<unknown> | undefined)?.(owned(own), further);
  });
}

/** The part of `metrics` that a figure is in. */
function holderOf(metrics: unknown, name: string): unknown {
  const places = [metrics, ...SECTIONS.map((section) => documentIn(metrics, section))];
  return places.find((place) => (place as Document | null | undefined)?.[name] !== undefined);
}
