import { groupedBy } from '../../grouped-by.js';
import { joinedFields } from '../../workload/joins/workload-joins.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { isEmpty } from './conditions.js';
import type { QueriesInPlace } from './query-places.js';
import { indexesFor } from './query-remedy.js';
import { suggestionsFor } from './query-suggestions.js';
import { queriesOf, type Query } from './query.js';
import { sharedOrder, type OtherNeeds } from './shared-order.js';

/** The places with their indexes in the order that serves most of what else their collection is asked for. */
export function inSharedOrder(places: readonly QueriesInPlace[], cluster: JoinedCluster): readonly QueriesInPlace[] {
  const ofSeveral = places.filter(({ indexes = [] }) => indexes.some(({ index }) => index.equality.length > 1));
  const namespaces = new Set(ofSeveral.map(({ queries: [{ known }] }) => known.collection.namespace));
  if (namespaces.size === 0) return places;
  const asked = groupedBy(
    queriesOf(cluster).filter(({ known }) => namespaces.has(known.collection.namespace)),
    ({ known }) => known.collection.namespace,
  );
  const orders = new Map(
    [...asked].map(([namespace, queries]) => [namespace, sharedOrder(otherNeeds(namespace, queries, cluster))]),
  );
  return places.map((place) => {
    const order = orders.get(place.queries[0].known.collection.namespace);
    if (order === undefined || place.indexes === undefined) return place;
    const indexes = place.indexes.map(order);
    return { ...place, indexes, path: indexes[0]?.name ?? null };
  });
}

function otherNeeds(namespace: string, queries: readonly Query[], cluster: JoinedCluster): OtherNeeds {
  const [{ known } = { known: null }] = queries;
  const collation = known?.collection.collation ?? null;
  const joined = joinedFields(cluster.workload.joinUses)
    .filter((field) => field.namespace === namespace)
    .map(({ path }) => ({ name: path, index: { equality: [path], further: [], sorts: false }, collation }));
  const needed = queries
    .filter(({ conditions }) => !conditions.special && !isEmpty(conditions))
    .flatMap((query) => indexesFor(query, suggestionsFor(query, cluster) ?? []));
  return { needs: [...joined, ...needed], existing: known?.indexes.present === true ? known.indexes.value : [] };
}
