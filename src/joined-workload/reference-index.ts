import type { Reference } from '../evidence/references/references.js';
import type { Operation } from '../evidence/workload/workload.js';
import { indexUsability } from '../index-usability/index-usability.js';
import type { EqualityJoin } from '../index-usability/equality-join.js';
import { isObjectShape } from '../evidence/workload/shape.js';
import { joinedFields, joinUses } from '../joins/workload-joins.js';
import type { JoinedCluster } from './joined-cluster.js';

/** True where an index finds the documents that refer to a given one. Where the indexes are not known, none does. */
export function isReferenceIndexed({ namespace, path }: Pick<Reference, 'namespace' | 'path'>, { collections, server }: JoinedCluster): boolean {
  const known = collections.get(namespace);
  if (known === undefined || !known.indexes.present) return false;
  const { collection, indexes } = known;
  // A find by one value that is not null, in the collection's own collation: what a look-up of one parent's documents is.
  const lookUp: EqualityJoin = {
    form: 'localField',
    foreignField: path,
    collation: collection.collation ?? null,
    withPipeline: true,
    localTypes: ['objectId'],
  };
  return indexes.value.some((index) => indexUsability(index, lookUp, collection, server).usable);
}

/** True where a join of the workload, or of a view, looks documents up by the field. */
export function isJoinedBy({ namespace, path }: Pick<Reference, 'namespace' | 'path'>, { workload }: JoinedCluster): boolean {
  return joinedFields(joinUses(workload)).some((field) => field.namespace === namespace && field.path === path);
}

/** Operations that ask for documents by the field, in the figures of the source that knows the most of each. */
export function searchesBy({ namespace, path }: Pick<Reference, 'namespace' | 'path'>, { workload }: JoinedCluster): Operation[] {
  return workload.operations.filter(({ shape }) => {
    if (shape.namespace !== namespace) return false;
    const [first] = shape.pipeline ?? [];
    const filter = shape.filter ?? first?.['$match'];
    return isObjectShape(filter) && path in filter;
  });
}
