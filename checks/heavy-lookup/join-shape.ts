import { localValues } from '../../src/judgement/joins/equality-join.js';
import { documentsOf, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { Join, JoinKey } from '../../src/workload/joins/join.js';
import type { JoiningOperation } from './lookup-load.js';

/** How the documents on both sides of a join relate. */
export type JoinRelation =
  /** The outer document holds the `_id` of the foreign one. */
  | 'reference'
  /** The outer document holds an array of the `_id`s of foreign ones. */
  | 'array-of-references'
  /** The foreign documents hold the `_id` of the outer one. */
  | 'children'
  /** Documents of one collection that hold the `_id` of their parent or children, followed from one to the next. */
  | 'tree'
  /** Both hold the same value of another kind, or it is unknown. */
  | 'other';

export interface JoinShape {
  readonly foreign: string;
  readonly relation: JoinRelation;
  /** Average number of documents joined to an outer document, by counts and the sample; null if unknown. */
  readonly fanOut: number | null;
  /** Bytes of those documents; null as `fanOut`. */
  readonly bytesPerDocument: number | null;
}

/** A filter after a join is selective if it keeps no more than this share of the joined documents. Judgement. */
const SELECTIVE_SHARE = 0.1;

/** One for each join of an operation that compares something. */
export function joinShapes(joins: readonly Join[], cluster: JoinedCluster): JoinShape[] {
  return joins.flatMap((join) => {
    const key = join.keys.find(({ operator }) => operator === '$eq') ?? join.keys[0];
    if (key === undefined) return [];
    const { relation, fanOut } = relationOf(join, key, cluster);
    const storage = cluster.collections.get(join.foreign.base)?.storage;
    const size = storage?.present === true ? storage.value.averageDocumentSize : null;
    return [
      {
        foreign: join.foreign.base,
        relation,
        fanOut,
        bytesPerDocument: fanOut === null || size === null ? null : fanOut * size,
      },
    ];
  });
}

function relationOf(join: Join, key: JoinKey, cluster: JoinedCluster): Pick<JoinShape, 'relation' | 'fanOut'> {
  const local = key.local.origin;
  const foreign = key.foreign.origin;
  const elements = localValues(join, key, cluster)?.elementsPerArray ?? null;
  const isOfId = foreign.traced && foreign.path === '_id';
  const isOfOwn = local.traced && local.path === '_id' && local.namespace === join.foreign.base;
  if (join.stage === '$graphLookup' || isOfOwn) return { relation: 'tree', fanOut: null };
  if (elements !== null)
    return isOfId ? { relation: 'array-of-references', fanOut: elements } : { relation: 'other', fanOut: null };
  if (isOfId) return { relation: 'reference', fanOut: 1 };
  if (!local.traced || local.path !== '_id') return { relation: 'other', fanOut: null };
  const [outer, joined] = [documentsOf(cluster, local.namespace), documentsOf(cluster, join.foreign.base)];
  return { relation: 'children', fanOut: outer === null || joined === null || outer === 0 ? null : joined / outer };
}

/**
 * Whether a `$match` on joined fields discards most of the joined documents, and nothing before the join keeps them
 * few. The server itself moves a `$match` on the outer document ahead of the join, and so `$sort` and `$limit`
 * (measured on 6.0.5, in both engines).
 */
export function filtersAfterJoining({ joins, figures, operation }: JoiningOperation, cluster: JoinedCluster): boolean {
  const [first] = joins;
  if (first === undefined || figures.documentsReturned === null || operation.shape.truncated === true) return false;
  const documents = documentsOf(cluster, first.source.base);
  if (!first.position.filteredAfter || documents === null) return false;
  return figures.documentsReturned / figures.executions <= SELECTIVE_SHARE * documents;
}
