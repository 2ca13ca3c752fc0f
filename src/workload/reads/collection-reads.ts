import { z } from 'zod';
import type { TracedOperation, TracedWorkload } from '../traced-workload.js';
import { FIGURE_SOURCES, WRITE_KINDS } from '../workload.js';
import { objectShapeSchema } from '../shapes/shape.js';
import { slicesSchema } from '../shapes/slices.js';
import { arrayWritesOf, arrayWritesSchema } from './array-writes.js';
import { groupedBy } from '../../grouped-by.js';
import { mainSource } from '../coverage/join-telling.js';
import { sourceCoverage, sourceCoverageSchema } from '../coverage/source-window.js';
import { databaseOf } from '../../namespace.js';

export const documentReadSchema = z.strictObject({
  /** Of a view first. A find is the stages that it stands for. */
  stages: z.array(objectShapeSchema).readonly(),
  executions: z.number(),
  slices: slicesSchema,
});

export type DocumentRead = Readonly<z.output<typeof documentReadSchema>>;

/** The evidence `reads`: how documents are read, by the source with the most reads of the collection. */
export const collectionReadsSchema = z.strictObject({
  source: z.enum(FIGURE_SOURCES),
  coverage: sourceCoverageSchema,
  executions: z.number(),
  reads: z.array(documentReadSchema),
  /** Executions of inserts, updates and deletes there, by the same source. */
  writes: z.number().exactOptional(),
  inserts: z.number().exactOptional(),
  deletes: z.number().exactOptional(),
  /** Absent if no recorded write adds to an array or replaces a field. */
  arrayWrites: z.array(arrayWritesSchema).exactOptional(),
});

export type CollectionReads = Readonly<z.output<typeof collectionReadsSchema>>;

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
      const arrayWrites = arrayWritesOf(writing.map(({ operation }) => operation));
      const coverage = sourceCoverage(workload, source, databaseOf(namespace));
      return [
        namespace,
        { source, coverage, executions, reads: seen, ...writes, ...(arrayWrites.length > 0 && { arrayWrites }) },
      ];
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
