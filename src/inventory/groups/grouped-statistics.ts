import type { Document } from 'mongodb';
import { figureIn } from '../../connect/answer.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import type { Collection } from '../collection.js';
import type { CollectionGroup, CollectionGroups } from './collection-groups.js';
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
      const ofMember = answers.get(member.name);
      if (ofMember === undefined) answers.set(member.name, [answer]);
      else ofMember.push(answer);
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
