import {
  type Collection,
  defineCheck,
  type IndexDescription,
  type Problem,
  type RemedyStep,
  type Verdict,
} from '../src/check.js';
import { plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { formatIndexKey } from '../src/inventory/index-key.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { shellCollection } from '../src/namespace.js';

export const inconsistentIndexes = defineCheck({
  id: 'inconsistent-indexes',
  title: 'Index missing on a shard',
  summary: 'an index that some shards of a collection have and others lack',
  appliesTo: ['collection'],
  appliesWhere: 'sharded',
  needs: ['sharding', 'indexes', 'indexUsage'],
  thresholds: {},
  judge({ collection, sharding, indexes, indexUsage }) {
    const owners = sharding.parts.filter(({ chunks }) => chunks > 0).map(({ shard }) => shard);
    if (owners.length < 2) return [];
    // Each node of a shard that answered: an index that one of them has is there, as the others follow it.
    const namesOn = new Map(
      Array.from(
        groupedBy(indexUsage.nodes, ({ shard }) => shard),
        ([shard, nodes]) => [shard, new Set(nodes.flatMap(({ indexes: own }) => Object.keys(own)))],
      ),
    );
    const silent = owners.filter((shard) => !namesOn.has(shard));
    const known = owners.filter((shard) => namesOn.has(shard));
    const building = new Set(indexUsage.nodes.flatMap((node) => node.building ?? []));
    const names = new Set(known.flatMap((shard) => [...(namesOn.get(shard) ?? [])]));
    return [
      ...(silent.length === 0 ? [] : [notAnswered(silent)]),
      ...[...names].flatMap((name): Verdict[] => {
        const lacking = known.filter((shard) => namesOn.get(shard)?.has(name) !== true);
        if (lacking.length === 0) return [];
        if (building.has(name)) return [inBuild(name)];
        return [missing(collection, name, { lacking, owners }, indexes)];
      }),
    ];
  },
});

function missing(
  collection: Collection,
  name: string,
  { lacking, owners }: { readonly lacking: readonly string[]; readonly owners: readonly string[] },
  indexes: readonly IndexDescription[],
): Problem {
  const index = indexes.find((each) => each.name === name);
  const isUnique = index?.unique === true;
  const what = index === undefined ? `\`${name}\`` : `\`${name}\` \`${formatIndexKey(index.key)}\``;
  return {
    severity: isUnique ? 'error' : 'warning',
    confidence: 'high',
    path: name,
    message:
      `Index ${what} is missing on ${lacking.join(', ')}: ${lacking.length} of ${plural(owners.length, 'shard')} that hold documents. ` +
      `A query that needs it reads all documents there${isUnique ? ', and duplicates are accepted' : ''}.`,
    evidence: {
      source: '$indexStats, config.chunks',
      window: 'the moment of this run',
      missingOn: [...lacking],
      shards: owners.length,
    },
    remedy: { steps: remedySteps(collection, index, isUnique) },
  };
}

function notAnswered(silent: readonly string[]): Verdict {
  return {
    notJudged: 'insufficient',
    detail: `${silent.join(', ')} did not say which indexes there are; run again when every shard answers.`,
  };
}

function inBuild(name: string): Verdict {
  return { notJudged: 'insufficient', detail: `the index ${name} is being built; run again when it is done.` };
}

function remedySteps(
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
      code: `${shellCollection(namespace)}.aggregate([{ "$indexStats": {} }, { "$group": { "_id": "$name", "shards": { "$addToSet": "$shard" } } }])`,
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
