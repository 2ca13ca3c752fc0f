import type { Document } from 'mongodb';
import { z } from 'zod';
import type { ExpectedSize } from '../finding/expected-size.js';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';
import type { Evidence } from '../presence.js';
import type { CollectionSharding } from './sharding.js';

/** What a namespace holds. Views are never sampled; a time-series collection's buckets are not judged as documents. */
export type CollectionKind = 'collection' | 'view' | 'timeseries';

const document = z.custom<Document>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

/** One index, as `listIndexes` describes it. */
export const indexDescriptionSchema = z.strictObject({
  name: z.string(),
  /** In order: field path to 1, -1, "hashed", "text", "2d", "2dsphere", "2dsphere_bucket". */
  key: z.record(z.string(), z.union([z.number(), ofKind('index kind')])),
  unique: z.boolean(),
  sparse: z.boolean(),
  hidden: z.boolean(),
  /** Present while it is being built: the server does not use it yet. A standalone server does not say so. */
  building: z.literal(true).exactOptional(),
  /** The shards that have it, if other shards with documents of the collection lack it. */
  onShards: z.array(z.string()).exactOptional(),
  partialFilterExpression: document.exactOptional(),
  collation: ofKind(
    'no name',
    z.custom<Document>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  ).exactOptional(),
  /** Seconds after which a TTL index removes a document. */
  expireAfterSeconds: z.number().exactOptional(),
  wildcardProjection: document.exactOptional(),
  /** Field weights of a text index. */
  weights: z.record(z.string(), z.number()).exactOptional(),
  /** Further options by the server's names: languages of a text index, bounds of a 2d index, `prepareUnique`. */
  furtherOptions: z.record(ofKind('option'), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
  clustered: z.boolean(),
});

export type IndexDescription = Plain<typeof indexDescriptionSchema>;

/** What production has of a collection, whose sizes, documents and operations then stand in for those of the linted database. */
export interface ProductionCollection {
  /** Its name in production. */
  readonly namespace: string;
  /** Documents in the linted database; null if unknown. */
  readonly documentsHere: number | null;
  readonly indexes: Evidence<readonly IndexDescription[]>;
  /** Paths of fields that sampled documents of one side alone have; null if one side was not sampled. */
  readonly fields: { readonly onlyInProduction: readonly string[]; readonly onlyHere: readonly string[] } | null;
}

export interface Collection {
  readonly namespace: string;
  readonly database: string;
  readonly name: string;
  readonly kind: CollectionKind;
  /** In hexadecimal; a collection that was created again has another. Absent if the user may not list it. */
  readonly uuid?: string;
  /** True if the user may read it but not list it, so that its options (capped, validator, clustered) are unknown. */
  readonly optionsUnknown?: true;
  readonly capped?: { readonly sizeBytes: number; readonly documents?: number };
  /** True if documents are stored in the order of a clustered index. */
  readonly clustered: boolean;
  /** Only if it is not the simple one. */
  readonly collation?: Document;
  /** The `$jsonSchema` or query that documents are validated against. */
  readonly validator?: Document;
  /** How strictly the validator is applied. Absent if there is none, or the server does not say. */
  readonly validation?: { readonly level?: string; readonly action?: string };
  /** Seconds after which documents of a time-series or clustered collection expire. */
  readonly expireAfterSeconds?: number;
  /** True if change streams can give documents as they were before and after a change. */
  readonly preAndPostImages?: true;
  /**
   * True of Queryable Encryption: profiler, log and query stats leave operations of encrypting clients out. Source: manual,
   * "Redaction". Others are recorded (measured on 6.0.5).
   */
  readonly encrypted?: true;
  /** The collection or view that a view reads, in the same database. */
  readonly viewOn?: string;
  readonly pipeline?: readonly Document[];
  readonly timeseries?: {
    readonly timeField: string;
    readonly metaField?: string;
    readonly granularity?: string;
    /** Only if it was set in the place of a granularity, which is possible since 6.3. */
    readonly bucketMaxSpanSeconds?: number;
  };
  /** Absent if it is not sharded, or if the config database could not be read. */
  readonly sharding?: CollectionSharding;
  /** The size that it is judged at instead of the present one, if one was given. */
  readonly expected?: ExpectedSize;
  /** Only if the run has evidence of production: what that has of the collection; null if production does not have it. */
  readonly production?: Evidence<ProductionCollection | null>;
}
