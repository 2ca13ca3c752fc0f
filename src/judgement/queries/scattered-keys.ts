import type { IndexDescription } from '../../inventory/collection.js';
import { accessOf } from '../../planner/access-of.js';
import { type Access, isRefused } from '../../planner/access.js';
import { endOfPoints, isAsGood } from '../../planner/as-good.js';
import { FIGURE_SOURCES } from '../../workload/workload.js';
import { averageShare } from '../advice/index-value.js';
import { plannedFigures } from './query-cost.js';
import type { Query } from './query.js';

/** One of the stages of a plan summary, with the key of its index: "IXSCAN { placed: 1, status: 1 }". */
const INDEX_SCAN = /(?:IXSCAN|COUNT_SCAN|DISTINCT_SCAN) \{ (.*?) \}(?=$|, ?[A-Z])/g;

/**
 * Whether the keys that a query examines in vain are those of an index in another order than equality, sort, range: a field
 * that the query sets equal stands behind one that it does not. Keys that `skip` passes over are no fault of an index.
 */
export function hasScatteredKeys(query: Query): boolean {
  const equal = equalFields(query);
  if (equal.size === 0 || query.conditions.alternatives.length > 0 || recordedSkips(query) !== null) return false;
  const keys = scannedKeys(query);
  return keys.length > 0 && keys.every((key) => leadingOf(key, equal) < equal.size);
}

/** The fields that a query sets equal to a value, or to one of a list. */
export function equalFields({ conditions }: Query): ReadonlySet<string> {
  return new Set(conditions.all.flatMap(({ role, path }) => (role === 'equality' || role === 'list' ? [path] : [])));
}

/**
 * The fields of a query's conditions that no key of the index used has, so that they are tested on documents.
 *
 * @param all whether those count too that may leave out little: a range, a truth value, `null`, the value that most documents
 *   have, what is only tested on keys
 */
export function lackedFields(query: Query, all: boolean): readonly string[] {
  const keys = scannedKeys(query);
  const isSelective = (path: string) =>
    !query.filters.some(({ [path]: asked }) => LITTLE.has(JSON.stringify(asked))) &&
    (averageShare(query, path) ?? 0) < MOST_OF_ALL;
  const wanted = query.conditions.all.flatMap(({ role, path }) =>
    role === 'equality' || role === 'list'
      ? all || isSelective(path)
        ? [path]
        : []
      : all && (role === 'range' || role === 'residual')
        ? [path]
        : [],
  );
  return keys.length === 0 ? [] : wanted.filter((path) => !keys.some((key) => key.some(([field]) => field === path)));
}

/** Share of the documents that have the value that is asked for, on average, from which testing it leaves out little. Judgement. */
const MOST_OF_ALL = 0.5;

/** Equalities that half of the documents and more may meet. */
const LITTLE: ReadonlySet<string> = new Set(['?bool', '?null'].map(($eq) => JSON.stringify({ $eq })));

/** A field of an index's key, with 1, -1 or the kind of index. */
export type KeyField = readonly [path: string, direction: number | string];

/** The keys of the indexes that a query's plans scanned, each once, with fields in order. */
export function scannedKeys(query: Query): readonly (readonly KeyField[])[] {
  const keys = new Set(plansOf(query).flatMap((plan) => [...plan.matchAll(INDEX_SCAN)].map(([, key = '']) => key)));
  return [...keys].map((key) =>
    key.split(', ').map((field): KeyField => {
      const end = field.lastIndexOf(': ');
      return [field.slice(0, end), Number(field.slice(end + 2)) || field.slice(end + 2)];
    }),
  );
}

function leadingOf(key: readonly KeyField[], equal: ReadonlySet<string>): number {
  const end = key.findIndex(([path]) => !equal.has(path));
  return end === -1 ? key.length : end;
}

/** Documents that a query's executions skipped, by the source that knows the most of them. */
export interface RecordedSkips {
  /** Executions that skipped any. */
  readonly executions: number;
  /** Per execution, those that skipped none among them. */
  readonly average: number;
  readonly deepest: number;
}

/** Null if no source reports any. */
export function recordedSkips({ operation: { figures } }: Query): RecordedSkips | null {
  const recorded = FIGURE_SOURCES.flatMap((source) => figures[source] ?? [])
    .filter(({ skips }) => skips !== undefined)
    .toSorted((one, other) => other.executions - one.executions)[0];
  if (recorded?.skips === undefined) return null;
  const { executions, documents, deepest } = recorded.skips;
  return { executions, deepest, average: documents / Math.max(1, recorded.executions) };
}

/**
 * The indexes that serve a query best as far as their keys tell: by the fields that it sets equal, by the order that it asks
 * for, and by its ranges. If there are several, the planner has to try them.
 */
export function bestIndexes(
  { planned, collection }: Query,
  indexes: readonly IndexDescription[],
): readonly IndexDescription[] {
  const served = indexes.flatMap((index) => {
    const access = accessOf(index, collection, planned);
    return isRefused(access) || access.hangsOnValues === true ? [] : [{ index, merit: meritOf(access, planned.sort) }];
  });
  const most = Math.max(0, ...served.map(({ merit }) => merit));
  return served.filter(({ merit }) => merit === most && most > 0).map(({ index }) => index);
}

/** Whether an index does all for a query that another one does. */
export function doesAsMuch(index: IndexDescription, other: IndexDescription, { planned, collection }: Query): boolean {
  const [found, wanted] = [index, other].map((each) => accessOf(each, collection, planned));
  // What a plan used though the model knows no way is not known to be superfluous.
  if (found === undefined || wanted === undefined || isRefused(wanted)) return false;
  return (
    !isRefused(found) && (found.hangsOnValues !== true || wanted.hangsOnValues === true) && isAsGood(found, wanted)
  );
}

/** An equality outweighs an order, and an order a range. */
function meritOf({ scans: [{ bounds }], givesOrder }: Access, sort: Query['sort']): number {
  const points = endOfPoints(bounds);
  const next = bounds[points];
  // What a negation leaves is most of the keys: the planner sees no difference.
  const isNarrowed = next?.kind === 'range' && next.by.some(({ negated }) => !negated);
  return 4 * points + (sort.length > 0 && givesOrder ? 2 : 0) + (isNarrowed ? 1 : 0);
}

/** The keys of the indexes that a plan uses, as its summary writes them. */
export function keysIn(planSummary: string): readonly string[] {
  return [...planSummary.matchAll(/\{ .*? \}(?=$|, ?[A-Z])/g)].map(([key]) => key);
}

/** The plans that a query was recorded with, by their summaries. */
export function plansOf({ operation }: Query): readonly string[] {
  return Object.keys(plannedFigures(operation)?.figures.planSummaries ?? {});
}
