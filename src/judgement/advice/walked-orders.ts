import type { Document } from 'mongodb';
import type { RemedyStep } from '../../finding.js';
import { groupedBy } from '../../grouped-by.js';
import { isSameCollation } from '../../inventory/collation.js';
import { formatIndexKey } from '../../inventory/index-key.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { isNeverFull, isScanned, plannedFigures } from '../queries/query-cost.js';
import { sizeFor } from '../queries/query-size.js';
import { queriesOf, type Query } from '../queries/query.js';
import { isInOrder } from './index-value.js';
import type { NeededIndex } from './needed-index.js';
import { suggestionsFor } from './query-suggestions.js';
import { keyOf, type SuggestedIndex } from './suggested-index.js';

/** Times what an index costs other queries that it has to save: keys that it reads itself are not counted. Judgement. */
const TIMES_SAVED = 2;

/** Why an index is not created after all, and what to do instead. */
export interface NoIndex {
  /** The field that the index would begin with. */
  readonly path: string;
  readonly steps: readonly RemedyStep[];
}

/**
 * Null unless other pages would pay for the index of a query at least half of what it saves: a server that finds the order of a
 * page in an index scans no longer, and a page that is never full then reads it whole beside all documents.
 */
export function walkedInstead(
  query: Query,
  [wanted, ...others]: readonly NeededIndex[],
  cluster: JoinedCluster,
): NoIndex | null {
  const index = wanted?.index;
  if (index === undefined || others.length > 0 || index.sparse === true || index.nulls !== undefined) return null;
  const alike = scansByNamespace(cluster).get(query.known.collection.namespace) ?? [];
  const walking = alike.filter((scan) => isWalked(scan, index, query.collation));
  if (walking.length === 0) return null;
  const path = firstField(index);
  const wanting = alike.filter((scan) => !walking.includes(scan) && firstFields(scan, cluster).includes(path));
  const saved = wanting.reduce((sum, scan) => sum + documentsExaminedBy(scan), 0);
  const walked = walking.reduce((sum, scan) => sum + documentsScannedBy(scan), 0);
  return TIMES_SAVED * walked < saved ? null : { path, steps: stepsWithout(index) };
}

function scansByNamespace(cluster: JoinedCluster): ReadonlyMap<string, readonly Query[]> {
  return cluster.workload.derived.once(cluster.collections, 'scans', () =>
    groupedBy(queriesOf(cluster).filter(isScanned), ({ known }) => known.collection.namespace),
  );
}

function isWalked(scan: Query, index: SuggestedIndex, collation: Document | null): boolean {
  if (scan.sort.length === 0 || !isNeverFull(scan) || !isSameCollation(scan.collation, collation)) return false;
  const isBounded = scan.conditions.all.some(({ path }) => path === firstField(index));
  return !isBounded && isInOrder(scan, keyOf(index));
}

/** The first fields of the indexes that a query would get by itself. */
function firstFields(query: Query, cluster: JoinedCluster): readonly string[] {
  return cluster.workload.derived.once(query, 'first fields', () =>
    (suggestionsFor(query, cluster) ?? []).map(firstField),
  );
}

function firstField(index: SuggestedIndex): string {
  return Object.keys(keyOf(index))[0] ?? '';
}

/** In all recorded executions: what an index would save at most. All of the collection if no source counts them. */
function documentsExaminedBy(scan: Query): number {
  return plannedFigures(scan.operation)?.figures.documentsExamined ?? documentsScannedBy(scan);
}

/** In all recorded executions, if each reads the whole collection: as many as keys of an index. */
function documentsScannedBy(scan: Query): number {
  return (sizeFor(scan)?.recorded ?? 0) * (plannedFigures(scan.operation)?.figures.executions ?? 0);
}

function stepsWithout(index: SuggestedIndex): RemedyStep[] {
  return [
    {
      text:
        `Create no index on ${formatIndexKey(keyOf(index))} as things are. It would serve this, but the server would also take it for the order of pages that are never full, ` +
        'which would then read all of its keys beside all documents. That costs at least half of what it saves. Give those pages a condition that an index can serve first.',
    },
  ];
}
