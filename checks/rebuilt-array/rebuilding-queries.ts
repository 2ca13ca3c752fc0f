import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { queryCost, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { namesAreKept } from '../../src/judgement/pipelines/names-are-kept.js';
import { rebuiltArray, type RebuiltArray } from './rebuilt-arrays.js';

/** A recorded aggregate that takes an array apart and rebuilds it. */
export interface RebuildingQuery extends RebuiltArray {
  readonly query: Query;
  readonly cost: QueryCost;
  /** Returned per execution. */
  readonly documents: number;
  /** Made of elements per execution, by the average length of the arrays. */
  readonly unwound: number;
}

/** On collections that are not sharded: only there is `_id` surely unique. */
export function rebuiltArrays(cluster: JoinedCluster): RebuildingQuery[] {
  return queriesOf(cluster).flatMap((query): RebuildingQuery[] => {
    const { pipeline, namespace, truncated } = query.operation.shape;
    const { collection, fieldTypes } = query.known;
    if (pipeline === undefined || truncated === true || namespace !== collection.namespace) return [];
    if (collection.sharding !== undefined || !fieldTypes.present || !namesAreKept(pipeline)) return [];
    const rebuilt = rebuiltArray(pipeline, fieldTypes.value);
    const cost = queryCost([query], cluster.workload);
    const documents = cost?.documentsReturned ?? null;
    if (rebuilt === null || cost === null || documents === null) return [];
    return [{ ...rebuilt, query, cost, documents, unwound: documents * rebuilt.elements }];
  });
}
