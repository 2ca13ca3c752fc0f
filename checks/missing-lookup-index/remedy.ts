import type { Problem } from '../../src/check.js';
import { adviceOn } from '../../src/judgement/advice/collection-advice.js';
import { proposalsFor } from '../../src/judgement/advice/needed-index.js';
import { type IndexRemedy, indexSteps } from '../../src/judgement/indexes/index-steps.js';
import { equalityJoinOf, isIndexable } from '../../src/judgement/joins/equality-join.js';
import { unusableIndexes } from '../../src/judgement/joins/join-indexes.js';
import { needsOfJoins } from '../../src/judgement/joins/join-needs.js';
import { joinObstacle } from '../../src/judgement/joins/join-obstacle.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { UnindexableJoin, UnindexedJoin } from '../../src/judgement/joins/unserved-joins.js';
import { stepsOf } from '../../src/remedy.js';
import type { Hindrance } from '../../src/workload/joins/join.js';
import type { JoinedField } from './joined-field.js';

type Joins = readonly [UnindexedJoin, ...UnindexedJoin[]];

const REASON = 'The joins then look up the few documents that they need.';

const CHECK_AGAIN = 'Run mongolint again once the application uses the new join: it may then need an index.';

/** Why no index serves the joins, and what to do: an index, a rewrite, or both. */
export function whyAndRemedy(
  joins: JoinedField['joins'],
  cluster: JoinedCluster,
): Pick<Problem, 'remedy' | 'proposes' | 'proposesInPart'> & { why: string } {
  const [unindexed, ...further] = joins.filter((join): join is UnindexedJoin => join.kind === 'unindexed');
  const unindexable = joins.find((join): join is UnindexableJoin => join.kind === 'unindexable');
  const [because, instead] = unindexable === undefined ? [] : rewriteOf(unindexable, cluster);
  const rewritten = instead === undefined ? [] : stepsOf(instead, CHECK_AGAIN);
  if (unindexed === undefined)
    return { why: `No index can serve this join: ${because}.`, remedy: { steps: rewritten } };
  const [near] = unusableIndexes(unindexed.use, unindexed.keys[0], cluster);
  const here =
    near === undefined
      ? 'No index there serves it.'
      : `The index ${near.index.name} does not serve it: ${near.because}.`;
  const why = because === undefined ? here : `${here} No index can serve some of the joins: ${because}.`;
  if (unindexed.path === '_id')
    return { why, remedy: { steps: stepsOf('A second index on `_id` would serve it no better.', ...rewritten) } };
  const { remedy, proposes } = indexRemedy([unindexed, ...further], cluster);
  const others = rewritten.length === 0 ? [] : stepsOf('Rewrite the other joins, as follows.', ...rewritten);
  return {
    why,
    remedy: { steps: [...remedy.steps, ...others] },
    proposes,
    ...(others.length > 0 && { proposesInPart: true }),
  };
}

/** What the advisor gives the joins: one index, or one for each collation that they compare by. */
function indexRemedy(joins: Joins, cluster: JoinedCluster): IndexRemedy {
  const { namespace } = joins[0];
  const known = cluster.collections.get(namespace);
  if (known === undefined) throw new Error(`${namespace} is not among the collections.`);
  const advice = adviceOn(namespace, cluster);
  const indexes = needsOfJoins(joins, cluster).flatMap((need) => advice.indexesFor(need));
  const proposes = proposalsFor([...new Set(indexes)], known);
  return { remedy: { steps: indexSteps(proposes, REASON) }, proposes };
}

/** Why no index can serve a join, and how to write it instead. */
type Rewrite = readonly [because: string, instead: string];

const REWRITES: Readonly<Record<Hindrance, Rewrite>> = {
  membership: [
    'it compares with `$in` inside `$expr`, for which the server uses no index',
    'Write the join with `localField` and `foreignField`: they compare each element of an array, and can use an index on the foreign field. Compare several foreign fields in one `$or`, and index every one of them.',
  ],
  'converted-foreign-field': [
    'it converts the foreign field before the comparison, but an index holds the field as it is stored',
    'Convert the outer side in `let`, or store both keys as one type. Then compare the foreign field itself.',
  ],
  'computed-foreign-field': [
    'it compares with a value computed from the foreign document, which no index holds',
    'Store the computed value in a field of its own, index that field, and compare with it.',
  ],
  'wrapped-comparison': [
    'the comparison is within another expression, in which the server does not look for it',
    'Compare the field with the variable directly. Combine it with other conditions by `$and`.',
  ],
  inequality: [
    'it asks for values that are not equal, which is nearly everything',
    'Reverse the join: start from the documents to return. Or store the searched value in the outer document.',
  ],
  alternatives: [
    'one of its alternatives compares nothing with the outer document, and an index serves all alternatives or none',
    'Make it two joins, one for each alternative. Or keep the alternative that compares in the join, and put a `$match` after it.',
  ],
  'stage-before': [
    'the server cannot move the comparison ahead of a stage before it',
    'Move the comparison before the stage, or join the collection instead of its view.',
  ],
  'nested-rename': [
    'a stage before the comparison renames the field from a nested path, which the server does not follow',
    'Compare with the path as it is stored, not with its new name.',
  ],
};

const AS_WRITTEN =
  'Write the join so that the server can look up the values, or store the joined data in the outer document.';

function rewriteOf({ use, key }: UnindexableJoin, cluster: JoinedCluster): Rewrite {
  const { index } = key;
  if (index.possible !== false)
    return [
      (isIndexable(key) && joinObstacle(equalityJoinOf(use, key, cluster))) || 'of how it is written',
      AS_WRITTEN,
    ];
  const [because, instead] = REWRITES[index.because];
  return [index.stage === null ? because : `${because} (${index.stage})`, instead];
}
