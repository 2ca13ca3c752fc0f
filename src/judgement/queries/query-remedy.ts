import type { Document } from 'mongodb';
import type { TextRemedy } from '../../finding.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { formatIndexKey } from '../../inventory/index-key.js';
import { servesBeginning } from '../../inventory/index-relation.js';
import type { Query } from './query.js';
import { keyOf, type SuggestedIndex } from '../indexes/suggested-index.js';

/** An index to create, with the name that it would have. */
export interface ProposedIndex {
  readonly name: string;
  readonly index: SuggestedIndex;
  /** The collation that the queries compare by; null for the simple one. */
  readonly collation: Document | null;
}

/** The names by which indexes are proposed: those that the server would give, with the locale where the collation differs from the collection's. */
export function proposedIndexes(
  { known, collation }: Query,
  indexes: readonly SuggestedIndex[],
): readonly ProposedIndex[] {
  const isDefault = isSameCollation(known.collection.collation, collation);
  return indexes.map((index) => {
    const name = Object.entries(keyOf(index)).flat().join('_');
    return { name: isDefault ? name : `${name}_${String(collation?.['locale'] ?? 'simple')}`, index, collation };
  });
}

/** The proposed indexes that are not there yet; one that is hidden is not there for queries. */
export function missingIndexes(
  proposed: readonly ProposedIndex[],
  existing: readonly IndexDescription[],
): readonly ProposedIndex[] {
  return proposed.filter(
    ({ index, collation }) => !existing.some((each) => !each.hidden && servesBeginning(each, index, collation)),
  );
}

/** True where the first of the proposed indexes would do all that the second would. */
export function servesAsWell({ index, collation }: ProposedIndex, other: ProposedIndex): boolean {
  const existing = { key: keyOf(index), sparse: false, ...(collation !== null && { collation }) };
  return servesBeginning(existing, other.index, other.collation);
}

/** Creates the indexes, or shows those again that are hidden. */
export function indexRemedy(
  { known: { collection } }: Query,
  missing: readonly ProposedIndex[],
  existing: readonly IndexDescription[],
): TextRemedy {
  const hidden = missing.map(
    ({ index, collation }) => existing.find((each) => each.hidden && servesBeginning(each, index, collation)) ?? null,
  );
  const toCreate = missing.filter((_, position) => hidden[position] === null);
  const toShow = hidden.filter((index) => index !== null);
  const taken = new Set(existing.map(({ name }) => name));
  const specifications = toCreate.map(({ name, index, collation }) => ({
    key: { ...keyOf(index) },
    name: takeName(name, taken),
    ...(!isSameCollation(collation, collection.collation) && { collation: collation ?? { locale: 'simple' } }),
  }));
  const create =
    specifications.length === 0
      ? []
      : [{ db: collection.database, command: { createIndexes: collection.name, indexes: specifications } }];
  const show = toShow.map(({ name }) => ({
    db: collection.database,
    command: { collMod: collection.name, index: { name, hidden: false } },
  }));
  return { text: textOf(toCreate, toShow, collection.namespace), commands: [...show, ...create] };
}

function textOf(toCreate: readonly ProposedIndex[], toShow: readonly IndexDescription[], namespace: string): string {
  const keys = toCreate.map(({ index }) => formatIndexKey(keyOf(index))).join(' and ');
  const create = `Create ${toCreate.length === 1 ? 'an index' : 'indexes'} on ${keys} of ${namespace}: first what the queries set equal, then what they sort by, then ranges.`;
  const show = `Show the hidden ${toShow.length === 1 ? 'index' : 'indexes'} ${toShow.map(({ name }) => name).join(', ')} again.`;
  return [...(toShow.length > 0 ? [show] : []), ...(toCreate.length > 0 ? [create] : [])].join(' ');
}

/** Takes the name, or the first that is free with a number behind it. */
function takeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}
