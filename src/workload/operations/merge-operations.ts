import { operationKeyWithoutDetails } from '../shapes/operation-shape.js';
import type { TalliedOperation } from './operation-tally.js';
import {
  FIGURE_SOURCES,
  type FigureSource,
  type Operation,
  type OperationFigures,
  type OperationShape,
} from '../workload.js';

export type TalliedSources = Readonly<Record<FigureSource, readonly TalliedOperation[]>>;

interface Merging {
  readonly shape: OperationShape;
  readonly figures: { [Source in FigureSource]?: OperationFigures };
}

/**
 * One operation per shape, with the figures of each source side by side: all may have seen the same execution, so they
 * are never added.
 *
 * Query stats lack the flags of regular expressions. If exactly one operation of the other sources is the same
 * otherwise, theirs is taken for it.
 */
export function mergeOperations(sources: TalliedSources): Operation[] {
  const merged = new Map<string, Merging>();
  for (const source of FIGURE_SOURCES) {
    if (source === 'queryStats') continue;
    for (const { key, shape, figures } of sources[source]) {
      const operation = merged.get(key) ?? { shape, figures: {} };
      operation.figures[source] = figures;
      merged.set(key, operation);
    }
  }
  const withoutDetails = new Map<string, string[]>();
  for (const [key, { shape }] of merged) {
    const coarse = operationKeyWithoutDetails(shape);
    withoutDetails.set(coarse, [...(withoutDetails.get(coarse) ?? []), key]);
  }
  for (const { key, shape, figures } of sources.queryStats) {
    const alike = withoutDetails.get(operationKeyWithoutDetails(shape)) ?? [];
    const known = merged.get(alike.length === 1 ? (alike[0] as string) : key) ?? { shape, figures: {} };
    known.figures.queryStats = figures;
    merged.set(alike.length === 1 ? (alike[0] as string) : key, known);
  }
  return [...merged.values()];
}
