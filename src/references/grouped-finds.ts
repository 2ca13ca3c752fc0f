import { MongoServerSelectionError, type Document } from 'mongodb';
import { figureIn } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Collection } from '../inventory/collection.js';
import { MEMBER, unionStages } from '../inventory/groups/grouped-statistics.js';
import { GroupRetries, partsWithin, readInHalves } from '../inventory/groups/read-in-halves.js';
import { decodedDocuments, IN_ONE_BATCH } from './referring-sample.js';

/** A find on one collection, as stages. */
export interface GroupedFind {
  readonly collection: Collection;
  readonly stages: readonly Document[];
  /** That the stages hold, or arrays in the answer. */
  readonly values: number;
}

/** Values in one command: some 200 KB. */
const MOST_VALUES = 5_000;
/** Collections in one command, and commands that share the work if collections are few. */
const MOST_COLLECTIONS = 50;
const LEAST_COMMANDS = 4;

/**
 * Finds documents in collections of one database, in few commands.
 *
 * @param limited runs a read when there may be one more at once
 * @returns the documents by collection; a collection without an entry has to be asked alone
 */
export async function findInGroups(
  reader: ClusterReader,
  finds: readonly GroupedFind[],
  limited: <T>(read: () => Promise<T>) => Promise<T>,
): Promise<ReadonlyMap<Collection, readonly Document[]>> {
  const { engine, isRouter } = reader.capabilities;
  if (engine.name !== 'MongoDB' || isRouter) return new Map();
  const retries = new GroupRetries();
  const alike = finds.filter(({ collection }) => isLikeOthers(collection));
  const most = Math.min(MOST_COLLECTIONS, Math.ceil(alike.length / LEAST_COMMANDS));
  const parts = partsWithin(alike, ({ values }) => values, MOST_VALUES, most);
  const found = await Promise.all(
    parts.map((part) =>
      limited(() => readInHalves(part, retries, (half) => readPart(reader, half))).catch((error: unknown) => {
        // Each collection alone then says what failed.
        if (error instanceof MongoServerSelectionError) return new Map<string, readonly Document[]>();
        throw error;
      }),
    ),
  );
  const byName = new Map(found.flatMap((answers) => [...answers]));
  return new Map(
    finds.flatMap(({ collection }) => {
      const documents = byName.get(collection.name);
      return documents === undefined ? [] : [[collection, documents]];
    }),
  );
}

/** All of a command compare by the first collection's collation. */
function isLikeOthers({ kind, collation }: Collection): boolean {
  return kind === 'collection' && collation === undefined;
}

async function readPart(
  reader: ClusterReader,
  part: readonly GroupedFind[],
): Promise<ReadonlyMap<string, readonly Document[]>> {
  const [{ database, name }] = part.map(({ collection }) => collection) as [Collection];
  const pipeline = unionStages(
    part.map(({ collection }) => collection),
    (member) => [
      ...(part[member] as GroupedFind).stages,
      { $replaceWith: { [MEMBER]: { $literal: member }, document: '$$ROOT' } },
    ],
  );
  const found = new Map(part.map(({ collection }) => [collection.name, [] as Document[]]));
  for (const answer of await decodedDocuments(reader.aggregateRaw(database, name, pipeline, IN_ONE_BATCH))) {
    const member = part[figureIn(answer, MEMBER) ?? -1];
    if (member === undefined) return new Map();
    found.get(member.collection.name)?.push(answer['document']);
  }
  return found;
}
