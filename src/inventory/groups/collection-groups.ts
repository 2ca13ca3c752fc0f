import type { Capabilities } from '../../connect/engine.js';
import { groupedBy } from '../../grouped-by.js';
import type { Collection } from '../collection.js';

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
