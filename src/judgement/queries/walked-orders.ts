import { groupedBy } from '../../grouped-by.js';
import { formatIndexKey } from '../../inventory/index-key.js';
import { servesBeginning } from '../../inventory/index-relation.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { keyOf, type SuggestedIndex } from '../indexes/suggested-index.js';
import { isNeverFull, isScanned, plannedFigures, queryCost } from './query-cost.js';
import type { PlacedQuery, QueryPlace } from './query-places.js';
import { sizeFor } from './query-size.js';
import { suggestionsFor } from './query-suggestions.js';
import { queriesOf, type Query } from './query.js';

/** Times what an index costs other queries that it has to save: keys that it reads itself are not counted. Judgement. */
const TIMES_SAVED = 2;

/**
 * Takes an index from the queries that want it if other pages would pay for it at least half of what it saves: a server that
 * finds the order of a page in an index scans no longer, and a page that is never full then reads it whole beside all documents.
 */
export function withoutWalkedOrders(placed: readonly PlacedQuery[], cluster: JoinedCluster): readonly PlacedQuery[] {
  const scanned = groupedBy(queriesOf(cluster).filter(isScanned), ({ known }) => known.collection.namespace);
  return placed.map((each) => {
    const scans = scanned.get(each.query.known.collection.namespace) ?? [];
    const walking = scans.filter((query) => isNeverFull(query) && isWalked(query, each));
    if (walking.length === 0) return each;
    const wanting = scans.filter((query) => !walking.includes(query) && isOfUse(each, query, cluster));
    const saved = wanting.reduce((sum, query) => sum + examinedBy(query, cluster), 0);
    const walked = walking.reduce((sum, query) => sum + keysOf(query), 0);
    return TIMES_SAVED * walked < saved ? each : { query: each.query, place: withoutIndex(each) };
  });
}

/** Whether another query's own index would begin with the same field. */
function isOfUse({ place }: PlacedQuery, other: Query, cluster: JoinedCluster): boolean {
  const own = suggestionsFor(other, cluster)?.map(firstField) ?? [];
  return (place.indexes ?? []).every(({ index }) => own.includes(firstField(index)));
}

function firstField(index: SuggestedIndex): string | undefined {
  return Object.keys(keyOf(index))[0];
}

function isWalked({ sort, collation, conditions }: Query, { query, place }: PlacedQuery): boolean {
  const [first, ...others] = place.indexes ?? [];
  if (sort.length === 0 || first === undefined || others.length > 0) return false;
  const { index } = first;
  if (index.sparse === true || index.nulls !== undefined) return false;
  const key = keyOf(index);
  const isBounded = conditions.all.some(({ path }) => path === firstField(index));
  const described = { key, sparse: false, ...(query.collation !== null && { collation: query.collation }) };
  return !isBounded && servesBeginning(described, { equality: [], further: sort }, collation);
}

/** Documents that the index would save at most, in all recorded executions. */
function examinedBy(query: Query, { workload }: JoinedCluster): number {
  const { documentsExamined = null, executions = 0 } = queryCost([query], workload) ?? {};
  return (documentsExamined ?? 0) * executions;
}

/** Index keys that its recorded executions would read: as many as documents. */
function keysOf(query: Query): number {
  return (sizeFor(query)?.recorded ?? 0) * (plannedFigures(query.operation)?.figures.executions ?? 0);
}

function withoutIndex({ place }: PlacedQuery): QueryPlace {
  const [index] = (place.indexes ?? []).map((wanted) => wanted.index);
  if (index === undefined) return place;
  const text =
    `Create no index on ${formatIndexKey(keyOf(index))} as things are. It would serve this, but the server would also take it for the order of pages that are never full, ` +
    'which would then read all of its keys beside all documents. That costs at least half of what it saves. Give those pages a condition that an index can serve first.';
  return { path: firstField(index) ?? null, remedy: { steps: [{ text }] } };
}
