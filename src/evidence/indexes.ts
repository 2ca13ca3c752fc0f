import type { Document } from 'mongodb';
import { neededDocument, neededFigure, neededText, textIn } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause, skipReason } from '../connect/server-error.js';
import { compareTexts } from '../compare-texts.js';
import { groupedBy } from '../grouped-by.js';
import { isIdIndex } from '../inventory/index-key.js';
import type { Collection, IndexDescription } from '../inventory/collection.js';
import { present, type Evidence } from '../presence.js';

/**
 * The indexes as the server lists them. A router lists them from one shard or another: of a sharded collection, each is also
 * read from every shard that holds a part of it, if the user may.
 */
export async function readIndexes(
  reader: ClusterReader,
  { database, name, namespace, kind, sharding }: Collection,
): Promise<Evidence<readonly IndexDescription[]>> {
  try {
    const listed = (await reader.listIndexes(database, name)).map(indexOf);
    if (sharding === undefined || kind !== 'collection') return present(listed);
    return present(ofAllShards(listed, await readOfShards(reader, { database, name })));
  } catch (error) {
    return absentBecause(error, `listing the indexes of ${namespace}`, `listIndexes on ${namespace}`);
  }
}

const COMMAND = '$indexStats';

interface ShardIndex {
  readonly shard: string;
  readonly index: IndexDescription;
}

/** Empty if the user may not read it, or the server has no such stage. */
async function readOfShards(
  reader: ClusterReader,
  { database, name }: Pick<Collection, 'database' | 'name'>,
): Promise<ShardIndex[]> {
  try {
    const answers = await reader.aggregate<Document>(database, name, [{ $indexStats: {} }]).toArray();
    return answers.flatMap((answer): ShardIndex[] => {
      const shard = textIn(answer, 'shard');
      if (shard === null) return [];
      const index = describedIndex(COMMAND, neededDocument(COMMAND, answer, 'spec'));
      return [{ shard, index: answer['building'] === true ? { ...index, building: true } : index }];
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

/** As the first of the shards that use it describes it. */
function asOne(found: readonly ShardIndex[], shards: number): IndexDescription {
  const inOrder = found.toSorted((one, other) => compareTexts(one.shard, other.shard));
  const built = inOrder.filter(({ index }) => index.building !== true);
  const [{ index }] = (built.length > 0 ? built : inOrder) as [ShardIndex];
  const onShards = [...new Set((built.length > 0 ? built : inOrder).map(({ shard }) => shard))];
  return onShards.length < shards ? { ...index, onShards } : index;
}

function indexOf(entry: Document): IndexDescription {
  if (entry['buildUUID'] === undefined) return describedIndex('listIndexes', entry);
  return { ...describedIndex('listIndexes', entry['spec']), building: true };
}

function describedIndex(command: string, description: Document): IndexDescription {
  return {
    name: neededText(command, description, 'name'),
    key: neededDocument(command, description, 'key'),
    // The server leaves out what is not set.
    unique: description['unique'] === true,
    sparse: description['sparse'] === true,
    hidden: description['hidden'] === true,
    clustered: description['clustered'] === true,
    ...optional(description, 'partialFilterExpression'),
    ...optional(description, 'collation'),
    ...optional(description, 'wildcardProjection'),
    ...optional(description, 'weights'),
    ...furtherOptions(description),
    ...(description['expireAfterSeconds'] !== undefined && {
      expireAfterSeconds: neededFigure(command, description, 'expireAfterSeconds'),
    }),
  };
}

/** Those that say what an index holds. Versions of formats, and `background`, do not. */
const FURTHER = ['default_language', 'language_override', 'bits', 'min', 'max', 'prepareUnique'];

function furtherOptions(description: Document): Pick<IndexDescription, 'furtherOptions'> {
  const set = FURTHER.filter((name) => ['string', 'number', 'boolean'].includes(typeof description[name]));
  return set.length === 0 ? {} : { furtherOptions: Object.fromEntries(set.map((name) => [name, description[name]])) };
}

function optional<Name extends string>(description: Document, name: Name): { [K in Name]?: Document } {
  return description[name] === undefined ? {} : ({ [name]: description[name] } as { [K in Name]?: Document });
}
