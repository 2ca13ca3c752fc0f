import type { Document } from 'mongodb';
import type { RemedyStep } from '../../finding.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { servesBeginning } from '../../inventory/index-relation.js';
import { indexName, plainIndex, proposeIndexes } from '../indexes/index-proposal.js';
import { servesNulls } from '../indexes/null-partial-index.js';
import { keyOf, type SuggestedIndex } from '../indexes/suggested-index.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import type { Query } from './query.js';

/** Why the fields of a query's index stand in their order. */
export const ORDER_OF_FIELDS = 'Fields that the queries set equal come first, then those they sort by, then ranges.';

export function orderText(indexes: readonly QueryIndex[]): string {
  if (indexes.some(({ index }) => index.sparse))
    return 'It holds only the documents that have the field, which are few.';
  return indexes.some(({ index }) => index.sortsFew)
    ? 'It finds so few documents that sorting them costs less than to walk through more of them in order.'
    : ORDER_OF_FIELDS;
}

/** What to do about queries that their source recorded only in part. */
export function explainSteps(): RemedyStep[] {
  return [
    {
      text: 'The command was too long to be recorded in full. Run explain() on it, and index the fields that it sets equal, then those it sorts by, then ranges.',
    },
  ];
}

export interface QueryIndex {
  /** As mongosh would name it, with the locale if the collation is not the collection's default. */
  readonly name: string;
  readonly index: SuggestedIndex;
  /** The collation that the query compares by; null for the simple one. */
  readonly collation: Document | null;
}

/** The suggested indexes with names and the query's collation. */
export function indexesFor({ known, collation }: Query, suggested: readonly SuggestedIndex[]): readonly QueryIndex[] {
  const isDefault = isSameCollation(known.collection.collation, collation);
  const locale = isDefault ? '' : `_${String(collation?.['locale'] ?? 'simple')}`;
  return suggested.map((index) => ({
    name: `${indexName(keyOf(index))}${locale}${index.sparse === true ? '_sparse' : ''}`,
    index,
    collation,
  }));
}

/** Those of the indexes that are missing or hidden. */
export function missingIndexes(
  wanted: readonly QueryIndex[],
  existing: readonly IndexDescription[],
): readonly QueryIndex[] {
  return wanted.filter((each) => !existing.some((index) => !index.hidden && serves(index, each)));
}

function serves(existing: IndexDescription, { index, collation }: QueryIndex): boolean {
  if (index.sparse === true) return existing.sparse && isSameKey(existing.key, keyOf(index));
  return servesBeginning(existing, index, collation) || servesNulls(existing, index, collation);
}

function isSameKey(one: IndexDescription['key'], other: IndexDescription['key']): boolean {
  return JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
}

/** True if the first of two indexes would do all that the second one would. */
export function servesAsWell({ name, index, collation }: QueryIndex, other: QueryIndex): boolean {
  if (index.sparse === true || other.index.sparse === true)
    return index.sparse === other.index.sparse && isSameKey(keyOf(index), keyOf(other.index));
  return servesBeginning(plainIndex(keyOf(index), collation, name), other.index, other.collation);
}

/** The missing ones of the indexes, as proposals. */
export function proposalsFor(wanted: readonly QueryIndex[], known: JoinedCollection): readonly IndexProposal[] {
  const { indexes } = known;
  if (!indexes.present) return [];
  return proposeIndexes(
    missingIndexes(wanted, indexes.value).map((missing) => ({
      key: keyOf(missing.index),
      collation: missing.collation,
      name: missing.name,
      ...(missing.index.sparse === true && { sparse: true }),
      isServedBy: (each) => serves(each, missing),
    })),
    known,
  );
}
