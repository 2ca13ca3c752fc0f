import type { Collection } from '../../src/check.js';
import { fullRecord, isUnited, isWrittenBy } from '../../src/judgement/joins/child-reads.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { FieldTypes } from '../../src/profile/field-types.js';
import type { FigureSource, OperationFigures, Window } from '../../src/workload/workload.js';

/** Share of the documents that must have a field for its ages to be theirs. */
const NEARLY_ALL = 0.95;

/** How far back the recorded operations on a collection reach. */
export interface Reach {
  readonly source: FigureSource;
  readonly window: Window;
  readonly executions: number;
  /** The path by which most executions are bounded, and how far they reach back by it. */
  readonly path: string;
  readonly oldestMs: number;
  readonly paths: ReadonlySet<string>;
  /** Share of the documents that no execution asks for, at least. */
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
  const byPath = new Map<string, { executions: number; oldestMs: number; unread: number }>();
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
      executions: known.executions + own.executions,
      oldestMs: Math.max(known.oldestMs, best.oldestMs),
      unread: Math.min(known.unread, best.unread),
    });
    executions += own.executions;
  }
  const [main] = [...byPath].toSorted(([, one], [, other]) => other.executions - one.executions);
  if (main === undefined) return null;
  const [path, { oldestMs }] = main;
  // What is read by one path may be other documents than by another.
  const unread = [...byPath.values()].reduce((left, each) => left - (1 - each.unread), 1);
  return { source: record.source, window, executions, path, oldestMs, paths: new Set(byPath.keys()), unread };
}

interface Bound {
  readonly path: string;
  readonly oldestMs: number;
  readonly unread: number;
}

/** Of the paths that bound every execution, the one that leaves most documents unread; null if there is none. */
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
    const byAge = bound.oldestMs === undefined ? Infinity : unreadBefore(deciles, asOf - bound.oldestMs);
    const behindNewest = 1 - Math.min(1, (bound.newest ?? 0) / count);
    const ofNewest =
      bound.newest === undefined ? 0 : asOf - (deciles[Math.floor(behindNewest * deciles.length)] ?? asOf);
    const oldestMs = Math.max(0, bound.oldestMs ?? 0, ofNewest);
    return [{ path, oldestMs, unread: Math.min(byAge, behindNewest) }];
  });
  return bounds.toSorted((one, other) => other.unread - one.unread)[0] ?? null;
}

/** Share of the times before a moment, rounded down to a tenth. */
function unreadBefore(deciles: readonly number[], moment: number): number {
  return deciles.filter((time) => time < moment).length / (deciles.length + 1);
}
