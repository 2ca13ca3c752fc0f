import { isDeepStrictEqual } from 'node:util';
import { isSameCollation } from '../inventory/collation.js';
import type { IndexDescription } from '../inventory/collection.js';
import { formatIndexKey } from '../inventory/index-key.js';
import { formatShardKey } from '../inventory/sharding.js';
import { spacedJson } from '../judgement/shell-statement.js';
import type { DeclaredOptions } from './collection-facts.js';
import {
  type Change,
  changedMessage,
  type ComparedNamespace,
  type Comparison,
  type Difference,
  type DriftSide,
  notCompared,
  onlyMessage,
  subjectText,
} from './drift.js';

/** How strictly a validator is applied unless its options say otherwise. Source: MongoDB manual, "collMod". */
const VALIDATION = { level: 'strict', action: 'error' };

type Indexes = readonly IndexDescription[];

type Pair = readonly [before: IndexDescription, after: IndexDescription];

const NOT_KEPT = {
  filter: 'the values in its partial filter are not in the files.',
  order: 'the order of its fields is lost, as names of some are numbers.',
} as const;

/** Compares what indexes hold and do. How the server stores them, such as their version, is left out. */
export function comparedIndexes(older: Indexes, newer: Indexes, of: ComparedNamespace): Comparison {
  const { namespace, names } = of;
  const { pairs, onlyOld, onlyNew } = paired(older, newer);
  const difference = (
    { name, key }: IndexDescription,
    side: DriftSide | 'both',
    changes: Change[] = [],
  ): Difference => {
    const what = subjectText('index', name, formatIndexKey(key));
    const message = side === 'both' ? changedMessage(what, changes, names) : onlyMessage(what, side, names);
    return { subject: 'index', namespace, name, in: side, declared: true, changes, message };
  };
  const inBuild = (indexes: Indexes, side: DriftSide) =>
    indexes
      .filter(({ building }) => building === true)
      .map(({ name }) => {
        const detail = `${names[side]}: the index is still being built.`;
        return notCompared(of, { subject: 'index', name, side, reason: 'in-build', detail });
      });
  return [
    ...onlyOld.map((index) => difference(index, 'old')),
    ...onlyNew.map((index) => difference(index, 'new')),
    ...pairs.flatMap((pair) => {
      const changes = indexChanges(pair);
      return changes.length === 0 ? [] : [difference(pair[1], 'both', changes)];
    }),
    ...pairs.flatMap((pair) =>
      notKeptOf(pair).map((what) => {
        const entry = { subject: 'index', name: pair[1].name, side: 'both', reason: 'not-kept' } as const;
        return notCompared(of, { ...entry, detail: NOT_KEPT[what] });
      }),
    ),
    ...inBuild(older, 'old'),
    ...inBuild(newer, 'new'),
  ];
}

/** By name, and of the others those that are the same but for their names. */
function paired(older: Indexes, newer: Indexes) {
  const pairs: Pair[] = [];
  const left = [...newer];
  const take = (matches: (after: IndexDescription) => boolean): IndexDescription | undefined => {
    const at = left.findIndex(matches);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const unnamed = older.filter((before) => {
    const after = take(({ name }) => name === before.name);
    if (after !== undefined) pairs.push([before, after]);
    return after === undefined;
  });
  const onlyOld = unnamed.filter((before) => {
    const after = take((other) => indexChanges([before, { ...other, name: before.name }]).length === 0);
    if (after !== undefined) pairs.push([before, after]);
    return after === undefined;
  });
  return { pairs, onlyOld, onlyNew: left };
}

function indexChanges([before, after]: Pair): Change[] {
  const [old, new_] = [settingsOf(before), settingsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(new_)])];
  return names
    .filter((name) => !isSameSetting(name, old[name], new_[name]))
    .map((name) => ({ what: name, old: settingText(name, old[name]), new: settingText(name, new_[name]) }));
}

/** What the server takes for options that are not set. Source: MongoDB manual, "createIndexes". */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  unique: false,
  sparse: false,
  hidden: false,
  clustered: false,
  prepareUnique: false,
  default_language: 'english',
  language_override: 'language',
  bits: 26,
  min: -180,
  max: 180,
};

const STATES = new Set(['building', 'onShards']);

/** By the server's names, without those that have their defaults. */
function settingsOf({ furtherOptions, ...index }: IndexDescription): Record<string, unknown> {
  const settings = Object.entries({ ...index, ...furtherOptions });
  return Object.fromEntries(settings.filter(([name, value]) => !STATES.has(name) && value !== DEFAULTS[name]));
}

function isSameSetting(name: string, before: unknown, after: unknown): boolean {
  if (name === 'collation') return isSameCollation(before as never, after as never);
  if (name === 'key') return isDeepStrictEqual(keyFields(before as never), keyFields(after as never));
  return isDeepStrictEqual(ordered(before), ordered(after));
}

/** In order. A number is a direction by its sign. */
function keyFields(key: IndexDescription['key']): unknown {
  return Object.entries(key).map(([path, kind]) => [path, typeof kind === 'number' ? Math.sign(kind) : kind]);
}

function settingText(name: string, value: unknown): string | null {
  return name === 'key' ? formatIndexKey(value as IndexDescription['key']) : shapeText(value);
}

/** What files do not keep of indexes that are alike as far as files tell. */
function notKeptOf([before, after]: Pair): (keyof typeof NOT_KEPT)[] {
  if (indexChanges([before, after]).some(({ what }) => what !== 'name')) return [];
  const names = Object.keys(after.key);
  // JSON and JavaScript list names that are numbers first.
  const isOrderLost = names.length > 1 && names.some((name) => /^\d+$/.test(name));
  return [
    ...(hasLeftOutValues(after.partialFilterExpression) ? (['filter'] as const) : []),
    ...(isOrderLost ? (['order'] as const) : []),
  ];
}

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
function ordered(value: unknown): unknown {
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
function shapeText(shape: unknown): string | null {
  if (shape === undefined) return null;
  return typeof shape === 'object' ? spacedJson(shape) : String(shape);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
