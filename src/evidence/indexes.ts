import { type Document, MongoServerSelectionError } from 'mongodb';
import { AnswerShapeError, documentIn, neededDocument, neededNumber, neededText, textIn } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause, skipReason } from '../connect/server-error.js';
import { groupedBy } from '../grouped-by.js';
import { isSimpleCollation } from '../inventory/collation.js';
import type { Collection, IndexDescription } from '../inventory/collection.js';
import type { GroupedStatistics } from '../inventory/groups/grouped-statistics.js';
import { isIdIndex } from '../inventory/index-key.js';
import { COLLECTION_SIZES } from '../inventory/storage.js';
import { type Evidence, present } from '../presence.js';
import { compareTexts } from '../text/compare-texts.js';
import { INDEX_STATISTICS } from './index-usage.js';

/** JavaScript puts such names before all others. */
const WHOLE_NUMBER = /^\d+$/;

/**
 * The indexes as the server lists them. A router lists them from one shard or another: of a sharded collection, each is also
 * read from every shard that holds a part of it, if the user may.
 *
 * @param grouped the collection is asked about alone without it
 */
export async function readIndexes(
  reader: ClusterReader,
  collection: Collection,
  grouped?: GroupedStatistics,
): Promise<Evidence<readonly IndexDescription[]>> {
  const { database, name, namespace, kind, sharding } = collection;
  try {
    const known = grouped === undefined ? null : await knownIndexes(reader, collection, grouped);
    if (known !== null) return present(known);
    const listed = (await reader.listIndexes(database, name)).map(indexOf);
    if (sharding === undefined || kind !== 'collection') return present(listed);
    return present(ofAllShards(listed, await readOfShards(reader, { database, name })));
  } catch (error) {
    return absentBecause(error, `listing the indexes of ${namespace}`, `listIndexes on ${namespace}`);
  }
}

/** Null if the server has to list them. */
async function knownIndexes(
  reader: ClusterReader,
  collection: Collection,
  grouped: GroupedStatistics,
): Promise<readonly IndexDescription[] | null> {
  try {
    return await groupedIndexes(reader, collection, grouped);
  } catch (error) {
    if (error instanceof MongoServerSelectionError) throw error;
    return null;
  }
}

const COMMAND = '$indexStats';

interface ShardIndex {
  readonly shard: string;
  readonly index: IndexDescription;
}

async function readOfShards(
  reader: ClusterReader,
  { database, name }: Pick<Collection, 'database' | 'name'>,
): Promise<ShardIndex[]> {
  try {
    const answers = await reader.aggregate<Document>(database, name, [{ $indexStats: {} }]).toArray();
    return answers.flatMap((answer): ShardIndex[] => {
      const shard = textIn(answer, 'shard');
      if (shard === null) return [];
      return [{ shard, index: statisticsIndex(answer) }];
    });
  } catch (error) {
    const reason = skipReason(error);
    if (reason === 'privilege' || reason === 'unsupported') return [];
    throw error;
  }
}

/** In an order that no shard decides. What `$indexStats` leaves out, such as a clustered index, is as listed. */
function ofAllShards(listed: readonly IndexDescription[], found: readonly ShardIndex[]): IndexDescription[] {
  const shards = new Set(found.map(({ shard }) => shard));
  const ofShards = [...groupedBy(found, ({ index }) => index.name).values()].map((all) => asOne(all, shards.size));
  const names = new Set(ofShards.map(({ name }) => name));
  return [...listed.filter(({ name }) => !names.has(name)), ...ofShards].toSorted(
    (one, other) => Number(isIdIndex(other)) - Number(isIdIndex(one)) || compareTexts(one.name, other.name),
  );
}

