import { isSameCollation } from '../inventory/collation.js';
import { formatShardKey } from '../inventory/sharding.js';
import type { DeclaredOptions } from './collection-facts.js';
import type { Change } from './drift-schema.js';
import { isDeepStrictEqual } from 'node:util';
import { spacedJson } from '../judgement/spaced-json.js';

/** How strictly a validator is applied unless its options say otherwise. Source: MongoDB manual, "collMod". */
const VALIDATION = { level: 'strict', action: 'error' };

/** The options of a collection but for its validator and its place on shards. */
export function optionChanges(before: DeclaredOptions, after: DeclaredOptions): Change[] {
  return [
    ...changed('capped', before.capped, after.capped),
    ...changed('clustered', before.clustered || undefined, after.clustered || undefined),
    ...(isSameCollation(before.collation, after.collation)
      ? []
      : changed('collation', before.collation, after.collation)),
    ...changed('expireAfterSeconds', before.expireAfterSeconds, after.expireAfterSeconds),
    ...changed('changeStreamPreAndPostImages', before.preAndPostImages, after.preAndPostImages),
    ...changed('timeseries', before.timeseries, after.timeseries),
  ];
}

/** Keys, uniqueness and zones of sharded collections. */
export function shardingChanges(before: DeclaredOptions, after: DeclaredOptions): Change[] {
  const [old, new_] = [before.sharding, after.sharding];
  return [
    ...changed('shard key', old && formatShardKey(old.key), new_ && formatShardKey(new_.key)),
    ...(old === undefined || new_ === undefined
      ? []
      : [
          ...changed('unique shard key', old.unique, new_.unique),
          ...changed('zones', old.zones.toSorted(), new_.zones.toSorted()),
        ]),
  ];
}

export function validatorChanges(before: DeclaredOptions, after: DeclaredOptions): Change[] {
  if (before.validator === undefined || after.validator === undefined)
    return changed('validator', before.validator, after.validator);
  const [old, new_] = [before, after].map(({ validation }) => ({ ...VALIDATION, ...validation }));
  return [
    ...shapeChanges(before.validator, after.validator),
    ...changed('validationLevel', old?.level, new_?.level),
    ...changed('validationAction', old?.action, new_?.action),
  ];
}

/** The definition of a view, and what it reads. */
export function viewChanges(before: DeclaredOptions, after: DeclaredOptions): Change[] {
  return [...changed('viewOn', before.viewOn, after.viewOn), ...changed('pipeline', before.pipeline, after.pipeline)];
}

function changed(what: string, before: unknown, after: unknown): Change[] {
  return shapeChanges(before, after).length === 0 ? [] : [{ what, old: shapeText(before), new: shapeText(after) }];
}

/** With the fields of each document in alphabetical order: their order says nothing. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isFields(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, ordered(value[name])]));
}

/** True if the shape stands for values that it does not hold. */
export function hasLeftOutValues(shape: unknown): boolean {
  return typeof shape === 'string'
    ? shape.startsWith('?')
    : typeof shape === 'object' && shape !== null && Object.values(shape).some(hasLeftOutValues);
}

/** Where two shapes differ, by dotted path. */
function shapeChanges(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isDeepStrictEqual(ordered(before), ordered(after))) return [];
  if (isFields(before) && isFields(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => shapeChanges(before[name], after[name], [...path, name]));
  }
  return [{ what: path.join('.'), old: shapeText(before), new: shapeText(after) }];
}

/** Null for what is not set. */
export function shapeText(shape: unknown): string | null {
  if (shape === undefined) return null;
  return typeof shape === 'object' ? spacedJson(shape) : String(shape);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
