import type { Document } from 'mongodb';
import { figureIn } from '../../connect/answer.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import type { Capabilities } from '../../connect/engine.js';
import { groupedBy, noted } from '../../grouped-by.js';
import type { Collection } from '../collection.js';
import { GroupRetries, readInHalves } from './read-in-halves.js';

/** The field of an answer that says which collection of its group it is about. */
export const MEMBER = 'member';

/** The stages of a statistic, for one collection. */
export interface StatisticsStages {
  /** Read of the collections of which this is collected. */
  readonly piece: string;
  /** @param added further fields of each answer, as expressions */
  stages(added: Document): readonly Document[];
}

type GroupAnswers = Promise<ReadonlyMap<string, readonly Document[]>>;

const BATCH_DOCUMENTS = 1_000;

/** Collections of one database that are asked about together. */
export type CollectionGroup = readonly Collection[];

/** Collections. Groups of 100 saved no more of the client's time than groups of 50 (measured on 6.0.5). */
const MOST_COLLECTIONS = 50;

const LEAST_GROUPS = 8;

/** What a run asks of which collections. `wanted` are pieces of evidence, by name. */
export interface GroupedRun {
  readonly collections: readonly Collection[];
  readonly isShardingUnknown: boolean;
  wanted(collection: Collection): ReadonlySet<string>;
}

/** Which collections of a run are asked about together, and which groups have been read. */
export class CollectionGroups {
  readonly #groups: readonly CollectionGroup[];
  readonly #numbers = new Map<string, number>();
  readonly #unread: number[];

  constructor(
    capabilities: Capabilities,
    private readonly run: GroupedRun,
  ) {
    const { collections } = run;
    const size = groupSize(collections.length);
    const inGroups = collections.filter((collection) => isAskedInGroups(collection, capabilities, run));
    const ofDatabases = [...groupedBy(inGroups, ({ database }) => database).values()];
    this.#groups = ofDatabases.flatMap((ofDatabase) => slices(ofDatabase, size)).filter(({ length }) => length > 1);
    this.#unread = this.#groups.map(({ length }) => length);
    this.#groups.forEach((group, number) => group.forEach(({ namespace }) => this.#numbers.set(namespace, number)));
  }

  /** The group of a collection and the one after it; none if it is asked about alone. */
  from({ namespace }: Collection): readonly CollectionGroup[] {
    const number = this.#numbers.get(namespace);
    return number === undefined ? [] : this.#groups.slice(number, number + 2);
  }

  wanting(piece: string, group: CollectionGroup): CollectionGroup {
    return group.filter((collection) => this.run.wanted(collection).has(piece));
  }

  /** Returns the group of a collection that was read if all of it were. */
  finish({ namespace }: Collection): CollectionGroup | null {
    const number = this.#numbers.get(namespace);
    if (number === undefined) return null;
    const left = (this.#unread[number] as number) - 1;
    this.#unread[number] = left;
    return left === 0 ? (this.#groups[number] as CollectionGroup) : null;
  }
}

/** Statistics of collections, read of a group in one command. */
export class GroupedStatistics {
  readonly #ofReaders = new Map<ClusterReader, Map<StatisticsStages, AnsweredGroups>>();

  constructor(private readonly groups: CollectionGroups) {}

  /** What the stages answer on the collection alone. Null if it has to be asked about alone. */
  async of(
    reader: ClusterReader,
    collection: Collection,
    stages: StatisticsStages,
  ): Promise<readonly Document[] | null> {
    const [group, next] = this.groups.from(collection);
    if (group === undefined) return null;
    const answered = this.#answered(reader, stages);
    const answers = answered.begin(group);
    if (next !== undefined) answered.begin(next);
    return (await answers).get(collection.name) ?? null;
  }

  forget(group: CollectionGroup): void {
    for (const ofReader of this.#ofReaders.values()) for (const answered of ofReader.values()) answered.forget(group);
  }

  #answered(reader: ClusterReader, stages: StatisticsStages): AnsweredGroups {
    const ofReader = this.#ofReaders.get(reader) ?? new Map<StatisticsStages, AnsweredGroups>();
    this.#ofReaders.set(reader, ofReader);
    const answered = ofReader.get(stages) ?? new AnsweredGroups(reader, stages, this.groups);
    ofReader.set(stages, answered);
    return answered;
  }
}

class AnsweredGroups {
  readonly #answers = new Map<CollectionGroup, GroupAnswers>();
  readonly #retries = new GroupRetries();

  constructor(
    private readonly reader: ClusterReader,
    private readonly stages: StatisticsStages,
    private readonly groups: CollectionGroups,
  ) {}

  begin(group: CollectionGroup): GroupAnswers {
    const begun = this.#answers.get(group);
    if (begun !== undefined) return begun;
    const wanting = this.groups.wanting(this.stages.piece, group);
    const answers = readInHalves(wanting, this.#retries, (part) => this.#read(part));
    answers.catch(() => {});
    this.#answers.set(group, answers);
    return answers;
  }

  forget(group: CollectionGroup): void {
    this.#answers.delete(group);
  }

  async #read(group: CollectionGroup): GroupAnswers {
    const [{ database, name }] = group as [Collection];
    const pipeline = unionStages(group, (member) => this.stages.stages({ [MEMBER]: { $literal: member } }));
    const bounds = { ...SHORT_READ, batchSize: BATCH_DOCUMENTS };
    const answers = new Map<string, Document[]>();
    for (const answer of await this.reader.aggregate<Document>(database, name, pipeline, bounds).toArray()) {
      const member = group[figureIn(answer, MEMBER) ?? -1];
      if (member === undefined) return new Map();
      noted(answers, member.name, answer);
    }
    return answers;
  }
}

/** Runs on the first collection. @param stagesOf must put the number that it is given into the field `MEMBER` */
export function unionStages(group: CollectionGroup, stagesOf: (member: number) => readonly Document[]): Document[] {
  const [, ...others] = group;
  const unions = others.map(({ name }, index) => ({ $unionWith: { coll: name, pipeline: stagesOf(index + 1) } }));
  return [...stagesOf(0), ...unions];
}

/** So many that reads at once share the work. */
function groupSize(collections: number): number {
  return Math.min(MOST_COLLECTIONS, Math.ceil(collections / LEAST_GROUPS));
}

/** Views and time-series collections answer otherwise, and of a sharded collection each shard does. */
function isAskedInGroups(
  { kind, sharding }: Collection,
  { engine, isRouter }: Capabilities,
  { isShardingUnknown }: GroupedRun,
): boolean {
  const isSharded = sharding !== undefined || (isRouter && isShardingUnknown);
  return engine.name === 'MongoDB' && kind === 'collection' && !isSharded;
}

function slices<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, number) =>
    items.slice(number * size, (number + 1) * size),
  );
}
