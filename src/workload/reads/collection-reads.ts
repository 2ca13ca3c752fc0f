import type { TracedWorkload } from '../traced-workload.js';
import type { FigureSource } from '../workload.js';
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
export function readsByCollection(workload: TracedWorkload): ReadonlyMap<string, CollectionReads> {
  const reads = workload.tracedOperations.filter(
    ({ operation: { shape } }) => (shape.kind === 'find' || shape.kind === 'aggregate') && shape.truncated !== true,
  );
  return new Map(
    [...groupedBy(reads, ({ base }) => base)].map(([namespace, operations]) => {
      const source = mainSource(operations.map(({ operation }) => operation));
      const seen = operations.flatMap(({ operation, stages }): DocumentRead[] => {
        const figures = operation.figures[source];
        return figures === undefined ? [] : [{ stages, executions: figures.executions, slices: figures.slices }];
      });
      const executions = seen.reduce((sum, each) => sum + each.executions, 0);
      const coverage = sourceCoverage(workload, source, databaseOf(namespace));
      return [namespace, { source, coverage, executions, reads: seen }];
    }),
  );
}
