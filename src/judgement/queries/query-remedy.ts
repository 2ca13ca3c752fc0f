import type { Document } from 'mongodb';
import type { RemedyStep } from '../../finding.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { accessOf } from '../../planner/access-of.js';
import { type Access, isRefused, type Refusal } from '../../planner/access.js';
import type { PlannedCollection, PlannedQuery } from '../../planner/access.js';
import { isAsGood } from '../../planner/as-good.js';
import { indexName, plainIndex, proposeIndexes } from '../indexes/index-proposal.js';
import { keyOf, type SuggestedIndex } from '../indexes/suggested-index.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { plannedBranches } from './planned-query.js';
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
  /** What it is to serve: the query, or the branches of its `$or` that it serves. */
  readonly asks: readonly Asked[];
}

/** A question to the planner about a collection. */
interface Asked {
  readonly query: PlannedQuery;
  readonly collection: PlannedCollection;
}

/** The suggested indexes with names and the query's collation. */
export function indexesFor(
  { known, collation, collection, planned }: Query,
  suggested: readonly SuggestedIndex[],
): readonly QueryIndex[] {
  const isDefault = isSameCollation(known.collection.collation, collation);
  const locale = isDefault ? '' : `_${String(collation?.['locale'] ?? 'simple')}`;
  const parts = suggested.length > 1 ? plannedBranches(planned) : [planned];
  return suggested.map((index) => {
    const named = {
      name: `${indexName(keyOf(index))}${locale}${index.sparse === true ? '_sparse' : ''}`,
      index,
      collation,
    };
    const asks = parts
      .map((query): Asked => ({ query, collection }))
      .filter((asked) => suggested.length === 1 || !isRefused(accessTo(described(named), asked)));
    return { ...named, asks };
  });
}

/** Whether the server would use the index for the query, or for a part of it. */
export function isUsed(query: Query, index: SuggestedIndex): boolean {
  return indexesFor(query, [index]).some((wanted) =>
    plannedBranches(query.planned).some((part) => !isRefused(accessTo(described(wanted), { ...query, query: part }))),
  );
}

/** Those of the indexes that are missing or hidden. */
export function missingIndexes(
  wanted: readonly QueryIndex[],
  existing: readonly IndexDescription[],
): readonly QueryIndex[] {
  return wanted.filter((each) => !existing.some((index) => serves(index, each)));
}

/** The index as it would be created. */
function described({ name, index, collation }: Omit<QueryIndex, 'asks'>): IndexDescription {
  return { ...plainIndex(keyOf(index), collation, name), sparse: index.sparse === true };
}

/** Whether an index does all that the wanted one would do for what is asked. */
function serves(existing: IndexDescription, wanted: QueryIndex): boolean {
  const index = described(wanted);
  return (
    wanted.asks.length > 0 &&
    wanted.asks.every((asked) => {
      const [found, would] = [accessTo(existing, asked), accessTo(index, asked)];
      return !isRefused(found) && found.hangsOnValues !== true && !isRefused(would) && isAsGood(found, would);
    })
  );
}

/** One that is being built is taken for built: what it will serve is not advised. */
function accessTo({ building: _building, ...index }: IndexDescription, { query, collection }: Asked): Access | Refusal {
  return accessOf(index, collection, query);
}

/** True if the first of two indexes would do all that the second one would. */
export function servesAsWell(one: QueryIndex, other: QueryIndex): boolean {
  return serves(described(one), other);
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
