import type { IndexDescription, IndexProposal, Reference } from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { adviceOn } from '../../src/judgement/advice/collection-advice.js';
import { ORDER_OF_FIELDS, proposalsOf } from '../../src/judgement/advice/needed-index.js';
import { byIndex } from '../../src/judgement/advice/query-suggestions.js';
import { type IndexRemedy, indexSteps } from '../../src/judgement/indexes/index-steps.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { Conditions } from '../../src/judgement/queries/conditions.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { keysIn, plansOf } from '../../src/judgement/queries/tied-indexes.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused } from '../../src/planner/access.js';
import { isSearchedBy } from '../../src/planner/value-search.js';
import { keyText } from '../../src/workload/shapes/hint-text.js';

type ReferringField = Pick<Reference, 'namespace' | 'path'>;

export interface ReferenceSearches {
  readonly queries: readonly Query[];
  /** Whether others ask by it in an alternative of `$or`, which needs indexes for the rest of it, too. */
  readonly isAlternative: boolean;
  /** Those for which no index finds by the field, not even behind others that they set equal too. */
  readonly unserved: readonly Query[];
}

/** The queries of the workload by a reference, except those that also ask by `_id`. */
export function referenceSearches(cluster: JoinedCluster): (reference: ReferringField) => ReferenceSearches {
  const byCollection = groupedBy(queriesOf(cluster), ({ known }) => known.collection.namespace);
  return ({ namespace, path }) => {
    const all = byCollection.get(namespace) ?? [];
    const queries = all.filter(({ conditions }) => setsEqual(conditions, path) && !setsEqual(conditions, '_id'));
    return {
      queries,
      isAlternative: all.some(({ conditions: { alternatives } }) =>
        alternatives.flat().some((branch) => setsEqual(branch, path)),
      ),
      unserved: queries.filter((query) => !isServed(query, path, cluster)),
    };
  };
}

/** The indexes that the queries by a reference get; null if some get none. */
export function referenceSearchRemedy(
  { unserved }: ReferenceSearches,
  { path }: ReferringField,
  cluster: JoinedCluster,
): IndexRemedy | null {
  const advised = unserved.map((query) => adviceOn(query.known.collection.namespace, cluster).of(query));
  const [known] = unserved.map((query) => query.known);
  if (known === undefined || !advised.every((each) => each !== null && 'indexes' in each)) return null;
  const proposals = [...new Set(advised)].map((each) => proposalsOf(each, known));
  // An index that begins with the reference finds by it, whatever else a query asks.
  const proposes = proposals.find((all) => all.some((proposal) => isLedBy(proposal, path))) ?? proposals.flat();
  return { remedy: { steps: indexSteps(proposes, ORDER_OF_FIELDS) }, proposes };
}

function isLedBy({ action, key, options }: IndexProposal, path: string): boolean {
  return action === 'create' && Object.keys(key)[0] === path && options.collation === undefined;
}

function setsEqual({ all }: Conditions, path: string): boolean {
  return all.some(
    ({ path: searched, role }) => searched === path && (role === 'equality' || role === 'list' || role === 'mixed'),
  );
}

function isServed(query: Query, path: string, cluster: JoinedCluster): boolean {
  const { indexes } = query.known;
  if (!indexes.present) return false;
  return (
    byIndex(query, indexes.value, cluster) === 'served' ||
    indexes.value.some((index) => findsBy(index, query, path, cluster))
  );
}

/** A partial index whose values the query decides counts if the server was seen to answer it by that. */
function findsBy(index: IndexDescription, query: Query, path: string, { server }: JoinedCluster): boolean {
  const access = accessOf(index, query.collection, { ...query.planned, sort: [] }, server);
  const plans = plansOf(query);
  const isPlanned = plans.length > 0 && plans.every((plan) => keysIn(plan).join() === keyText(index.key));
  if (isRefused(access) || (access.hangsOnValues === true && !isPlanned)) return false;
  return isSearchedBy(access, (each) => each.path === path && (each.operator === '$eq' || each.operator === '$in'));
}
