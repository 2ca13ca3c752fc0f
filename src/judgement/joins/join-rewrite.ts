import { joinObstacle } from '../indexes/usability/join-indexability.js';
import type { Hindrance, JoinKey, Rewrite } from '../../workload/joins/join.js';
import { equalityJoinOf, isIndexable } from './equality-join-of.js';
import type { JoinedCluster } from './joined-cluster.js';
import type { UnindexableJoin } from './unserved-joins.js';

/** Why no index can serve a join, and how to write it so that one can; sentences for people. */
export interface JoinRewrite {
  readonly because: string;
  readonly rewrite: string;
}

const BECAUSE: Readonly<Record<Hindrance, string>> = {
  membership: 'it compares with `$in` inside `$expr`, for which the server uses no index',
  'converted-foreign-field':
    'it converts the foreign field before it compares, and an index holds the field as it is stored',
  'computed-foreign-field': 'it compares with a value computed from the foreign document, which no index holds',
  'wrapped-comparison': 'the comparison lies within another expression, where the server does not see it',
  inequality: 'it asks for what is not equal, which is nearly everything',
  alternatives:
    'one of its alternatives compares nothing with the outer document, and an index serves all alternatives or none',
  'stage-before': 'a stage stands before the comparison that the server cannot move it ahead of',
  'nested-rename': 'a stage before renames the field from a nested path, which the server does not see through',
};

const REWRITES: Readonly<Record<Rewrite, string>> = {
  'use-local-and-foreign-field':
    'Write the join with localField and foreignField: they compare with each element of an array by themselves, and can use an index on the foreign field.',
  'compare-each-field':
    "Compare each of the fields by itself, {$or: [{$eq: ['$field', '$$variable']}, {$eq: ['$other', '$$variable']}]}, and index every one of them.",
  'convert-local-side':
    'Convert the outer side in `let`, as in {id: {$toObjectId: "$customerId"}}, or store both keys as one type; then compare the foreign field itself.',
  'store-computed-field': 'Store the computed value in a field of its own, index that, and compare with it.',
  'compare-field-with-variable':
    "Compare the field with the variable directly, {$eq: ['$field', '$$variable']}, joined by $and where there is more.",
  'split-alternatives':
    'Make it two joins, one for each alternative, or one join with the alternative that compares and a $match behind it.',
  'match-before-stage': 'Move the comparison ahead of the stage, or join the collection in place of its view.',
  'compare-stored-path': 'Compare with the path as it is stored, in place of its new name.',
};

const NO_REWRITE =
  'Turn the join around: start from the documents that are wanted, or keep what is asked for in the outer document.';

/** What to say of a join that no index can serve. */
export function joinRewrite({ use, key, namespace }: UnindexableJoin, cluster: JoinedCluster): JoinRewrite {
  if (isIndexable(key)) {
    const foreign = cluster.collections.get(namespace)?.collection;
    const obstacle = foreign === undefined ? null : joinObstacle(equalityJoinOf(use, key, cluster), foreign);
    return {
      because: obstacle ?? 'of how it is written',
      rewrite:
        'Write the join so that the server can look the values up, or keep what is joined in the outer document.',
    };
  }
  return hindrance(key);
}

function hindrance({ index }: JoinKey): JoinRewrite {
  if (index.possible !== false) throw new Error('Only a key that is hindered is to be written anew.');
  const stage = index.stage === null ? '' : ` (${index.stage})`;
  return {
    because: `${BECAUSE[index.because]}${stage}`,
    rewrite: index.rewrite === null ? NO_REWRITE : REWRITES[index.rewrite],
  };
}
