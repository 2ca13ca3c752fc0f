import type { RemedyStep } from '../../src/finding.js';
import { isSameCollation } from '../../src/inventory/collation.js';
import { formatIndexKey } from '../../src/inventory/index-key.js';
import { indexName, plainIndex, proposeIndexes, type WantedIndex } from '../../src/judgement/indexes/index-proposal.js';
import { type IndexRemedy, indexSteps } from '../../src/judgement/indexes/index-steps.js';
import { equalityJoinOf, isIndexable } from '../../src/judgement/joins/equality-join.js';
import { serves, unusableIndexes } from '../../src/judgement/joins/join-indexes.js';
import { joinObstacle } from '../../src/judgement/joins/join-obstacle.js';
import {
  collationOf,
  fieldTypesOn,
  type JoinedCluster,
  type JoinedCollection,
} from '../../src/judgement/joins/joined-cluster.js';
import { holdsArrays } from '../../src/judgement/joins/joined-values.js';
import type { UnindexableJoin, UnindexedJoin } from '../../src/judgement/joins/unserved-joins.js';
import type { Hindrance, JoinKey, Rewrite } from '../../src/workload/joins/join.js';

type Joins = readonly [UnindexedJoin, ...UnindexedJoin[]];

const REASON = 'The joins then look up the few documents that they need.';

/** The index that serves joins on one field; nothing is proposed if the server would not use it. */
export function joinIndexRemedy(joins: Joins, cluster: JoinedCluster): IndexRemedy {
  const [{ namespace }] = joins;
  const known = cluster.collections.get(namespace);
  if (known === undefined) throw new Error(`${namespace} is not among the collections.`);
  const wanted = wantedIndexes(joins, known, cluster);
  const proposes = proposeIndexes(wanted, known);
  const isUnhidden = proposes.some(({ action }) => action === 'unhide');
  const [obstacle] = isUnhidden
    ? []
    : joins.flatMap((join) => wanted.flatMap((index) => whyNot(index, join, cluster) ?? []));
  if (obstacle === undefined) return { remedy: { steps: indexSteps(proposes, REASON) }, proposes };
  const key = formatIndexKey(wanted[0]?.key ?? {});
  return {
    remedy: { steps: [{ text: `The server would not use an index on ${key} here: ${obstacle}.` }] },
    proposes: [],
  };
}

/** One index, or one for each collation that the joins compare by. A hidden one must do for all of the joins. */
function wantedIndexes(joins: Joins, { collection }: JoinedCollection, cluster: JoinedCluster): WantedIndex[] {
  const key = Object.fromEntries(commonPaths(joins, cluster).map((path) => [path, 1 as const]));
  const wanted: WantedIndex[] = [];
  for (const { use } of joins) {
    const collation = collationOf(cluster, use);
    if (wanted.some((index) => isSameCollation(index.collation, collation))) continue;
    wanted.push({
      key,
      collation: isSameCollation(collation, collection.collation) ? (collection.collation ?? null) : collation,
      isServedBy: (index) => joins.every((join) => serves(index, join.use, join.keys[0], cluster)),
    });
  }
  return wanted;
}

/** The joined path, and further ones that all of the joins set equal to something; two arrays do not fit into one index. */
function commonPaths(joins: Joins, cluster: JoinedCluster): readonly string[] {
  const [{ path, namespace, keys }] = joins;
  const fieldTypes = fieldTypesOn(cluster, namespace);
  const further = keys
    .map(({ index }) => index.path)
    .filter((other) => other !== path && holdsArrays(fieldTypes, other) === false);
  const isCommon = (other: string) => joins.every((join) => join.keys.some(({ index }) => index.path === other));
  return [path, ...new Set(further.filter(isCommon))];
}

/** Why the server would not use a new index for a join; null if it would. */
function whyNot(
  { key, collation }: WantedIndex,
  { use, keys: [first] }: UnindexedJoin,
  cluster: JoinedCluster,
): string | null {
  if (!isSameCollation(collation, collationOf(cluster, use))) return null;
  if (first.index.path === '_id')
    return unusableIndexes(use, first, cluster)[0]?.because ?? 'an index on _id is there already';
  const index = plainIndex(key, collation, indexName(key));
  return serves(index, use, first, cluster) ? null : 'the way in which the join is written prevents it';
}

interface JoinRewrite {
  /** A clause. */
  readonly because: string;
  readonly step: RemedyStep;
}

const BECAUSE: Readonly<Record<Hindrance, string>> = {
  membership: 'it compares with `$in` inside `$expr`, for which the server uses no index',
  'converted-foreign-field':
    'it converts the foreign field before the comparison, but an index holds the field as it is stored',
  'computed-foreign-field': 'it compares with a value computed from the foreign document, which no index holds',
  'wrapped-comparison': 'the comparison is within another expression, in which the server does not look for it',
  inequality: 'it asks for values that are not equal, which is nearly everything',
  alternatives:
    'one of its alternatives compares nothing with the outer document, and an index serves all alternatives or none',
  'stage-before': 'the server cannot move the comparison ahead of a stage before it',
  'nested-rename':
    'a stage before the comparison renames the field from a nested path, which the server does not follow',
};

const REWRITES: Readonly<Record<Rewrite, RemedyStep>> = {
  'use-local-and-foreign-field': {
    text: 'Write the join with `localField` and `foreignField`. They compare each element of an array, and can use an index on the foreign field.',
    code: '{ $lookup: { from: "collection", localField: "field", foreignField: "other", as: "joined" } }',
  },
  'compare-each-field': {
    text: 'Compare each field by itself, and index every one of them.',
    code: '{ $or: [{ $eq: ["$field", "$$variable"] }, { $eq: ["$other", "$$variable"] }] }',
  },
  'convert-local-side': {
    text: 'Convert the outer side in `let`, or store both keys as one type. Then compare the foreign field itself.',
    code: 'let: { id: { $toObjectId: "$customerId" } }',
  },
  'store-computed-field': {
    text: 'Store the computed value in a field of its own, index that field, and compare with it.',
  },
  'compare-field-with-variable': {
    text: 'Compare the field with the variable directly. Combine it with other conditions by `$and`.',
    code: '{ $eq: ["$field", "$$variable"] }',
  },
  'split-alternatives': {
    text: 'Make it two joins, one for each alternative. Or keep the alternative that compares in the join, and put a `$match` after it.',
  },
  'match-before-stage': {
    text: 'Move the comparison before the stage, or join the collection instead of its view.',
  },
  'compare-stored-path': { text: 'Compare with the path as it is stored, not with its new name.' },
};

const NO_REWRITE: RemedyStep = {
  text: 'Reverse the join: start from the documents to return. Or store the searched value in the outer document.',
};

export function joinRewrite({ use, key }: UnindexableJoin, cluster: JoinedCluster): JoinRewrite {
  if (!isIndexable(key)) return hindrance(key);
  return {
    because: joinObstacle(equalityJoinOf(use, key, cluster)) ?? 'of how it is written',
    step: {
      text: 'Write the join so that the server can look up the values, or store the joined data in the outer document.',
    },
  };
}

function hindrance({ index }: JoinKey): JoinRewrite {
  if (index.possible !== false) throw new Error('Only a key that no index can serve is to be rewritten.');
  const stage = index.stage === null ? '' : ` (${index.stage})`;
  return {
    because: `${BECAUSE[index.because]}${stage}`,
    step: index.rewrite === null ? NO_REWRITE : REWRITES[index.rewrite],
  };
}
