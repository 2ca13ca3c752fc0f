import type { Collection, FieldTypes } from '../../check.js';
import { isIsoTime } from '../../time-units.js';
import type { Window } from '../../workload/window.js';
import type { FigureSource, OperationFigures } from '../../workload/workload.js';
import { fullRecord, isUnited, isWrittenBy } from '../joins/child-reads.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';

/** Share of the documents that must have a field for its ages to be theirs. */
const NEARLY_ALL = 0.95;

/** How far back the recorded operations on a collection reach. */
export interface Reach {
  readonly source: FigureSource;
  readonly window: Window;
  readonly executions: number;
  /** By path, that of most executions first: together they bound all of them. Never empty. */
  readonly bounds: readonly [Bound, ...Bound[]];
  /** Share of the documents that are older by each of the paths, at least. */
  readonly unread: number;
}

/** How far executions reach back by one path. */
export interface Bound {
  readonly path: string;
  readonly executions: number;
  readonly oldestMs: number;
  /** Share of the documents that are older, at least. */
  readonly unread: number;
}

/** Null if an execution may read documents of any age, or if not all operations were recorded. */
export function reachInto(
  collection: Collection,
  { workload }: JoinedCluster,
  types: FieldTypes,
  count: number,
): Reach | null {
  const { namespace, database } = collection;
  const concerned = workload.tracedOperations.filter(
    ({ operation: { shape }, base, joins }) =>
      base === namespace ||
      joins.some(({ foreign }) => foreign.base === namespace) ||
      isUnited(shape, namespace) ||
      isWrittenBy(shape, namespace),
  );
  const operations = concerned.map(({ operation }) => operation);
  const record = fullRecord(workload, database, operations);
  const window = record?.coverage.window ?? null;
  if (record === null || window === null) return null;
  const byPath = new Map<string, Bound>();
  let executions = 0;
  for (const { operation, base, view, joins } of concerned) {
    const { shape, figures } = operation;
    if (shape.kind === 'insert') continue;
    const own = figures[record.source];
    const isPlain = base === namespace && view === null && shape.truncated !== true;
    const joinsItself = joins.some(({ foreign }) => foreign.base === namespace);
    if (own === undefined || !isPlain || joinsItself || isUnited(shape, namespace) || isWrittenBy(shape, namespace))
      return null;
    const best = narrowest(own, types, window.to, count);
    if (best === null) return null;
    const known = byPath.get(best.path) ?? { executions: 0, oldestMs: 0, unread: 1 };
    byPath.set(best.path, {
      ...best,
      executions: known.executions + own.executions,
      oldestMs: Math.max(known.oldestMs, best.oldestMs),
      unread: Math.min(known.unread, best.unread),
    });
    executions += own.executions;
  }
  const [main, ...others] = [...byPath.values()].toSorted((one, other) => other.executions - one.executions);
  if (main === undefined) return null;
  // What is read by one path may be other documents than by another.
  const unread = [main, ...others].reduce((left, each) => left - (1 - each.unread), 1);
  return { source: record.source, window, executions, bounds: [main, ...others], unread };
}

/** The path that leaves most documents unread among those that bound every execution; null if there is none. */
function narrowest(
  { executions, ageBounds = {} }: OperationFigures,
  types: FieldTypes,
  asOf: number,
  count: number,
): Bound | null {
  const bounds = Object.entries(ageBounds).flatMap(([path, bound]): Bound[] => {
    const field = types.fields.find((each) => each.path === path);
    const deciles = field?.deciles ?? null;
    if (field === undefined || deciles === null || bound.executions < executions) return [];
    if (field.documents < NEARLY_ALL * types.documents) return [];
    const { oldestMs, newest } = bound;
    // Without a figure it may be of any age: it was garbled, or no date at all.
    if (oldestMs === undefined && newest === undefined) return [];
    // The latest decile behind which all of the newest are.
    const behindNewest = Math.floor((1 - (newest ?? 0) / count) * (deciles.length + 1)) - 1;
    const ofNewest = newest === undefined ? asOf : deciles[behindNewest];
    if (ofNewest === undefined) return [];
    const reached = Math.max(0, oldestMs ?? 0, asOf - ofNewest);
    if (!isIsoTime(asOf - reached)) return [];
    return [{ path, executions, oldestMs: reached, unread: unreadBefore(deciles, asOf - reached) }];
  });
  return bounds.toSorted((one, other) => other.unread - one.unread)[0] ?? null;
}

/** Share of the times before a moment, rounded down to a tenth. */
function unreadBefore(deciles: readonly number[], moment: number): number {
  return deciles.filter((time) => time < moment).length / (deciles.length + 1);
}
