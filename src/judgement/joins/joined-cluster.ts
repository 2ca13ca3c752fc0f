import type { Document } from 'mongodb';
import type { KnownCollection, NotJudged } from '../../check.js';
import type { UnderstoodCode } from '../../code/understood-code.js';
import type { Server } from '../../evidence/cluster-evidence.js';
import { plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { present } from '../../presence.js';
import type { FieldTypes } from '../../profile/field-types.js';
import type { JoinUse } from '../../workload/joins/join.js';
import { bestFigures } from '../../workload/operations/figures.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { judgedSize, type JudgedSize } from '../judged-size.js';

export type JoinedCollection = KnownCollection<'indexes' | 'storage' | 'fieldTypes'>;

export interface JoinedCluster {
  /** Every linted collection by namespace. Joins of other collections are not judged. */
  readonly collections: ReadonlyMap<string, JoinedCollection>;
  readonly workload: TracedWorkload;
  readonly server: Server;
  /** What the source shows, if it is given. */
  readonly code?: UnderstoodCode;
}

/** Null if unknown. */
export function fieldTypesOn(
  { collections }: Pick<JoinedCluster, 'collections'>,
  namespace: string,
): FieldTypes | null {
  const fieldTypes = collections.get(namespace)?.fieldTypes;
  return fieldTypes?.present === true ? fieldTypes.value : null;
}

/** The number of documents by the metadata; null if unknown, as for a time-series collection. */
export function documentsOf({ collections }: Pick<JoinedCluster, 'collections'>, namespace: string): number | null {
  const storage = collections.get(namespace)?.storage;
  return storage?.present === true ? storage.value.count : null;
}

export interface Scan {
  readonly count: number;
  /** A time-series collection is read and counted in buckets. */
  readonly unit: 'document' | 'bucket';
}

/** By the metadata; null if unknown. */
export function scanOf({ collections }: Pick<JoinedCluster, 'collections'>, namespace: string): Scan | null {
  const storage = collections.get(namespace)?.storage;
  if (storage?.present !== true) return null;
  const { count, buckets } = storage.value;
  if (buckets !== undefined) return { count: buckets, unit: 'bucket' };
  return count === null ? null : { count, unit: 'document' };
}

/** Null if unknown. */
export function judgedScan(cluster: Pick<JoinedCluster, 'collections'>, namespace: string): JudgedSize | null {
  const scan = scanOf(cluster, namespace);
  const collection = cluster.collections.get(namespace)?.collection;
  if (scan === null || collection === undefined) return null;
  const { count, unit } = scan;
  return unit === 'document' ? judgedSize(collection, count) : { ...judgedSize({}, count), unit };
}

/**
 * The collation by which a join compares: the operation's own, or the default of what it runs on. A view has its own,
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

/** The cluster with the indexes that production has; of collections that it does not have, with none. The same if it stands alone. */
export function asInProduction(cluster: JoinedCluster): JoinedCluster {
  return cluster.workload.derived.once(cluster.collections, 'as in production', () => {
    const all = [...cluster.collections];
    if (all.every(([, { collection }]) => collection.production === undefined)) return cluster;
    const collections = all.map(([namespace, known]) => {
      const { production } = known.collection;
      const indexes = production?.present === true ? (production.value?.indexes ?? NO_INDEXES) : NO_INDEXES;
      return [namespace, { ...known, indexes }] as const;
    });
    return { ...cluster, collections: new Map(collections) };
  });
}

const NO_INDEXES = present([]);

/**
 * The aggregates that a source truncated, by collection: joins in the missing part are unknown. The profiler keeps
 * nothing of a command of more than 50 KB, the log 10 KB by default (measured on 6.0.5).
 */
export function cutAggregates({
  collections,
  workload,
}: JoinedCluster): (NotJudged & { readonly namespace: string })[] {
  const cut = workload.tracedOperations.filter(
    ({ operation: { shape } }) => shape.kind === 'aggregate' && shape.truncated === true,
  );
  return [...groupedBy(cut, ({ base }) => base)].flatMap(([namespace, operations]) => {
    if (!collections.has(namespace)) return [];
    const executions = operations.reduce((sum, { operation }) => sum + bestFigures(operation).figures.executions, 0);
    const detail = `the log or profiler truncated the commands of ${plural(executions, 'execution')} of aggregates, so joins in the missing part are unknown. db.adminCommand({setParameter: 1, maxLogSizeKB: 100}) makes the log keep 100 KB of a command instead of 10 KB.`;
    return [{ namespace, notJudged: 'bound' as const, detail }];
  });
}
