import { compareTexts } from '../../compare-texts.js';
import type { Remedy } from '../../finding.js';
import { groupedBy, groupedByEach } from '../../grouped-by.js';
import { keyOf } from '../indexes/suggested-index.js';
import { servesAsWell, type QueryIndex } from './query-remedy.js';
import type { Query } from './query.js';

/** Where queries are reported, and what would serve them. */
export interface QueryPlace {
  readonly path: string | null;
  readonly remedy: Remedy | null;
  /** The indexes that would serve the queries, if any would. */
  readonly indexes?: readonly QueryIndex[];
  /** Those that are there and would, if the queries did not name another one. */
  readonly servedBy?: readonly QueryIndex[];
}

/** A query, and where it is reported. */
export interface PlacedQuery {
  readonly query: Query;
  readonly place: QueryPlace;
}

/** The queries of a collection that one place serves. */
export type QueriesInPlace = QueryPlace & {
  readonly queries: [Query, ...Query[]];
  /** What each of them needs: an index of the same key may serve some in either direction, and others in one. */
  readonly needs: readonly QueryIndex[];
};

/** An index serves the queries too for which one that begins it would do: together they would be redundant. */
export function withoutCovered(places: readonly QueriesInPlace[]): QueriesInPlace[] {
  const kept: QueriesInPlace[] = [];
  const keptByBeginning = new Map<string, QueriesInPlace[]>();
  const coveredBy = coveringAmong(places);
  for (const place of places.toSorted((one, other) => widestFirst(one, other, coveredBy))) {
    const wider = keptByBeginning.get(placeKey(place))?.find((other) => covers(other, place));
    if (wider !== undefined) {
      wider.queries.push(...place.queries);
      continue;
    }
    kept.push(place);
    for (const beginning of beginningsOf(place)) {
      const others = keptByBeginning.get(beginning);
      if (others === undefined) keptByBeginning.set(beginning, [place]);
      else others.push(place);
    }
  }
  return kept;
}

/** Finds the place whose indexes do all that another one needs. */
export function placesByNeed(
  places: readonly QueriesInPlace[],
): (needed: QueriesInPlace) => QueriesInPlace | undefined {
  const byBeginning = groupedByEach(places, beginningsOf);
  return (needed) => byBeginning.get(placeKey(needed))?.find((place) => covers(place, needed));
}

/** The collection and the fields of the first index: one that does the same begins with them, in whichever order. */
function placeKey({ queries: [{ known }], indexes: [first] = [] }: QueriesInPlace): string {
  return beginningKey(known.collection.namespace, first === undefined ? [] : Object.keys(keyOf(first.index)));
}

function beginningsOf({ queries: [{ known }], indexes = [] }: QueriesInPlace): Set<string> {
  return new Set(
    indexes.flatMap(({ index }) => {
      const fields = Object.keys(keyOf(index));
      return fields.map((_, position) => beginningKey(known.collection.namespace, fields.slice(0, position + 1)));
    }),
  );
}

function beginningKey(namespace: string, fields: readonly string[]): string {
  return JSON.stringify([namespace, ...fields.toSorted()]);
}

/** If they have as many, the one that does for more of them; then by name: the order of the queries differs from run to run. */
function widestFirst(one: QueriesInPlace, other: QueriesInPlace, coveredBy: (place: QueriesInPlace) => number): number {
  return (
    fieldsIn(other) - fieldsIn(one) ||
    coveredBy(other) - coveredBy(one) ||
    compareTexts(one.path ?? '', other.path ?? '')
  );
}

/** How many places with indexes on the same fields an index does for: directions make the difference. */
function coveringAmong(places: readonly QueriesInPlace[]): (place: QueriesInPlace) => number {
  const alike = groupedBy(places, placeKey);
  const counted = new Map(
    places.map((place) => [place, (alike.get(placeKey(place)) ?? []).filter((other) => covers(place, other)).length]),
  );
  return (place) => counted.get(place) ?? 0;
}

function covers({ indexes: wider = [] }: QueryPlace, { needs }: QueriesInPlace): boolean {
  return needs.length > 0 && needs.every((index) => wider.some((other) => servesAsWell(other, index)));
}

function fieldsIn({ indexes = [] }: QueryPlace): number {
  return Math.max(0, ...indexes.map(({ index: { equality, further } }) => equality.length + further.length));
}