function asOne(found: readonly ShardIndex[], shards: number): IndexDescription {
  const inOrder = found.toSorted((one, other) => compareTexts(one.shard, other.shard));
  const built = inOrder.filter(({ index }) => index.building !== true);
  const [{ index }] = (built.length > 0 ? built : inOrder) as [ShardIndex];
  const onShards = [...new Set((built.length > 0 ? built : inOrder).map(({ shard }) => shard))];
  return onShards.length < shards ? { ...index, onShards } : index;
}

function statisticsIndex(answer: Document | undefined): IndexDescription {
  const index = describedIndex(COMMAND, neededDocument(COMMAND, answer, 'spec'));
  return answer?.['building'] === true ? { ...index, building: true } : index;
}

function indexOf(entry: Document): IndexDescription {
  if (entry['buildUUID'] === undefined) return describedIndex('listIndexes', entry);
  return { ...describedIndex('listIndexes', entry['spec']), building: true };
}

/** @throws AnswerShapeError if it has no name or key */
export function describedIndex(command: string, description: Document): IndexDescription {
  return {
    name: neededText(command, description, 'name'),
    key: keyIn(command, description),
    unique: description['unique'] === true,
    sparse: description['sparse'] === true,
    hidden: description['hidden'] === true,
    clustered: description['clustered'] === true,
    ...optional(command, description, 'partialFilterExpression'),
    // 9.0 lists the simple collation of each index that was created without one.
    ...(!isSimpleCollation(description['collation']) && optional(command, description, 'collation')),
    ...optional(command, description, 'wildcardProjection'),
    ...optional(command, description, 'weights'),
    ...furtherOptions(description),
    ...(description['expireAfterSeconds'] !== undefined && {
      expireAfterSeconds: neededNumber(command, description, 'expireAfterSeconds'),
    }),
  };
}

/** A direction may be any number of those that an index can be built with, or a kind's name. */
function keyIn(command: string, description: Document): Document {
  const key = neededDocument(command, description, 'key');
  if (Object.values(key).some((value) => typeof value === 'number' && !Number.isFinite(value)))
    throw new AnswerShapeError(command, 'finite direction in its key');
  return key;
}

/** Those that say what an index holds. Versions of formats, and `background`, do not. */
const FURTHER = ['default_language', 'language_override', 'bits', 'min', 'max', 'prepareUnique'];

function furtherOptions(description: Document): Pick<IndexDescription, 'furtherOptions'> {
  const set = FURTHER.filter((name) => {
    const value: unknown = description[name];
    return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' || typeof value === 'boolean';
  });
  return set.length === 0 ? {} : { furtherOptions: Object.fromEntries(set.map((name) => [name, description[name]])) };
}

function optional<Name extends string>(command: string, description: Document, name: Name): { [K in Name]?: Document } {
  if (description[name] === undefined) return {};
  return { [name]: neededDocument(command, description, name) } as { [K in Name]?: Document };
}

/**
 * As `listIndexes` has them, out of statistics that are read anyway: descriptions from `$indexStats`, their order from
 * `$collStats`. Null if these leave something out, such as the clustered index.
 *
 * @throws AnswerShapeError if they disagree
 */
async function groupedIndexes(
  reader: ClusterReader,
  collection: Collection,
  grouped: GroupedStatistics,
): Promise<readonly IndexDescription[] | null> {
  const [sizes] = (await grouped.of(reader, collection, COLLECTION_SIZES)) ?? [];
  const names = Object.keys(documentIn(sizes, 'storageStats.indexSizes') ?? {});
  if (names.length === 0 || names.some((name) => WHOLE_NUMBER.test(name))) return null;
  const { answering, silent } = await reader.members();
  const [member] = answering;
  if (member === undefined || silent.length > 0) return null;
  const statistics = (await grouped.of(member.reader, collection, INDEX_STATISTICS)) ?? [];
  const byName = new Map(statistics.map((answer) => [textIn(answer, 'name'), answer]));
  if (byName.size !== names.length) return null;
  const found = names.map((name) => statisticsIndex(byName.get(name)));
  return found.some((index) => isIdIndex({ ...index, clustered: false })) ? found : null;
}
