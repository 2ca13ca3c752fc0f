import type { TracedOperation, TracedWorkload } from '../traced-workload.js';
import { WRITE_KINDS, type FigureSource } from '../workload.js';
import type { ObjectShape } from '../shapes/shape.js';
import type { Slices } from '../shapes/slices.js';
import { groupedBy } from '../../grouped-by.js';
import { mainSource } from '../coverage/join-telling.js';
import { sourceCoverage, type SourceCoverage } from '../coverage/source-window.js';
import { databaseOf } from '../../namespace.js';

export interface DocumentRead {
  /** Of a view first. A find is the stages that it stands for. */
  readonly stages: readonly ObjectShape[];
  readonly executions: number;
  readonly slices: Slices;
}

/** The evidence `reads`: how documents are read, by the source with the most reads of the collection. */
export interface CollectionReads {
  readonly source: FigureSource;
  readonly coverage: SourceCoverage;
  readonly executions: number;
  readonly reads: readonly DocumentRead[];
  /** Executions of inserts, updates and deletes there, by the same source. */
  readonly writes?: number;
  readonly inserts?: number;
  readonly deletes?: number;
}

/** Finds and aggregations by collection, also through views, except those that the source truncated. */
export function readsByCollection(workload: TracedWorkload): ReadonlyMap<string, CollectionReads> {
  return new Map(
    [...groupedBy(workload.tracedOperations, ({ base }) => base)].map(([namespace, all]) => {
      const reads = all.filter(isWholeRead);
      const source = mainSource((reads.length > 0 ? reads : all).map(({ operation }) => operation));
      const seen = reads.flatMap(({ operation, stages }): DocumentRead[] => {
        const figures = operation.figures[source];
        return figures === undefined ? [] : [{ stages, executions: figures.executions, slices: figures.slices }];
      });
      const executions = seen.reduce((sum, each) => sum + each.executions, 0);
      const writing = all.filter(({ operation: { shape } }) => WRITE_KINDS.has(shape.kind));
      const executionsOf = (some: readonly TracedOperation[]) =>
        some.reduce((sum, { operation }) => sum + (operation.figures[source]?.executions ?? 0), 0);
      const writes = {
        writes: executionsOf(writing),
        inserts: executionsOf(writing.filter(({ operation: { shape } }) => shape.kind === 'insert')),
        deletes: executionsOf(writing.filter(isDelete)),
      };
      const coverage = sourceCoverage(workload, source, databaseOf(namespace));
      return [namespace, { source, coverage, executions, reads: seen, ...writes }];
    }),
  );
}

/** A findAndModify without an update removes what it finds. */
function isDelete({ operation: { shape } }: TracedOperation): boolean {
  const takes = shape.kind === 'findAndModify' && shape.update === undefined && shape.truncated !== true;
  return shape.kind === 'delete' || takes;
}

function isWholeRead({ operation: { shape } }: TracedOperation): boolean {
  return (shape.kind === 'find' || shape.kind === 'aggregate') && shape.truncated !== true;
}
