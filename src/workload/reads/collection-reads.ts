import type { FigureSource, Operation, Workload } from '../workload.js';
import type { ObjectShape } from '../shapes/shape.js';
import type { Slices } from '../shapes/slices.js';
import { groupedBy } from '../../grouped-by.js';
import { mainSource } from '../coverage/join-telling.js';
import { sourceCoverage, type SourceCoverage } from '../coverage/source-window.js';
import { databaseOf } from '../../namespace.js';

/** Reads of one shape. */
export interface DocumentRead {
  /** A find is the stages that it stands for. Those of a view come first. */
  readonly stages: readonly ObjectShape[];
  readonly executions: number;
  readonly slices: Slices;
}

/** The evidence `reads`: how the documents of one collection are read, as the source knows it that has seen the most reads of it. */
export interface CollectionReads {
  readonly source: FigureSource;
  readonly coverage: SourceCoverage;
  /** Executions of all reads. */
  readonly executions: number;
  readonly reads: readonly DocumentRead[];
}

/**
 * The reads of documents by collection: finds and aggregations on it and on views of it, less those of which the source cut a
 * part off. Collections of which no reads were seen are not in there.
 */
export function readsByCollection(workload: Workload): ReadonlyMap<string, CollectionReads> {
  const views = new Map(workload.views.map((view) => [view.namespace, view]));
  const reads = workload.operations.filter(
    ({ shape }) => (shape.kind === 'find' || shape.kind === 'aggregate') && shape.truncated !== true,
  );
  const byCollection = groupedBy(reads, ({ shape: { namespace } }) => views.get(namespace)?.base ?? namespace);
  return new Map(
    [...byCollection].map(([namespace, operations]) => {
      const source = mainSource(operations);
      const seen = operations.flatMap((operation): DocumentRead[] => {
        const figures = operation.figures[source];
        if (figures === undefined) return [];
        const view = views.get(operation.shape.namespace)?.pipeline ?? [];
        return [{ stages: [...view, ...stagesOf(operation)], executions: figures.executions, slices: figures.slices }];
      });
      const executions = seen.reduce((sum, each) => sum + each.executions, 0);
      const coverage = sourceCoverage(workload, source, databaseOf(namespace));
      return [namespace, { source, coverage, executions, reads: seen }];
    }),
  );
}

function stagesOf({ shape: { pipeline, filter, sort, projection } }: Operation): readonly ObjectShape[] {
  if (pipeline !== undefined) return pipeline;
  return [
    ...(filter === undefined ? [] : [{ $match: filter }]),
    ...(sort === undefined ? [] : [{ $sort: sort }]),
    ...(projection === undefined ? [] : [{ $project: projection }]),
  ];
}
