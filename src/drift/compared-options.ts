import { isSameCollation } from '../inventory/collation.js';
import { formatShardKey } from '../inventory/shard-key.js';
import type { DeclaredOptions } from './collection-facts.js';
import type { Change } from './drift-schema.js';
import { shapeChanges, shapeText } from './shape-changes.js';

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
