import { z } from 'zod';
import { figureSchema, picked, timeSchema } from '../plain.js';
import { evidenceSchema } from '../presence-schema.js';
import { changeStreamSchema } from './operations/change-stream-tally.js';
import { clientConnectionsSchema } from './operations/connection-tally.js';
import { transactionsSchema } from './operations/transaction-tally.js';
import { pinnedPlansSchema } from './pinned-plans.js';
import {
  entriesLeftOutSchema,
  indexChangesSchema,
  nodeReadsSchema,
  operationFiguresSchema,
  operationShapeSchema,
  resolvedViewSchema,
  serverCountersSchema,
  type Workload,
  workloadSourceSchema,
} from './workload.js';

const figures = operationFiguresSchema.exactOptional();

const source = evidenceSchema(workloadSourceSchema);

/** The operations of one shape, as an evidence file holds them: filters and pipelines are shapes without their marks. */
export const operationSchema = z.strictObject({
  shape: operationShapeSchema,
  figures: z
    .strictObject({
      profiler: figures,
      queryStats: figures,
      logFile: figures,
      recentLog: figures,
      routerLog: figures,
    })
    .refine((bySource) => Object.keys(bySource).length > 0),
});

/** What a file holds of a workload beside its operations: all of it, but for what is joined from two. */
type Rest = Record<keyof Omit<Workload, 'operations' | 'sourcesHere'>, z.ZodType>;

/** The workload but for its operations. */
export const workloadRestSchema = z.strictObject({
  views: z.array(resolvedViewSchema),
  sources: z.strictObject({
    profiler: source,
    queryStats: source,
    logFile: source,
    recentLog: source,
    // Files of earlier versions lack it.
    routerLog: source.exactOptional(),
  }),
  counters: evidenceSchema(serverCountersSchema),
  pinnedPlans: evidenceSchema(pinnedPlansSchema).exactOptional(),
  transactions: z.array(transactionsSchema).exactOptional(),
  indexChanges: z.array(indexChangesSchema).exactOptional(),
  transactionEntriesLeftOut: figureSchema.exactOptional(),
  entriesLeftOut: entriesLeftOutSchema.exactOptional(),
  connections: z.array(clientConnectionsSchema).exactOptional(),
  changeStreams: z.array(changeStreamSchema).exactOptional(),
  nodeReads: z.array(nodeReadsSchema).exactOptional(),
  since: timeSchema.exactOptional(),
} satisfies Rest);

/** The workload without its operations, and what follows from it, which is traced again. */
export function workloadRest(workload: Workload): Omit<Workload, 'operations'> {
  return picked(workload, Object.keys(workloadRestSchema.shape) as (keyof Rest)[]);
}
