import type { ShardKey } from '../../inventory/sharding.js';
import { ownValue } from '../../plain.js';
import { executionsIn } from '../../workload/coverage/recording.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import { FIGURE_SOURCES, type FigureSource, type Operation, type OperationShape } from '../../workload/workload.js';

/**
 * The shards that mongos sends an operation to: `one` if it names a value for every field of the key, `few` if it names
 * values or a range of the first field, `all` otherwise (a range of a hashed field too).
 */
export type Target = 'one' | 'few' | 'all';

/** How many operations go where, without inserts: each of these goes to one shard, whatever the key. */
export interface KeyTargeting {
  /** Logs of mongos, or else the source with most: each shard records what mongos sent to several. Never added up. */
  readonly source: FigureSource;
  readonly executions: number;
  readonly one: number;
  readonly few: number;
  readonly all: number;
  /** How many mongos sent to several shards with the current key; null if no log of it tells. */
  readonly contacted: { readonly executions: number; readonly several: number } | null;
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
  const bySource = FIGURE_SOURCES.map((source) => ({ source, executions: executionsIn(source, onIt) }));
  const routed = bySource.find(({ source, executions }) => source === 'routerLog' && executions > 0);
  const [most] = routed === undefined ? bySource.toSorted((a, b) => b.executions - a.executions) : [routed];
  if (most === undefined || most.executions === 0) return null;
  const going = (target: Target) =>
    executionsIn(
      most.source,
      onIt.filter(({ shape }) => filterTarget(filterOf(shape), key) === target),
    );
  const contacted = contactedBy(onIt, most.source);
  return { ...most, one: going('one'), few: going('few'), all: going('all'), contacted };
}

function contactedBy(operations: readonly Operation[], source: FigureSource): KeyTargeting['contacted'] {
  const counts = operations.flatMap(({ figures }) => Object.entries(figures[source]?.shardsContacted ?? {}));
  const sum = (of: typeof counts) => of.reduce((all, [, executions]) => all + executions, 0);
  const executions = sum(counts);
  return executions === 0 ? null : { executions, several: sum(counts.filter(([shards]) => Number(shards) > 1)) };
}

/** The filter, or an aggregation's first `$match`. */
function filterOf({ filter, pipeline }: OperationShape): ObjectShape {
  if (filter !== undefined) return filter;
  const match = pipeline?.[0]?.['$match'];
  return match !== undefined && isObjectShape(match) ? match : {};
}

function conditionsOf(filter: ObjectShape, path: string): string[] {
  const condition = ownValue(filter, path);
  return condition !== undefined && isObjectShape(condition) ? Object.keys(condition) : [];
}

function widest(targets: readonly Target[]): Target {
  return targets.includes('all') ? 'all' : targets.includes('few') ? 'few' : 'one';
}
