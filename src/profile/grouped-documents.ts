import type { Document } from 'mongodb';
import { sum } from 'simple-statistics';
import { AnswerShapeError } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { SHORT_READ } from '../connect/deadline.js';
import { batchesOf } from '../connect/raw-cursor.js';
import type { Collection } from '../inventory/collection.js';
import {
  type CollectionGroup,
  type CollectionGroups,
  type GroupedStatistics,
  MEMBER,
  unionStages,
} from '../inventory/groups/grouped-statistics.js';
import { GroupRetries, partsWithin, readInHalves } from '../inventory/groups/read-in-halves.js';
import { COLLECTION_SIZES, storageFrom } from '../inventory/storage.js';
import { planSample, type SampleBounds } from './sampling/sample-plan.js';

const SMALL_COLLECTION_BYTES = 1024 * 1024;
const COMMAND_BYTES = 4 * 1024 * 1024;
const MOST_GROWTH = 2;

/** After the length, the number of its collection, and its own field's name. */
const DOCUMENT_AT = 4 + `.${MEMBER}.`.length + 4 + '.document.'.length;
const NUMBER_AT = 4 + `.${MEMBER}.`.length;
const INT32 = 0x10;

interface SmallCollection extends Collection {
  readonly count: number;
  readonly size: number;
}

type Documents = ReadonlyMap<string, readonly Uint8Array[]>;

/** Collections of a group that are read with one command. */
interface Part {
  readonly collections: readonly SmallCollection[];
  /** Null before it is read, and once its documents were handed out. */
  documents: Promise<Documents> | null;
  left: number;
}

/** Documents of small collections, read of several in one command. */
export class GroupedDocuments {
  readonly #parts = new Map<CollectionGroup, Promise<readonly Part[]>>();
  readonly #retries = new GroupRetries();

  constructor(
    private readonly reader: ClusterReader,
    private readonly groups: CollectionGroups,
    private readonly statistics: GroupedStatistics,
    private readonly bounds: SampleBounds,
  ) {}

  /** All documents of a collection, as views on their batch, once. Null if they have to be read alone. */
  async of(collection: Collection): Promise<readonly Uint8Array[] | null> {
    const [group, next] = this.groups.from(collection);
    if (group === undefined) return null;
    const parts = await this.#partsOf(group);
    const index = parts.findIndex(({ collections }) => collections.some(({ name }) => name === collection.name));
    const part = parts[index];
    if (part === undefined) return null;
    const reading = this.#begin(part);
    if (index + 1 < parts.length) this.#begin(parts[index + 1]);
    else if (next !== undefined) this.#partsOf(next).then(([first]) => this.#begin(first), ignored);
    const documents = (await reading)?.get(collection.name) ?? null;
    part.left -= 1;
    if (part.left === 0) part.documents = null;
    return documents;
  }

  forget(group: CollectionGroup): void {
    this.#parts.delete(group);
  }

  #partsOf(group: CollectionGroup): Promise<readonly Part[]> {
    const known = this.#parts.get(group) ?? this.#divide(group);
    this.#parts.set(group, known);
    return known;
  }

  async #divide(group: CollectionGroup): Promise<readonly Part[]> {
    const small = await Promise.all(this.groups.wanting('sample', group).map((collection) => this.#small(collection)));
    const known = small.filter((each) => each !== null);
    const parts = partsWithin(known, ({ size }) => size, COMMAND_BYTES);
    return parts.map((collections) => ({ collections, documents: null, left: collections.length }));
  }

  #begin(part: Part | undefined): Promise<Documents> | null {
    if (part === undefined || part.left === 0) return null;
    part.documents ??= readInHalves(part.collections, this.#retries, (half) => this.#readPart(half));
    part.documents.catch(ignored);
    return part.documents;
  }

  async #small(collection: Collection): Promise<SmallCollection | null> {
    const answers = await this.statistics.of(this.reader, collection, COLLECTION_SIZES);
    if (answers === null) return null;
    try {
      const storage = storageFrom(answers, true);
      const { count, size } = storage;
      if (count === null || size === null || size > SMALL_COLLECTION_BYTES) return null;
      const isWhole = planSample(storage, count, this.bounds, collection.clustered).method === 'whole-collection';
      return isWhole ? { ...collection, count, size } : null;
    } catch (error) {
      if (error instanceof AnswerShapeError) return null;
      throw error;
    }
  }

  async #readPart(part: readonly SmallCollection[]): Promise<Documents> {
    const [{ database, name }] = part as [SmallCollection];
    const [count, size] = [sum(part.map((each) => each.count)), sum(part.map((each) => each.size))];
    const pipeline = unionStages(part, (member) => this.#stages(member));
    const bounds = { ...SHORT_READ, batchSize: count + 1, documentBytes: size / Math.max(1, count) + DOCUMENT_AT };
    const cursor = this.reader.aggregateRaw(database, name, pipeline, bounds);
    const found = part.map((): Uint8Array[] => []);
    let bytes = 0;
    for await (const batch of batchesOf(cursor)) {
      for (const answer of batch) {
        bytes += answer.length;
        if (bytes > MOST_GROWTH * COMMAND_BYTES) return new Map();
        found[memberOf(answer)]?.push(answer.subarray(DOCUMENT_AT, -1));
      }
    }
    const members = part.map((member, number) => ({ ...member, documents: found[number] ?? [] }));
    const asMeasured = members.filter(({ count: measured, documents }) => measured === 0 || documents.length > 0);
    return new Map(asMeasured.map((member) => [member.name, member.documents]));
  }

  #stages(member: number): Document[] {
    // As `planSample` has it. Within another document, one stays as it is, byte by byte.
    return [
      { $limit: this.bounds.documents + 1 },
      { $replaceWith: { [MEMBER]: { $literal: member }, document: '$$ROOT' } },
    ];
  }
}

/** Whoever asks for it hears of it. */
function ignored(): void {}

function memberOf(answer: Uint8Array): number {
  const view = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
  const isWrapped = answer[4] === INT32 && view.getInt32(DOCUMENT_AT, true) === answer.length - DOCUMENT_AT - 1;
  if (!isWrapped) throw new AnswerShapeError('$replaceWith', MEMBER);
  return view.getInt32(NUMBER_AT, true);
}
