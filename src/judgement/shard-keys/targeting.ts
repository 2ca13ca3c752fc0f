import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import { FIGURE_SOURCES, type FigureSource, type Operation, type OperationShape } from '../../workload/workload.js';
import type { ShardKey } from '../../inventory/shard-key.js';

/**
 * The shards that mongos sends an operation to: `one` if it names a value for every field of the key, `few` if it names
 * values or a range of the first field, `all` otherwise (a range of a hashed field too).
 */
export type Target = 'one' | 'few' | 'all';

/** How many operations go where, without inserts: each of these goes to one shard, whatever the key. */
export interface KeyTargeting {
  /** The source with most of them; figures of different sources are never added. */
  readonly source: FigureSource;
  readonly executions: number;
  readonly one: number;
  readonly few: number;
  readonly all: number;
}

const VALUES = ['$eq', '$in'] as const;
const RANGES = ['$gt', '$gte', '$lt', '$lte'] as const;

export function filterTarget(filter: ObjectShape, key: ShardKey): Target {
  const branches = filter['$or'];
  if (Array.isArray(branches)) {
    const { $or: _, ...rest } = filter;
    const own = filterTarget(rest, key);
    const targets = (branches as readonly Shape[]).map((branch) =>
      isObjectShape(branch) ? filterTarget({ ...rest, ...branch }, key) : own,
    );
    return own === 'one' || targets.length === 0 ? own : widest([...targets, 'few']);
  }
  if (key.every(({ path }) => conditionsOf(filter, path).includes('$eq'))) return 'one';
  const [leading] = key;
  if (leading === undefined) return 'all';
  const conditions = conditionsOf(filter, leading.path);
  if (VALUES.some((operator) => conditions.includes(operator))) return 'few';
  return !leading.hashed && RANGES.some((operator) => conditions.includes(operator)) ? 'few' : 'all';
}

export function keyTargeting(operations: readonly Operation[], namespace: string, key: ShardKey): KeyTargeting | null {
  const onIt = operations.filter(({ shape }) => shape.namespace === namespace && shape.kind !== 'insert');
  const bySource = FIGURE_SOURCES.map((source) => ({ source, executions: executionsOf(source, onIt) }));
  const [most] = bySource.sort((a, b) => b.executions - a.executions);
  if (most === undefined || most.executions === 0) return null;
  const going = (target: Target) =>
    executionsOf(
      most.source,
      onIt.filter(({ shape }) => filterTarget(filterOf(shape), key) === target),
    );
  return { ...most, one: going('one'), few: going('few'), all: going('all') };
}

function executionsOf(source: FigureSource, operations: readonly Operation[]): number {
  return operations.reduce((sum, { figures }) => sum + (figures[source]?.executions ?? 0), 0);
}

/** Of an aggregation its first `$match`. */
function filterOf({ filter, pipeline }: OperationShape): ObjectShape {
  if (filter !== undefined) return filter;
  const match = pipeline?.[0]?.['$match'];
  return match !== undefined && isObjectShape(match) ? match : {};
}

function conditionsOf(filter: ObjectShape, path: string): string[] {
  const condition = filter[path];
  return condition !== undefined && isObjectShape(condition) ? Object.keys(condition) : [];
}

function widest(targets: readonly Target[]): Target {
  return targets.includes('all') ? 'all' : targets.includes('few') ? 'few' : 'one';
}
