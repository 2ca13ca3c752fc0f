import { isDeepStrictEqual } from 'node:util';
import { isSameCollation } from '../inventory/collation.js';
import type { IndexDescription } from '../inventory/collection.js';
import { formatIndexKey } from '../inventory/index-key.js';
import type { Change, DriftSide } from './drift-schema.js';
import { hasLeftOutValues, ordered, shapeText } from './compared-options.js';

export interface IndexDifference {
  readonly index: IndexDescription;
  readonly in: DriftSide | 'both';
  readonly changes: readonly Change[];
}

export interface ComparedIndexes {
  readonly differences: readonly IndexDifference[];
  /** Indexes that are alike as far as files tell: values of their filters, or the order of their keys, are not kept. */
  readonly notKept: readonly { readonly index: IndexDescription; readonly what: 'filter' | 'order' }[];
  readonly inBuild: readonly { readonly index: IndexDescription; readonly side: DriftSide }[];
}

type Indexes = readonly IndexDescription[];
type Pair = readonly [before: IndexDescription, after: IndexDescription];

/** Compares what indexes hold and do. How the server stores them, such as their version, is left out. */
export function comparedIndexes(older: Indexes, newer: Indexes): ComparedIndexes {
  const { pairs, onlyOld, onlyNew } = paired(older, newer);
  const changed = pairs.map((pair) => ({ index: pair[1], in: 'both' as const, changes: indexChanges(pair) }));
  return {
    differences: [
      ...onlyOld.map((index) => ({ index, in: 'old' as const, changes: [] })),
      ...onlyNew.map((index) => ({ index, in: 'new' as const, changes: [] })),
      ...changed.filter(({ changes }) => changes.length > 0),
    ],
    notKept: pairs.flatMap(notKeptOf),
    inBuild: [...inBuild(older, 'old'), ...inBuild(newer, 'new')],
  };
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

function notKeptOf([before, after]: Pair): ComparedIndexes['notKept'] {
  if (indexChanges([before, after]).some(({ what }) => what !== 'name')) return [];
  const names = Object.keys(after.key);
  // JSON and JavaScript list names that are numbers first.
  const isOrderLost = names.length > 1 && names.some((name) => /^\d+$/.test(name));
  return [
    ...(hasLeftOutValues(after.partialFilterExpression) ? [{ index: after, what: 'filter' as const }] : []),
    ...(isOrderLost ? [{ index: after, what: 'order' as const }] : []),
  ];
}

function inBuild(indexes: Indexes, side: DriftSide): ComparedIndexes['inBuild'] {
  return indexes.filter(({ building }) => building === true).map((index) => ({ index, side }));
}
