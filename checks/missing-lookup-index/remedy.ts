import type { Problem } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { adviceOn } from '../../src/judgement/advice/collection-advice.js';
import { proposalsFor } from '../../src/judgement/advice/needed-index.js';
import { indexSteps } from '../../src/judgement/indexes/index-steps.js';
import { unusableIndexes } from '../../src/judgement/joins/join-indexes.js';
import { needsOfJoins } from '../../src/judgement/joins/join-needs.js';
import type { JoinedCluster, JoinedCollection } from '../../src/judgement/joins/joined-cluster.js';
import type { UnindexableJoin, UnindexedJoin } from '../../src/judgement/joins/unserved-joins.js';

const REASON = 'The joins then look up the few documents that they need.';
const REWRITTEN = 'Run mongolint again once the application uses the new join: it may then need an index.';

/** Why no index serves the joins of one field, and what to do: an index, a rewrite, or both. */
export function whyAndRemedy(
  joins: readonly (UnindexedJoin | UnindexableJoin)[],
  known: JoinedCollection,
  cluster: JoinedCluster,
): Pick<Problem, 'remedy' | 'proposes' | 'proposesInPart'> & { why: string } {
  const unindexed = joins.filter((join) => join.kind === 'unindexed');
  const [first] = unindexed;
  const obstacle = joins.find((join) => join.kind === 'unindexable')?.obstacle;
  const rewritten = obstacle === undefined ? [] : stepsOf(obstacle.instead, REWRITTEN);
  if (first === undefined)
    return { why: `No index can serve this join: ${obstacle?.because}.`, remedy: { steps: rewritten } };
  const [near] = unusableIndexes(first.use, first.keys[0], cluster);
  const here =
    near === undefined
      ? 'No index there serves it.'
      : `The index ${near.index.name} does not serve it: ${near.because}.`;
  const why = obstacle === undefined ? here : `${here} No index can serve some of the joins: ${obstacle.because}.`;
  const others = obstacle === undefined ? [] : stepsOf('Rewrite the other joins, as follows.', ...rewritten);
  if (first.path === '_id')
    return { why, remedy: { steps: stepsOf('A second index on `_id` would serve it no better.', ...others) } };
  const advice = adviceOn(first.namespace, cluster);
  const indexes = needsOfJoins(unindexed, cluster).flatMap((need) => advice.indexesFor(need));
  const proposes = proposalsFor([...new Set(indexes)], known);
  return {
    why,
    remedy: { steps: [...indexSteps(proposes, REASON), ...others] },
    proposes,
    ...(others.length > 0 && { proposesInPart: true }),
  };
}
