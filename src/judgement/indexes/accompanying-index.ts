import type { RemedyStep } from '../../finding.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { indexRelation } from '../../inventory/index-relation.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { shellStatement, spacedJson } from '../shell-statement.js';
import { indexName, plainIndex, proposeIndexes } from './index-proposal.js';
import { supersededStep } from './index-steps.js';

/**
 * The index that a change of the application needs: the statement that creates it, and which others it makes superfluous. If
 * one serves already, its name.
 *
 * @param why what it is for, as a sentence
 */
export function accompanyingIndex(key: IndexDescription['key'], known: JoinedCollection, why: string): RemedyStep[] {
  const { collection, indexes } = known;
  const create = {
    text: `${why} The build scans the collection.`,
    code: shellStatement(collection.namespace, 'createIndex', spacedJson(key)),
  };
  if (!indexes.present) return [create];
  const wanted = plainIndex(key, null, indexName(key));
  const serving = indexes.value.find((index) => indexRelation(wanted, index) !== null);
  if (serving !== undefined) return [{ text: `The index \`${serving.name}\` serves that already.` }];
  const proposals = proposeIndexes([{ key, collation: null, isServedBy: () => false }], known);
  return [create, ...supersededStep(proposals.flatMap(({ supersedes }) => supersedes))];
}
