import type { Document } from 'mongodb';
import { isSameCollation } from '../../inventory/collation.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { holdsArrays } from '../joins/joined-values.js';
import { indexCost } from './index-cost.js';
import { type IndexedCollection, redundantIndexes } from './redundant-indexes.js';

export interface WantedIndex {
  readonly key: IndexDescription['key'];
  /** What strings are compared by; null for the simple collation. */
  readonly collation: Document | null;
  /** The name to create it by, with a number behind it if it is taken; without one, as mongosh names it. */
  readonly name?: string;
  /** Present if it is to hold only documents that have its fields. */
  readonly sparse?: true;
  /** Asked of hidden indexes, as if they were visible. */
  isServedBy(index: IndexDescription): boolean;
}

/** The indexes to unhide and, for what no hidden one serves, to create. */
export function proposeIndexes(wanted: readonly WantedIndex[], known: JoinedCollection): readonly IndexProposal[] {
  const { collection, indexes } = known;
  if (!indexes.present) throw new Error(`The indexes of ${collection.namespace} are not known.`);
  const taken = new Set(indexes.value.map(({ name }) => name));
  const proposals = new Map<string, IndexProposal>();
  for (const each of wanted) {
    const hidden = indexes.value.find((index) => index.hidden && each.isServedBy({ ...index, hidden: false }));
    const index = hidden ?? {
      ...plainIndex(each.key, each.collation, freeName(each.name ?? indexName(each.key), taken)),
      sparse: each.sparse === true,
    };
    const supersedes = supersededBy({ ...index, hidden: false }, indexes.value, known);
    const cost = hidden === undefined && !index.sparse ? indexCost(index, known, supersedes) : null;
    proposals.set(index.name, {
      namespace: collection.namespace,
      action: hidden === undefined ? 'create' : 'unhide',
      name: index.name,
      key: { ...index.key },
      options: { ...optionsFor(index, collection), ...(each.sparse === true && { sparse: true }) },
      documents: known.storage.present ? known.storage.value.count : null,
      supersedes,
      ...(cost !== null && { cost }),
    });
  }
  return [...proposals.values()];
}

export function indexName(key: IndexDescription['key']): string {
  return Object.entries(key).flat().join('_');
}

/** The name, or the first one that is free with a number behind it; it is then taken. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

export function plainIndex(key: IndexDescription['key'], collation: Document | null, name: string): IndexDescription {
  return {
    name,
    key,
    unique: false,
    sparse: false,
    hidden: false,
    clustered: false,
    ...(collation !== null && { collation }),
  };
}

function optionsFor(
  { collation = { locale: 'simple' } }: IndexDescription,
  { collation: standard }: Collection,
): IndexProposal['options'] {
  return isSameCollation(collation, standard) ? {} : { collation };
}

/** A field that the sample does not know may hold arrays, for which a longer index has an entry per element. */
function supersededBy(
  proposed: IndexDescription,
  existing: readonly IndexDescription[],
  { collection, fieldTypes }: JoinedCollection,
): string[] {
  const types = fieldTypes.present ? fieldTypes.value : null;
  // The server refuses arrays as `_id`.
  const isArray = (path: string) => path !== '_id' && holdsArrays(types, path) !== false;
  const shardKey = collection.sharding?.key.map(({ path }) => path) ?? null;
  return supersededIndexes(proposed, existing, { isArray, shardKey });
}

/** The names of the existing indexes that are superfluous beside this one. */
export function supersededIndexes(
  proposed: IndexDescription,
  existing: readonly IndexDescription[],
  collection: IndexedCollection,
): string[] {
  return existing
    .filter((index) => index.name !== proposed.name)
    .filter((index) => redundantIndexes([index, proposed], collection).some((redundant) => redundant.index === index))
    .map(({ name }) => name);
}
