import { z } from 'zod';
import { ENGINES } from '../connect/engine.js';
import type { ClusterEvidence, ClusterEvidenceName } from '../evidence/cluster-evidence.js';
import { CLUSTER_SOURCES } from '../evidence/cluster-sources.js';
import { COLLECTION_SOURCES } from '../evidence/collection-sources.js';
import type { AnyClusterSource, AnyCollectionSource, ClusterPieceName } from '../evidence/source.js';
import { isEvidence } from '../evidence/sources.js';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';
import { absentSchema, evidenceSchema } from '../presence-schema.js';
import type { Evidence } from '../presence.js';
import { objectShapeSchema } from '../workload/shapes/shape.js';
import { operationSchema, workloadRestSchema } from '../workload/workload-schema.js';
import type { Operation, Workload } from '../workload/workload.js';
import type { FileCollection } from './file-collection.js';

export const EVIDENCE_FORMAT = 'mongolint evidence';
/** Rises with each change of what a line holds. Files of an older version are read, those of a newer one are refused. */
export const EVIDENCE_VERSION = 3;
/** Files of earlier versions hold growth in another form. */
export const FIRST_VERSION_WITH_GROWTH = 3;

const count = z.int().nonnegative();
const text = z.string();
const texts = z.array(text);
const verbatim = ofKind('no name');

export const headerSchema = z
  .strictObject({
    kind: z.literal('header'),
    format: z.literal(EVIDENCE_FORMAT),
    version: count,
    tool: z.strictObject({ name: verbatim, version: verbatim }),
    startedAt: ofKind('no name', z.iso.datetime()),
    target: text.describe('The alias of the target in the configuration.').exactOptional(),
    pseudonyms: ofKind(
      'no name',
      text.describe('Present if all names are pseudonyms. Files with the same text were written with the same secret.'),
    ).exactOptional(),
    cluster: z.strictObject({
      topology: z.enum(['standalone', 'replicaSet', 'sharded']),
      version: verbatim,
      engine: z.strictObject({ name: z.enum(ENGINES), version: verbatim.nullable() }),
      name: text.nullable(),
      atlas: z.boolean(),
      readFrom: z.enum(['primary', 'secondary']).nullable(),
    }),
    marks: texts.describe('By which another file of the same cluster is recognised.').exactOptional(),
    settings: z
      .strictObject({
        include: texts,
        exclude: texts,
        sampleSize: count,
        sampleBytes: count,
        deep: z.boolean(),
        concurrency: count,
        timeout: count,
        maxTime: count,
      })
      .describe('What was asked for, and what bounded the run.'),
    collections: count.describe('How many there are.'),
    unlisted: z.array(z.strictObject({ database: text.exactOptional(), absent: absentSchema })),
    shardingUnknown: absentSchema.exactOptional(),
  })
  .describe('The first line: what was read, when, and how.');

/** What the inventory knows of a collection, as a file holds it. */
export const listedCollectionSchema = z.strictObject({
  namespace: text,
  database: text,
  name: text,
  kind: z.enum(['collection', 'view', 'timeseries']),
  uuid: text.describe('A one-way hash of it, by which other files know the collection.').exactOptional(),
  optionsUnknown: z.literal(true).exactOptional(),
  capped: z.strictObject({ sizeBytes: z.number(), documents: z.number().exactOptional() }).exactOptional(),
  clustered: z.boolean(),
  collation: ofKind('no name', z.record(text, z.json())).exactOptional(),
  validator: objectShapeSchema.describe('Names of fields and types; no values.').exactOptional(),
  validation: z.strictObject({ level: verbatim.exactOptional(), action: verbatim.exactOptional() }).exactOptional(),
  expireAfterSeconds: z.number().exactOptional(),
  preAndPostImages: z.literal(true).exactOptional(),
  encrypted: z.literal(true).exactOptional(),
  viewOn: text.exactOptional(),
  pipeline: z.array(objectShapeSchema).describe('The stages of a view; types in place of values.').exactOptional(),
  timeseries: z
    .strictObject({
      timeField: text,
      metaField: text.exactOptional(),
      granularity: verbatim.exactOptional(),
      bucketMaxSpanSeconds: z.number().exactOptional(),
    })
    .exactOptional(),
  sharding: shardingSchema().exactOptional(),
});

const collection = z
  .strictObject({
    kind: z.literal('collection'),
    collection: listedCollectionSchema,
    evidence: evidenceOf(COLLECTION_SOURCES.flat()),
  })
  .describe('A collection: what the inventory knows, and each piece of evidence or the reason why it is absent.');

const cluster = z
  .strictObject({
    kind: z.literal('cluster'),
    evidence: evidenceOf(CLUSTER_SOURCES, { workload: workloadRestSchema }),
  })
  .describe('The evidence of the cluster as a whole, but for the operations of the workload.');

