import type { Problem, RemedyStep } from '../../src/check.js';
import { joinIndexRemedy } from './join-index-remedy.js';
import { joinRewrite } from './join-rewrite.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { UnindexableJoin, UnindexedJoin } from '../../src/judgement/joins/unserved-joins.js';
import { unusableIndexes } from '../../src/judgement/joins/usable-indexes.js';
import { spacedJson } from '../../src/judgement/spaced-json.js';
import type { JoinedField } from './joined-field.js';

const CHECK_AGAIN: RemedyStep = {
  text: 'Run mongolint again once the application uses the new join: it may then need an index.',
};

/** Why no index serves the joins, and what to do: an index, a rewrite, or both. */
export function whyAndRemedy(
  joins: JoinedField['joins'],
  cluster: JoinedCluster,
): Pick<Problem, 'remedy' | 'proposes'> & { why: string } {
  const [unindexed, ...furtherUnindexed] = joins.filter((join): join is UnindexedJoin => join.kind === 'unindexed');
  const unindexable = joins.find((join): join is UnindexableJoin => join.kind === 'unindexable');
  const rewriting = unindexable === undefined ? null : joinRewrite(unindexable, cluster);
  const rewritten = rewriting === null ? [] : [rewriting.step, CHECK_AGAIN];
  if (unindexed === undefined)
    return { why: `No index can serve this join: ${rewriting?.because}.`, remedy: { steps: rewritten } };
  const byIndex = joinIndexRemedy([unindexed, ...furtherUnindexed], cluster);
  const [near] = unusableIndexes(unindexed.use, unindexed.keys[0], cluster);
  const why =
    near === undefined
      ? 'No index there serves it.'
      : `The index ${near.index.name} does not serve it: ${near.because}.`;
  if (rewriting === null) return { why, ...byIndex };
  return {
    why: `${why} No index can serve some of the joins: ${rewriting.because}.`,
    remedy: {
      steps: [
        ...byIndex.remedy.steps.map(withoutCommand),
        { text: 'Rewrite the other joins, as follows.' },
        ...rewritten,
      ],
    },
  };
}

/** As code: an index alone does not make the finding go away if some of the joins have to be rewritten. */
function withoutCommand({ text, command, code }: RemedyStep): RemedyStep {
  const shown =
    command === undefined
      ? code
      : `db.getSiblingDB(${JSON.stringify(command.db)}).runCommand(${spacedJson(command.command)})`;
  return { text, ...(shown !== undefined && { code: shown }) };
}
