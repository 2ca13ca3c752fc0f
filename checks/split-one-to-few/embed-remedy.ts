import type { ChildFamilies, Remedy } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { plural } from '../../src/format.js';
import { fieldTypesOn, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { shellAggregation, shellStatement, spacedJson } from '../../src/judgement/shell-statement.js';
import { nameOf } from '../../src/namespace.js';
import { REMEDY_FIELD_PREFIX } from '../../src/workload/operations/recorded-command.js';

export function embedRemedy(families: ChildFamilies, as: string | null, cluster: JoinedCluster): Remedy {
  const { parent, child, path, complete, orphans } = families;
  const field = freeField(as, parent, child, cluster);
  const parents = `${REMEDY_FIELD_PREFIX}Parents`;
  const isSingle = complete && families.children.most === 1;
  const largest = aggregation(child, { $sortByCount: `$${path}` }, { $limit: 5 });
  const children = { from: nameOf(child), localField: '_id', foreignField: path, as: field };
  // $merge finds documents of a sharded collection by _id and the whole shard key.
  const fields = cluster.collections.get(parent)?.collection.sharding?.key ?? [];
  const shardKey = Object.fromEntries(fields.map((each) => [each.path, 1]));
  return {
    steps: stepsOf(
      ...onlyIf(!complete, {
        text: `Look at the largest families: only a part of them was counted. This reads all of ${child}.`,
        code: largest,
      }),
      ...onlyIf(
        orphans > 0,
        `Decide what becomes of the ${plural(orphans, 'document')} of ${child} without a parent: nothing will embed them.`,
      ),
      {
        text: `Check that no document of ${parent} uses \`${field}\` for something else: it would be replaced. The count must be 0.`,
        code: shellStatement(parent, 'countDocuments', spacedJson({ [field]: { $exists: true } })),
      },
      ...onlyIf(isSingle, {
        text: `Check that no parent has got a second child: only one would be kept. This reads all of ${child}. Every count must be 1.`,
        code: largest,
      }),
      `Let the application write both places: ${child} and \`${field}\` of ${parent}.`,
      {
        text: `Fill \`${field}\` of each document with ${isSingle ? 'its child, as an object' : 'its children, as an array'}. This writes every document of ${parent}, so run it at a quiet hour. Run it again if children were written meanwhile. Never run it once ${child} is no longer kept up to date: it replaces the whole field. It needs MongoDB 5.0 or later.`,
        code: aggregation(
          parent,
          { $lookup: { ...children, pipeline: [{ $unset: path }] } },
          { $project: { ...shardKey, [field]: isSingle ? { $first: `$${field}` } : 1 } },
          { $merge: { into: nameOf(parent), whenMatched: 'merge', whenNotMatched: 'discard' } },
        ),
      },
      `Read ${parent} without the join.${isSingle ? '' : ' Limit what is added, with `$push` and `$slice` or a validator with `maxItems`.'}`,
      {
        text: `Once nothing reads ${child} any more, count the documents that a drop would lose. No result means none.`,
        code: aggregation(
          child,
          { $lookup: { from: nameOf(parent), localField: path, foreignField: '_id', as: parents } },
          { $match: { [parents]: [] } },
          { $count: 'withoutParent' },
        ),
      },
      `If there are none, drop ${child}. This cannot be undone.`,
    ),
  };
}

function aggregation(namespace: string, ...stages: readonly object[]): string {
  return shellAggregation(namespace, ...stages.map(spacedJson));
}

/** The field that the joins put the children into, unless the parents have a field of that name. */
function freeField(as: string | null, parent: string, child: string, cluster: JoinedCluster): string {
  const plain = nameOf(child).split('.').at(-1) ?? '';
  const taken = fieldTypesOn(cluster, parent)?.fields.map(({ path }) => path) ?? [];
  const candidates = [...(as === null || as.includes('.') ? [] : [as]), plain];
  return candidates.find((name) => !taken.includes(name)) ?? `embedded_${plain}`;
}