const operation = z
  .strictObject({ kind: z.literal('operation'), operation: operationSchema })
  .describe('The operations of one shape, without their values.');

const footer = z
  .strictObject({
    kind: z.literal('footer'),
    finishedAt: ofKind('no name', z.iso.datetime()),
    isOutOfTime: z.boolean(),
    isStopped: z.boolean(),
    serverLoad: z
      .strictObject({ startMs: z.number(), slowestMs: z.number(), slowedMs: z.number(), stopped: z.boolean() })
      .nullable(),
    reads: z
      .strictObject({
        losses: z.array(
          z.strictObject({ member: ofKind('member'), at: z.iso.datetime(), continuedFrom: text.nullable() }),
        ),
        lags: z.array(z.strictObject({ member: ofKind('member'), seconds: z.number() })),
      })
      .nullable()
      .exactOptional(),
    gaps: z.array(
      z.strictObject({
        name: z.enum(CLUSTER_SOURCES.map(({ name }) => name) as [ClusterPieceName]),
        gap: absentSchema,
      }),
    ),
    errorCodes: z.array(z.number()),
    historyFault: ofKind('sentence').nullable(),
    user: z.enum(['none', 'as before', 'lost']).nullable(),
    lines: z.strictObject({ collections: count, operations: count, total: count }),
    sha256: ofKind(
      'no name',
      text.regex(/^[0-9a-f]{64}$/).describe('Of all lines before, with their ends, and of this one without it.'),
    ),
  })
  .describe('The last line: how the run ended, and how many lines there are.');

/** The first line. */
export type HeaderLine = Plain<typeof headerSchema>;

/** What bounded the run, in documents, bytes, collections at once, and ms. */
export type CollectingSettings = HeaderLine['settings'];

/** A line for each collection, in the order in which they were read. */
export interface CollectionLine extends FileCollection {
  readonly kind: 'collection';
}

/** A line for each piece of evidence of the cluster; the operations of the workload follow in lines of their own. */
export interface ClusterLine {
  readonly kind: 'cluster';
  readonly evidence: {
    readonly [Name in Exclude<ClusterEvidenceName, 'workload'>]?: Evidence<ClusterEvidence[Name]>;
  } & {
    readonly workload?: Evidence<Omit<Workload, 'operations'>>;
  };
}

export interface OperationLine {
  readonly kind: 'operation';
  readonly operation: Operation;
}

/** The last line: without it, the file is cut off. */
export type FooterLine = Plain<typeof footer>;

export type EvidenceLine = HeaderLine | CollectionLine | ClusterLine | OperationLine | FooterLine;

/** The schema of each kind of line. */
export const LINE_SCHEMAS = { header: headerSchema, collection, cluster, operation, footer } satisfies Readonly<
  Record<EvidenceLine['kind'], z.ZodType>
>;

/** The JSON Schema of a line of an evidence file, as it is published. */
export function evidenceJsonSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(z.discriminatedUnion('kind', [headerSchema, collection, cluster, operation, footer]), {
    target: 'draft-2020-12',
    // What a reader accepts: fields of growth that earlier versions wrote, too.
    io: 'input',
    unrepresentable: 'any',
    // Written once each: without it the schema is several times as long.
    reused: 'ref',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodLiteral && zodSchema.values.has(Infinity)) {
        delete jsonSchema.type;
        delete jsonSchema.enum;
        Object.assign(jsonSchema, { const: { $numberDouble: 'Infinity' } });
      }
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}

type Source = AnyCollectionSource | AnyClusterSource;

function evidenceOf(sources: readonly Source[], instead: Readonly<Record<string, z.ZodType>> = {}) {
  const pieces = sources.filter(isEvidence).map(({ name, schema }) => {
    return [name, evidenceSchema(instead[name] ?? (schema as z.ZodType)).exactOptional()] as const;
  });
  return z.strictObject(Object.fromEntries(pieces) as Record<string, z.ZodType>);
}

function shardingSchema() {
  const window = z.strictObject({ start: verbatim, stop: verbatim });
  return z.strictObject({
    key: z.array(z.strictObject({ path: z.string(), hashed: z.boolean() })),
    unique: z.boolean(),
    chunkFilter: z.strictObject({}).describe('Always empty.'),
    chunkBytes: z.number(),
    balanced: z.boolean(),
    zones: z.array(z.string()),
    cluster: z.strictObject({
      version: verbatim,
      shards: z.array(
        z.strictObject({
          name: z.string(),
          zones: z.array(z.string()),
          draining: z.boolean(),
          joinedAt: z.number().nullable(),
        }),
      ),
      balancer: z.strictObject({
        enabled: z.boolean(),
        window: window.nullable(),
        evensOut: z.enum(['bytes', 'chunks']),
      }),
    }),
  });
}
