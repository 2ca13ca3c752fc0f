import { z } from 'zod';
import { timeSchema } from '../plain.js';
import { evidenceSchema } from '../presence.js';
import {
  nodeReadsSchema,
  OPERATION_KINDS,
  operationFiguresSchema,
  serverCountersSchema,
  workloadSourceSchema,
} from './workload.js';
import { transactionsSchema } from './operations/transaction-tally.js';
import { pinnedPlansSchema } from './pinned-plans.js';
import { objectShapeSchema, shapeSchema } from './shapes/shape.js';

const figures = operationFiguresSchema.exactOptional();

const source = evidenceSchema(workloadSourceSchema);

const operationShapeSchema = z.strictObject({
  namespace: z.string(),
  kind: z.enum(OPERATION_KINDS),
  pipeline: z.array(objectShapeSchema).exactOptional(),
  filter: objectShapeSchema.exactOptional(),
  sort: objectShapeSchema.exactOptional(),
  projection: objectShapeSchema.exactOptional(),
  update: shapeSchema.exactOptional(),
  distinctField: z.string().exactOptional(),
  limited: z.literal(true).exactOptional(),
  tailable: z.literal(true).exactOptional(),
  multi: z.literal(true).exactOptional(),
  upsert: z.literal(true).exactOptional(),
  collation: z.record(z.string(), z.unknown()).exactOptional(),
  truncated: z.literal(true).exactOptional(),
});

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

/** The workload but for its operations. */
export const workloadRestSchema = z.strictObject({
  views: z.array(
    z.strictObject({
      namespace: z.string(),
      base: z.string(),
      pipeline: z.array(objectShapeSchema),
      collation: z.record(z.string(), z.unknown()).exactOptional(),
      source: z.enum(['inventory', 'profiler']),
    }),
  ),
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
  nodeReads: z.array(nodeReadsSchema).exactOptional(),
  since: timeSchema.exactOptional(),
});
