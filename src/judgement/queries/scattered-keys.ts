import { plannedFigures } from './query-cost.js';
import type { Query } from './query.js';
import { FIGURE_SOURCES } from '../../workload/workload.js';

/** One of the stages of a plan summary, with the key of its index: "IXSCAN { placed: 1, status: 1 }". */
const INDEX_SCAN = /IXSCAN \{ (.*?) \}(?=$|, [A-Z])/g;

/**
 * Whether the keys that a query examines in vain are those of an index in another order than equality, sort, range: a field
 * that the query sets equal stands behind one that it does not. Keys that `skip` passes over are no fault of an index.
 */
export function hasScatteredKeys(query: Query): boolean {
  const equal = new Set(
    query.conditions.all.filter(({ role }) => role === 'equality' || role === 'list').map(({ path }) => path),
  );
  if (equal.size === 0 || query.conditions.alternatives.length > 0 || recordedSkips(query) !== null) return false;
  const keys = scannedKeys(Object.keys(plannedFigures(query.operation)?.figures.planSummaries ?? {}));
  return keys.length > 0 && keys.every((key) => leadingOf(key, equal) < equal.size);
}

/** The fields of the indexes that plans scanned, in order. */
function scannedKeys(plans: readonly string[]): string[][] {
  return plans.flatMap((plan) =>
    [...plan.matchAll(INDEX_SCAN)].map(([, key = '']) => key.split(', ').map((field) => field.replace(/: [^:]*$/, ''))),
  );
}

function leadingOf(key: readonly string[], equal: ReadonlySet<string>): number {
  const end = key.findIndex((path) => !equal.has(path));
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
