import type { Document } from 'mongodb';
import type { RemedyStep } from '../../finding.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { accessOf } from '../../planner/access-of.js';
import {
  type Access,
  isRefused,
  type PlannedCollection,
  type PlannedQuery,
  type PlannedServer,
  type Refusal,
} from '../../planner/access.js';
import { isAsGood } from '../../planner/as-good.js';
import { indexName, plainIndex, proposeIndexes } from '../indexes/index-proposal.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { plannedBranches, plannedCollection, plannedEqualities, type Query } from '../queries/query.js';
import { withPartialOption } from './null-partial-index.js';
import { keyOf, type SuggestedIndex } from './suggested-index.js';

/** Why the fields of an index stand in their order. */
export const ORDER_OF_FIELDS = 'Fields that the queries set equal come first, then those they sort by, then ranges.';

export function orderText(indexes: readonly NeededIndex[]): string {
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

/** An index that something asked of a collection would get by itself. */
export interface NeededIndex {
  /** As mongosh would name it, with the locale if the collation is not the collection's default. */
  readonly name: string;
  readonly index: SuggestedIndex;
  /** The collation that strings are compared by; null for the simple one. */
  readonly collation: Document | null;
  /** What it is to serve: a query, the branches of its `$or` that it serves, or joins. */
  readonly asks: readonly Answered[];
  /** What beside the planner decides whether an index is used: the engine that runs a join. Absent if nothing does. */
  readonly isUsable?: (index: IndexDescription) => boolean;
}

/** Indexes of a collection's set that only together serve what wants them, and all that they serve. */
export interface AdvisedIndexes {
  /** One, or one for each branch of an `$or`. */
  readonly indexes: readonly NeededIndex[];
  /** What each of those that want them would get by itself: one key may serve some in either direction, others in one. */
  readonly needs: readonly NeededIndex[];
  /** The queries that they serve. */
  readonly queries: readonly Query[];
}

/** A question to the planner about a collection. */
export interface Asked {
  readonly query: PlannedQuery;
  readonly collection: PlannedCollection;
  readonly server?: PlannedServer;
}

/** The same, with what the needed index would do. */
interface Answered extends Asked {
  readonly wanted: Access | Refusal;
}

/** An index that serves what is asked of a collection, and the question. */
export function neededIndex(named: Omit<NeededIndex, 'asks'>, asks: readonly Asked[]): NeededIndex {
  return { ...named, asks: asks.map((asked) => ({ ...asked, wanted: accessTo(described(named), asked) })) };
}

/** The suggested indexes with names and the query's collation. */
export function indexesFor(
  { known, collation, collection, planned }: Query,
  suggested: readonly SuggestedIndex[],
): readonly NeededIndex[] {
  const isDefault = isSameCollation(known.collection.collation, collation);
  const locale = isDefault ? '' : `_${String(collation?.['locale'] ?? 'simple')}`;
  const parts = suggested.length > 1 ? plannedBranches(planned) : [planned];
  return suggested.map((index) => {
    const named = {
      name: `${indexName(keyOf(index))}${locale}${index.sparse === true ? '_sparse' : ''}`,
      index,
      collation,
    };
    const needed = neededIndex(
      named,
      parts.map((query) => ({ query, collection })),
    );
    return suggested.length === 1
      ? needed
      : { ...needed, asks: needed.asks.filter(({ wanted }) => !isRefused(wanted)) };
  });
}

/** What a search needs that looks documents up by a value of each field, of any type. */
export function needByValue(
  paths: readonly string[],
  known: Pick<JoinedCollection, 'collection' | 'fieldTypes'>,
): NeededIndex {
  const collation = known.collection.collation ?? null;
  return neededIndex(equalityIndex(paths, collation), [
    { query: plannedEqualities(paths, collation), collection: plannedCollection(known) },
  ]);
}

/** An index on fields that are all set equal. */
export function equalityIndex(paths: readonly string[], collation: Document | null): Omit<NeededIndex, 'asks'> {
  const index = { equality: paths, further: [], sorts: false };
  return { name: indexName(keyOf(index)), index, collation };
}

/** Whether the server would use the index for the query, or for a part of it. */
export function isUsed(query: Query, index: SuggestedIndex): boolean {
  const { collation, collection, planned } = query;
  const wanted = described({ name: '', index, collation });
  return plannedBranches(planned).some((part) => !isRefused(accessTo(wanted, { query: part, collection })));
}

/** Those of the indexes that are missing or hidden. */
export function missingIndexes(
  wanted: readonly NeededIndex[],
  existing: readonly IndexDescription[],
): readonly NeededIndex[] {
  return wanted.filter((each) => !existing.some((index) => serves(index, each)));
}

/** The index as it would be created. */
export function described({ name, index, collation }: Omit<NeededIndex, 'asks'>): IndexDescription {
  return { ...plainIndex(keyOf(index), collation, name), sparse: index.sparse === true };
}

/** Whether an index does all that the wanted one would do for what is asked. */
export function serves(existing: IndexDescription, wanted: NeededIndex): boolean {
  return (
    wanted.asks.length > 0 &&
    wanted.isUsable?.(existing) !== false &&
    wanted.asks.every((asked) => {
      if (isRefused(asked.wanted)) return false;
      const found = accessTo(existing, asked);
      return !isRefused(found) && found.hangsOnValues !== true && isAsGood(found, asked.wanted);
    })
  );
}

/** One that is being built is taken for built: what it will serve is not advised. */
function accessTo(
  { building: _building, ...index }: IndexDescription,
  { query, collection, server }: Asked,
): Access | Refusal {
  return accessOf(index, collection, query, server);
}

/** True if the first of two indexes would do all that the second one would. */
export function servesAsWell(one: NeededIndex, other: NeededIndex): boolean {
  return serves(described(one), other);
}

/** The missing ones of the indexes, as proposals. */
export function proposalsFor(wanted: readonly NeededIndex[], known: JoinedCollection): readonly IndexProposal[] {
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

/** The indexes as proposals, with the partial one that would do if all that they serve asks for null. */
export function proposalsOf({ indexes, needs }: AdvisedIndexes, known: JoinedCollection): readonly IndexProposal[] {
  const [first, ...others] = needs.map(({ index }) => index.nulls ?? []);
  const nulls = (first ?? []).filter((path) => others.every((each) => each.includes(path)));
  return proposalsFor(indexes, known).map((proposal) => withPartialOption(proposal, nulls, known));
}
