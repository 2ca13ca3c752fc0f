import type { NotJudged } from '../../check.js';
import type { RemedyCommand, RemedyStep } from '../../finding.js';
import { formatBytes, formatShare, plural } from '../../format.js';
import { localeOf } from '../../inventory/collation.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { formatIndexKey, hideIndexCommand, indexRelation } from '../../inventory/index-key.js';
import type { IndexProposal, PartialOption } from '../../inventory/index-proposal.js';
import { databaseOf, nameOf, shellCollection } from '../../namespace.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { shellAggregation, shellCommand, shellStatement, spacedJson } from '../shell-statement.js';
import { indexName, plainIndex, proposeIndexes } from './index-proposal.js';

/** 50 years in seconds: no document is that old. The server takes at most 2,147,483,647 (MongoDB manual, "TTL Indexes"). */
export const NEVER_SECONDS = 50 * 365 * 24 * 60 * 60;

/** A TTL index on a date that expires nothing yet, as a statement: it is created, unless an index on the field becomes one. */
export function firstExpiry(
  { collection, indexes }: Pick<JoinedCollection, 'collection' | 'indexes'>,
  path: string,
): string {
  const { namespace, database, name } = collection;
  const [key, expireAfterSeconds] = [{ [path]: 1 }, NEVER_SECONDS];
  const isThere = indexes.present && indexes.value.some((index) => spacedJson(index.key) === spacedJson(key));
  return isThere
    ? shellCommand(database, { collMod: name, index: { keyPattern: key, expireAfterSeconds } })
    : shellStatement(namespace, 'createIndex', spacedJson(key), spacedJson({ expireAfterSeconds }));
}

/** The digits of an estimate. */
const DIGITS = 2;

/**
 * @param reason a sentence: why these fields, or what the index is good for
 * @param isKey whether the fields are to be unique: nobody creates that index unattended
 */
export function indexSteps(proposals: readonly IndexProposal[], reason: string, isKey = false): RemedyStep[] {
  const [first] = proposals;
  if (!isKey || first === undefined) return [...buildingSteps(proposals, reason), ...followingSteps(proposals)];
  return [...uniqueSteps(first), ...followingSteps([{ ...first, name: uniqueName(first.key) }])];
}

/** How to find what is there twice, and to create a unique index, which the server accepts beside a plain one by its name. */
export function uniqueSteps({
  namespace,
  key,
  options: { collation } = {},
}: Pick<IndexProposal, 'namespace' | 'key'> & Partial<Pick<IndexProposal, 'options'>>): RemedyStep[] {
  const fields = Object.keys(key);
  const parts = fields.map((field, at) => `f${at}: ${JSON.stringify(`$${field}`)}`);
  return [
    {
      text: 'Find duplicates first and decide which to keep: a unique index cannot be built while any exist.',
      code: shellAggregation(
        namespace,
        `{ $group: { _id: { ${parts.join(', ')} }, documents: { $sum: 1 } } }`,
        '{ $match: { documents: { $gt: 1 } } }',
      ),
    },
    {
      text: 'Create the unique index; on a sharded collection it must begin with the shard key. The upsert that loses the race then fails with code 11000: run it again, and it updates.',
      code: shellStatement(
        namespace,
        'createIndex',
        formatIndexKey(key),
        `{ unique: true, name: ${JSON.stringify(uniqueName(key))}${collation === undefined ? '' : `, collation: ${spacedJson(collation)}`} }`,
      ),
    },
  ];
}

/** What may be created in the place of the indexes; nothing if they have no partial option. */
export function partialSteps(proposals: readonly IndexProposal[]): RemedyStep[] {
  return proposals.flatMap(({ namespace, options, partial }): RemedyStep[] => {
    if (partial === undefined) return [];
    const { field, key, name } = partial;
    const asked = `\`${field}: null\``;
    const settings = { name, partialFilterExpression: { [field]: null }, ...options };
    return [
      {
        text: `Or create a partial index in its place: every recorded query that it serves asks for ${asked}. ${savingText(partial)} A query without ${asked} can't use it.`,
        code: `${shellCollection(namespace)}.createIndex(${spacedJson(key)}, ${spacedJson(settings)})`,
      },
    ];
  });
}

function savingText({ leftOut, entries, bytes }: PartialOption): string {
  const saved = [
    ...(entries === null ? [] : [`some ${plural(Number(entries.toPrecision(DIGITS)), 'entry', 'entries')}`]),
    ...(bytes === null ? [] : [`an estimated ${formatBytes(bytes)}`]),
  ];
  const saving = saved.length === 0 ? '' : `, which saves ${saved.join(' and ')}`;
  return `It leaves out ${formatShare(leftOut)} of the documents, by the sample${saving}.`;
}

function uniqueName(key: IndexProposal['key']): string {
  return `${indexName(key)}_unique`;
}

