import type { ChildFamilies } from '../../evidence/children/children.js';
import type { FieldTypes } from '../../evidence/documents/field-types.js';
import { REMEDY_FIELD_PREFIX } from '../../workload/operations/internal-operation.js';
import type { TextRemedy } from '../../finding.js';
import { plural } from '../../format.js';
import { nameOf } from '../../namespace.js';
import { shellCollection } from '../../shell-collection.js';
import { fieldTypesOn, type JoinedCluster } from './joined-cluster.js';

/** The field that the parents of a child are joined into, where it is seen whether there are any. */
const PARENTS = `${REMEDY_FIELD_PREFIX}Parents`;

/** How to embed children into their parents: the pipeline that does it, and what has to be done around it. */
export function embedRemedy(families: ChildFamilies, as: string | null, cluster: JoinedCluster): TextRemedy {
  const { parent, child, path, complete, orphans } = families;
  const [parentName, childName] = [nameOf(parent), nameOf(child)];
  const field = freeField(as, childName, fieldTypesOn(cluster, parent));
  const isSingle = complete && families.children.most === 1;
  const pipeline = [
    { $lookup: { from: childName, localField: '_id', foreignField: path, pipeline: [{ $unset: path }], as: field } },
    { $project: { ...shardKeyFields(cluster, parent), [field]: isSingle ? { $first: `$${field}` } : 1 } },
    // Without `on`, documents are found by _id and the whole shard key.
    { $merge: { into: parentName, whenMatched: 'merge', whenNotMatched: 'discard' } },
  ];
  const ends = isSingle ? `an object \`${field}\`` : `an array \`${field}\``;
  const withoutParent = [
    { $lookup: { from: parentName, localField: path, foreignField: '_id', as: PARENTS } },
    { $match: { [PARENTS]: [] } },
    { $count: 'withoutParent' },
  ];
  const largest = `\`${shellCollection(child)}.aggregate([{"$sortByCount":${JSON.stringify(`$${path}`)}},{"$limit":5}])\``;
  return {
    text:
      (orphans === 0
        ? ''
        : `First see to the ${plural(orphans, 'document')} of ${childName} whose parent is not there. `) +
      `Embed ${child} into ${parent}, as ${ends} of each document. See first that none has such a field for something else, since it would be ` +
      `replaced: \`${shellCollection(parent)}.countDocuments({${JSON.stringify(field)}:{"$exists":true}})\`` +
      (isSingle ? `; and that no parent has a second child by now, since one alone is kept: ${largest}. ` : '. ') +
      `Let the application write both places, then fill the field ` +
      `(MongoDB 5.0+; at a quiet hour, it writes every document of ${parentName}): \`${shellCollection(parent)}.aggregate(${JSON.stringify(pipeline)})\`. ` +
      `Then run it again if children were written meanwhile, but never after ${childName} is no longer kept up: it sets the whole field anew. ` +
      `Read ${parentName} without the join${isSingle ? '' : ', limit what is added with $push and $slice or a validator with maxItems'}. ` +
      `Once nothing reads ${childName} any more, and this counts none that a drop would lose, drop it: \`${shellCollection(child)}.aggregate(${JSON.stringify(withoutParent)})\`.` +
      (complete ? '' : ` Before all this, see the largest families: ${largest}.`),
  };
}

/** What a document of a sharded collection is found by besides its `_id`. */
function shardKeyFields({ collections }: JoinedCluster, namespace: string): Record<string, 1> {
  const key = collections.get(namespace)?.collection.sharding?.key ?? [];
  return Object.fromEntries(key.map(({ path }) => [path, 1]));
}

/** The name that the application knows the children by, unless the parents have a field of that name. */
function freeField(as: string | null, childName: string, fieldTypes: FieldTypes | null): string {
  const plain = childName.slice(childName.lastIndexOf('.') + 1);
  const isTaken = (name: string) => fieldTypes?.fields.some(({ path }) => path === name) ?? false;
  const candidates = [...(as === null || as.includes('.') ? [] : [as]), plain];
  return candidates.find((name) => !isTaken(name)) ?? `embedded_${plain}`;
}
