import { present } from '../../presence.js';
import { collectWorkload } from '../../workload/collect-workload.js';
import { OPERATION_KINDS, type Workload } from '../../workload/workload.js';
import { CLUSTER, findOn } from '../privilege.js';
import { evidenceSchema, gapsSchema, objectShapeSchema, shapeSchema, windowSchema } from '../schemas.js';
import type { ClusterSource, Zod } from '../source.js';

export const workload: ClusterSource<'workload'> = {
  name: 'workload',
  restsOn: [],
  privileges: [
    { resource: CLUSTER, actions: ['getLog', 'serverStatus'] },
    findOn('', 'system.profile'),
    // Both, for one stage: measured on 6.0.27.
    { resource: CLUSTER, actions: ['queryStatsRead', 'queryStatsReadTransformed'], newerServersOnly: true },
  ],
  async collect({ reader, inventory, logFiles, showValues }) {
    const { collections, known } = await inventory;
    const databases = [...new Set(collections.map(({ database }) => database))];
    return present(await collectWorkload(reader, { databases, collections: known, logFiles, showValues }));
  },
  schema(z) {
    const figures = figuresSchema(z).exactOptional();
    const source = evidenceSchema(z, readSourceSchema(z));
    // Filters and pipelines are shapes that carry a mark of the type system alone.
    return z.strictObject({
      operations: z.array(
        z.strictObject({
          shape: operationSchema(z),
          figures: z.strictObject({
            profiler: figures,
            queryStats: figures,
            logFile: figures,
            recentLog: figures,
            routerLog: figures,
          }),
        }),
      ),
      views: z.array(
        z.strictObject({
          namespace: z.string(),
          base: z.string(),
          pipeline: z.array(objectShapeSchema(z)),
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
      counters: evidenceSchema(z, countersSchema(z)),
      nodeReads: z
        .array(z.strictObject({ node: z.string(), finds: z.number(), window: windowSchema(z) }))
        .exactOptional(),
    }) as unknown as ReturnType<typeof z.custom<Workload>>;
  },
};

function operationSchema(z: Zod) {
  const shape = objectShapeSchema(z);
  return z.strictObject({
    namespace: z.string(),
    kind: z.enum(OPERATION_KINDS),
    pipeline: z.array(shape).exactOptional(),
    filter: shape.exactOptional(),
    sort: shape.exactOptional(),
    projection: shape.exactOptional(),
    update: shapeSchema(z).exactOptional(),
    distinctField: z.string().exactOptional(),
    limited: z.literal(true).exactOptional(),
    multi: z.literal(true).exactOptional(),
    collation: z.record(z.string(), z.unknown()).exactOptional(),
    truncated: z.literal(true).exactOptional(),
  });
}

function figuresSchema(z: Zod) {
  const known = z.number().nullable();
  return z.strictObject({
    executions: z.number(),
    milliseconds: known,
    slowestMilliseconds: known,
    documentsExamined: known,
    keysExamined: known,
    documentsReturned: known,
    documentsWritten: known,
    responseBytes: known,
    largestResponseBytes: known,
    planSummaries: z.record(z.string(), z.number()),
    inMemorySorts: known,
    diskUses: known,
    slotBasedExecutions: z.number(),
    classicExecutions: z.number(),
    longestLiteralArray: known,
    slices: z.record(z.string(), z.strictObject({ first: z.number(), last: z.number() })),
    lists: z
      .record(
        z.string(),
        z.strictObject({
          executions: z.number(),
          values: z.number(),
          median: z.number(),
          longest: z.number(),
          cut: z.number().exactOptional(),
        }),
      )
      .exactOptional(),
    skips: z.strictObject({ executions: z.number(), documents: z.number(), deepest: z.number() }).exactOptional(),
    shardsContacted: z.record(z.string(), z.number()).exactOptional(),
    clients: z
      .array(
        z.strictObject({
          appName: z.string().nullable(),
          user: z.string().nullable(),
          driver: z.string().nullable(),
          executions: z.number(),
          addresses: z.array(z.string()).exactOptional(),
        }),
      )
      .exactOptional(),
    busiest: z.strictObject({ appName: z.string().nullable(), executions: z.number() }).exactOptional(),
    waiting: z
      .strictObject({
        locks: z.number().exactOptional(),
        flowControl: z.number().exactOptional(),
        queues: z.number().exactOptional(),
        storageEngine: z.number().exactOptional(),
        notWorking: z.number().exactOptional(),
        writeConflicts: z.number().exactOptional(),
        diskReads: z.number().exactOptional(),
      })
      .exactOptional(),
    window: windowSchema(z).nullable(),
  });
}

function readSourceSchema(z: Zod) {
  return z.strictObject({
    parts: z.array(
      z.strictObject({
        database: z.string().exactOptional(),
        member: z.string().exactOptional(),
        file: z.string().exactOptional(),
        coverage: z.strictObject({
          operations: z.enum(['all', 'slow', 'part', 'none', 'unknown']),
          slowMilliseconds: z.number().nullable(),
          sampleRate: z.number().nullable(),
        }),
        window: windowSchema(z).nullable(),
        entries: z.number(),
        ignored: z.number(),
        unreadable: z.number(),
        bounded: z.boolean(),
      }),
    ),
    gaps: gapsSchema(z),
  });
}

function countersSchema(z: Zod) {
  const known = z.number().nullable();
  return z.strictObject({
    window: windowSchema(z),
    stages: z.record(z.string(), z.number()),
    operations: z.record(z.string(), z.number()),
    joins: z.strictObject({ hash: z.number(), indexedLoop: z.number(), nestedLoop: z.number() }).nullable(),
    collectionScans: known,
    inMemorySorts: known,
    queryStats: z.strictObject({ limited: z.number(), lost: known }).nullable(),
    profiler: z.strictObject({ dropped: z.number(), switchedOff: z.number() }).nullable(),
  });
}