export function buildingSteps(proposals: readonly IndexProposal[], reason: string): RemedyStep[] {
  const created = proposals.filter(({ action }) => action === 'create');
  const unhidden = proposals.filter(({ action }) => action === 'unhide').map(unhidingStep);
  const [first] = created;
  if (first === undefined) return unhidden;
  const command: RemedyCommand = {
    db: databaseOf(first.namespace),
    command: { createIndexes: nameOf(first.namespace), indexes: created.map(specification) },
  };
  return [
    ...unhidden,
    { text: `${creatingText([first, ...created.slice(1)])} ${reason} ${buildCost(first)}`, command },
  ];
}

/** How to see that the indexes are used, and which others are superfluous then. */
export function followingSteps(proposals: readonly IndexProposal[]): RemedyStep[] {
  const [first] = proposals;
  if (first === undefined) return [];
  const names = [...new Set(proposals.map(({ name }) => name))];
  const superseded = [...new Set(proposals.flatMap(({ supersedes }) => supersedes))];
  const stages = [{ $indexStats: {} }, { $match: { name: names.length === 1 ? names[0] : { $in: names } } }];
  return [
    ...partialSteps(proposals),
    {
      text: `Check that the ${names.length === 1 ? 'index is' : 'indexes are'} used: \`accesses.ops\` grows with each use.`,
      code: `${shellCollection(first.namespace)}.aggregate(${spacedJson(stages)})`,
    },
    ...supersededStep(superseded),
  ];
}

/** What to do about indexes that a new one makes superfluous; nothing if there are none. */
export function supersededStep(names: readonly string[]): RemedyStep[] {
  if (names.length === 0) return [];
  const [which, verb, it] =
    names.length === 1
      ? [`\`${names[0]}\``, 'is', 'it']
      : [names.map((name) => `\`${name}\``).join(' and '), 'are', 'them'];
  const text = `${which} ${verb} then redundant. Hide ${it} first, once no hint() names ${it}, and drop ${it} if nothing has become slower after some weeks.`;
  return [{ text, givesUp: [...names] }];
}

/** An index that nothing needs is hidden first, and dropped later. @param after how long to wait */
export function hidingSteps(collection: Collection, index: IndexDescription, after: string): RemedyStep[] {
  return [
    {
      text: `Hide \`${index.name}\`. The server keeps it up to date, so unhiding it takes no time. A query that names it in hint() fails.`,
      command: hideIndexCommand(collection, index),
      givesUp: [index.name],
    },
    dropHiddenStep(collection, index, after),
  ];
}

/** The time after which jobs that run rarely have run, for `dropHiddenStep` and `hidingSteps`. */
export const AFTER_A_CYCLE = "a full cycle of the application's jobs, such as a month,";

/** @param after how long to wait */
export function dropHiddenStep(
  { namespace }: Pick<Collection, 'namespace'>,
  { name }: Pick<IndexDescription, 'name'>,
  after: string,
): RemedyStep {
  return {
    text: `If nothing has become slower after ${after} drop it; else unhide it. Only a new build brings a dropped index back.`,
    code: `${shellCollection(namespace)}.dropIndex(${JSON.stringify(name)})`,
    givesUp: [name],
  };
}

function unhidingStep({ namespace, name, key }: IndexProposal): RemedyStep {
  return {
    text: `Unhide the index \`${name}\` on ${formatIndexKey(key)} of ${namespace}: it serves this as soon as it is visible. That takes no time, since the server has kept it up to date.`,
    command: {
      db: databaseOf(namespace),
      command: { collMod: nameOf(namespace), index: { name, hidden: false } },
    },
  };
}

function specification({ key, name, options: { collation, sparse } }: IndexProposal) {
  return {
    key: { ...key },
    name,
    ...(sparse === true && { sparse }),
    ...(collation !== undefined && { collation: { ...collation } }),
  };
}

function creatingText(created: readonly [IndexProposal, ...IndexProposal[]]): string {
  const keys = [...new Set(created.map(({ key }) => formatIndexKey(key)))];
  const collations = created.flatMap(({ options: { collation } }) =>
    collation === undefined ? [] : [localeOf(collation)],
  );
  const withCollation =
    collations.length === 0 ? '' : `, with the collation that strings are compared by (${collations.join('; ')})`;
  const what = created.length > 1 ? 'indexes' : created[0].options.sparse === true ? 'a sparse index' : 'an index';
  return `Create ${what} on ${keys.join(' and ')} of ${created[0].namespace}${withCollation}.`;
}

function buildCost({ documents }: IndexProposal): string {
  const what =
    documents === null
      ? 'the whole collection'
      : documents === 1
        ? '1 document'
        : `all ${plural(documents, 'document')}`;
  return `The build reads ${what} on every member that holds data, while reads and writes go on.`;
}

export function indexInBuild(namespace: string, index: string): NotJudged {
  return {
    notJudged: 'insufficient',
    detail: `what the index ${index} of ${namespace} will serve: it is still being built. Run again when it is done.`,
  };
}

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
