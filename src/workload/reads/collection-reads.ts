import { z } from 'zod';
import { groupedBy } from '../../grouped-by.js';
import { databaseOf } from '../../namespace.js';
import type { Plain } from '../../plain.js';
import { executionsIn, mainSource, sourceCoverage, sourceCoverageSchema } from '../coverage/recording.js';
import { objectShapeSchema, isObjectShape, type Shape, fieldsOf } from '../shapes/shape.js';
import { slicesSchema, writtenPath } from '../shapes/slices.js';
import type { TracedOperation, TracedWorkload } from '../traced-workload.js';
import { FIGURE_SOURCES, WRITE_KINDS, type Operation } from '../workload.js';

/** How recorded updates write the field at a path, in executions. */
const arrayWritesSchema = z.strictObject({
  /** As queries name it; empty for whole documents that are replaced. */
  path: z.string(),
  /** That add elements, and nothing caps the array. */
  added: z.number(),
  /** That add elements, and cut the array with `$slice`, or run only while it is short. */
  capped: z.number(),
  /** Elements that the widest `$slice` keeps; null if none was recorded with its number. */
  cappedAt: z.number().nullable(),
  /** That set the array as a whole. */
  whole: z.number(),
});

export type ArrayWrites = Plain<typeof arrayWritesSchema>;

export const documentReadSchema = z.strictObject({
  /** The stages of a view come first. A find is the stages that it stands for. */
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
      const writing = all.flatMap(({ operation }) => (WRITE_KINDS.has(operation.shape.kind) ? [operation] : []));
      const inserting = writing.filter(({ shape }) => shape.kind === 'insert');
      const writes = {
        writes: executionsIn(source, writing),
        inserts: executionsIn(source, inserting),
        deletes: executionsIn(source, writing.filter(isDelete)),
      };
      const arrayWrites = arrayWritesOf(writing);
      const coverage = sourceCoverage(workload, source, databaseOf(namespace));
      return [
        namespace,
        { source, coverage, executions, reads: seen, ...writes, ...(arrayWrites.length > 0 && { arrayWrites }) },
      ];
    }),
  );
}

/** A findAndModify without an update removes what it finds. */
function isDelete({ shape }: Operation): boolean {
  const takes = shape.kind === 'findAndModify' && shape.update === undefined && shape.truncated !== true;
  return shape.kind === 'delete' || takes;
}

function isWholeRead({ operation: { shape } }: TracedOperation): boolean {
  return (shape.kind === 'find' || shape.kind === 'aggregate') && shape.truncated !== true;
}

export function arrayWritesOf(operations: readonly Operation[]): ArrayWrites[] {
  const writes = new Map<string, ArrayWrites>();
  const add = (path: string, more: Partial<ArrayWrites>) => {
    const { added, capped, cappedAt, whole } = writes.get(path) ?? { added: 0, capped: 0, cappedAt: null, whole: 0 };
    writes.set(path, {
      path,
      added: added + (more.added ?? 0),
      capped: capped + (more.capped ?? 0),
      cappedAt: more.cappedAt === undefined ? cappedAt : Math.max(cappedAt ?? 0, more.cappedAt ?? 0),
      whole: whole + (more.whole ?? 0),
    });
  };
  for (const { shape, figures } of operations) {
    const { update, filter = {} } = shape;
    const all = Object.values(figures);
    const executions = Math.max(...all.map((one) => one.executions));
    if (update === '?object') add('', { whole: executions });
    if (shape.truncated === true) continue;
    for (const stage of Array.isArray(update) ? (update as readonly Shape[]) : [])
      for (const name of fieldsOf(stage).flatMap(([stageName, set]) => arraysSetBy(stageName, set)))
        add(writtenPath(name), { whole: executions });
    if (!isObjectShape(update)) continue;
    for (const [name, operand] of [...fieldsOf(update['$push']), ...fieldsOf(update['$addToSet'])]) {
      const path = writtenPath(name);
      const kept = all.flatMap(({ slices }) => slices[path] ?? []).map(({ first, last }) => Math.max(first, last));
      if (kept.length > 0) add(path, { capped: executions, cappedAt: Math.max(...kept) });
      else {
        const isCapped = (isObjectShape(operand) && '$slice' in operand) || runsWhileShort(filter, name, update);
        add(path, isCapped ? { capped: executions } : { added: executions });
      }
    }
    for (const [name, value] of fieldsOf(update['$set']))
      if (typeof value === 'string' && value.startsWith('?array')) add(writtenPath(name), { whole: executions });
  }
  return [...writes.values()];
}

/** The fields that a stage of an update sets to an array of its own, and not to one that it computes. */
function arraysSetBy(stage: string, fields: Shape): string[] {
  if (stage !== '$set' && stage !== '$addFields') return [];
  return fieldsOf(fields).flatMap(([name, value]) => {
    const set = isObjectShape(value) ? value['$literal'] : value;
    return typeof set === 'string' && set.startsWith('?array') ? [name] : [];
  });
}

/** Whether the filter asks for the array's length or one of its positions, or for a limit of a counter that the update raises. */
function runsWhileShort(filter: Shape, array: string, update: Readonly<Record<string, Shape>>): boolean {
  const raised = new Set(fieldsOf(update['$inc']).map(([name]) => name));
  return fieldsOf(filter).some(([name, condition]) => {
    if (name === '$and' && Array.isArray(condition))
      return (condition as readonly Shape[]).some((one) => runsWhileShort(one, array, update));
    if (name === '$expr') return true;
    if (name.startsWith(`${array}.`) && /^(?:\d+|\*)$/.test(name.slice(array.length + 1))) return true;
    if (!isObjectShape(condition)) return false;
    return name === array ? '$size' in condition : raised.has(name) && ('$lt' in condition || '$lte' in condition);
  });
}
