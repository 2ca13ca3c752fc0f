import type { Document } from 'mongodb';
import type { KnownCollection } from '../../check.js';
import type { FieldTypes } from '../../evidence/documents/field-types.js';
import type { Server } from '../../evidence/server.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';

/** A collection as joins are judged by it. */
export type JoinedCollection = KnownCollection<'indexes' | 'storage' | 'fieldTypes'>;

/** What joins are judged by. */
export interface JoinedCluster {
  /** Every linted collection by namespace; joins of others are not judged. */
  readonly collections: ReadonlyMap<string, JoinedCollection>;
  readonly workload: TracedWorkload;
  readonly server: Server;
}

/** The types of a collection's fields; null where they are not known. */
export function fieldTypesOn({ collections }: JoinedCluster, namespace: string): FieldTypes | null {
  const fieldTypes = collections.get(namespace)?.fieldTypes;
  return fieldTypes?.present === true ? fieldTypes.value : null;
}

/** The documents of a collection, by its metadata; null where that is not known, as of a time-series collection. */
export function documentsOf({ collections }: Pick<JoinedCluster, 'collections'>, namespace: string): number | null {
  const storage = collections.get(namespace)?.storage;
  return storage?.present === true && storage.value.buckets === undefined ? storage.value.count : null;
}

/** What a scan of a collection reads. */
export interface Scan {
  readonly count: number;
  /** What a time-series collection keeps its documents in, is read and counted whole. */
  readonly unit: 'document' | 'bucket';
}

/** What a scan of a collection reads, by its metadata; null where that is not known. */
export function scanOf({ collections }: Pick<JoinedCluster, 'collections'>, namespace: string): Scan | null {
  const storage = collections.get(namespace)?.storage;
  if (storage?.present !== true) return null;
  const { count, buckets } = storage.value;
  return buckets === undefined ? { count, unit: 'document' } : { count: buckets, unit: 'bucket' };
}

/**
 * The collation by which an operation's joins compare: its own, or else the default of what it runs on. A view has its own,
 * whatever its collection has.
 */
export function collationOf(
  { collections, workload }: JoinedCluster,
  { join, operation, view }: JoinUse,
): Document | null {
  if (join.collation !== undefined) return join.collation;
  const namespace = operation?.shape.namespace ?? view?.namespace ?? join.source.namespace;
  const runsOn = workload.viewsByNamespace.get(namespace) ?? collections.get(namespace)?.collection;
  return runsOn?.collation ?? null;
}
