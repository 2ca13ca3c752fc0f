import type { Document } from 'mongodb';
import type { CollectionSharding } from './sharding.js';

/** What a namespace holds. Views are never sampled; a time-series collection's buckets are not judged as documents. */
export type CollectionKind = 'collection' | 'view' | 'timeseries';

/** One index, as `listIndexes` describes it. */
export interface IndexDescription {
  readonly name: string;
  /** Key pattern in order: field path to 1, -1, "hashed", "text", "2d", "2dsphere", "2dsphere_bucket". */
  readonly key: Readonly<Record<string, number | string>>;
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly hidden: boolean;
  readonly partialFilterExpression?: Document;
  readonly collation?: Document;
  /** Seconds after which a TTL index removes a document. */
  readonly expireAfterSeconds?: number;
  readonly wildcardProjection?: Document;
  /** Field weights of a text index. */
  readonly weights?: Readonly<Record<string, number>>;
  /** True for the clustered index of a clustered collection. */
  readonly clustered: boolean;
}

/** One namespace of the cluster. */
export interface Collection {
  /** `database.collection`. */
  readonly namespace: string;
  readonly database: string;
  readonly name: string;
  readonly kind: CollectionKind;
  /** Its own UUID, in hexadecimal: one that was dropped and created anew has another. Absent where the user may not list it. */
  readonly uuid?: string;
  /** True where the user may read it and not list it: whether it is capped, validated or clustered is then not known. */
  readonly optionsUnknown?: true;
  /** Limits of a capped collection. */
  readonly capped?: { readonly sizeBytes: number; readonly documents?: number };
  /** True where documents are stored in the order of a clustered index. */
  readonly clustered: boolean;
  /** Default collation, if not the simple one. */
  readonly collation?: Document;
  /** The `$jsonSchema` or query that documents are validated against. */
  readonly validator?: Document;
  /** The collection or view that a view reads, in the same database. */
  readonly viewOn?: string;
  /** A view's aggregation pipeline. */
  readonly pipeline?: readonly Document[];
  /** Options of a time-series collection. */
  readonly timeseries?: { readonly timeField: string; readonly metaField?: string; readonly granularity?: string };
  /** How it is sharded; absent where it is not, or where the config database could not be read. */
  readonly sharding?: CollectionSharding;
}
