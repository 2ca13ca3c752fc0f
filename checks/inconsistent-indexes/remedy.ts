import type { Collection, IndexDescription, RemedyStep } from '../../src/check.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';

export function remedySteps(
  { database, name, namespace }: Collection,
  index: IndexDescription | undefined,
  isUnique: boolean,
): RemedyStep[] {
  const text =
    'Create the index again through the router, with the same options. Shards that have it do nothing; the others scan their documents once.' +
    (isUnique ? ' Duplicates that were accepted meanwhile make it fail: remove them first.' : '');
  const specification = index === undefined ? null : specificationOf(index);
  return [
    specification === null
      ? { text, code: shellStatement(namespace, 'getIndexes') }
      : { text, command: { db: database, command: { createIndexes: name, indexes: [specification] } } },
    {
      text: 'Check that every shard has it. An index build on one shard may have failed: look into its log for the reason.',
      code: `db.getSiblingDB(${JSON.stringify(database)}).getCollection(${JSON.stringify(name)}).aggregate([{ "$indexStats": {} }, { "$group": { "_id": "$name", "shards": { "$addToSet": "$shard" } } }])`,
    },
  ];
}

/** Null if it has options that evidence holds in part only. */
function specificationOf(index: IndexDescription): RemedyCommandIndex | null {
  const { key, name, unique, sparse, hidden, collation, expireAfterSeconds, wildcardProjection } = index;
  const isWhole = index.partialFilterExpression === undefined && index.weights === undefined && !index.clustered;
  if (!isWhole || index.furtherOptions !== undefined || collation !== undefined) return null;
  return {
    key: { ...key },
    name,
    ...(unique && { unique }),
    ...(sparse && { sparse }),
    ...(hidden && { hidden }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    ...(wildcardProjection !== undefined && { wildcardProjection }),
  };
}

type RemedyCommandIndex = NonNullable<RemedyStep['command']>['command'][string];
