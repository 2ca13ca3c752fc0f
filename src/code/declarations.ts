import type { CallExpression, Expression } from 'oxc-parser';
import { modelsIn } from './libraries.js';
import { isOpenSomewhere, isPlainObject, plainWays } from './plain-ways.js';
import type { DeclaredIndex, DeclaredPath, FileRole } from './place.js';
import { decoratorsOf, schemaPaths, type SchemaPath } from './schema-paths.js';
import type { SourceModule } from './source-module.js';
import { bare } from './syntax.js';
import {
  NO_FRAME,
  UNKNOWN,
  fieldOf,
  lineAt,
  textOf,
  waysOf,
  type CollectionValue,
  type Evaluating,
  type SchemaValue,
  type Site,
  type Value,
} from './value.js';

export interface Declarations {
  readonly indexes: readonly DeclaredIndex[];
  /** How many indexes more it declares, whose collection or key is not known. */
  readonly unknownIndexes: number;
  readonly paths: readonly DeclaredPath[];
}

/** Methods of collections that build indexes, of the driver and of Meteor. */
const BUILDERS = new Set(['createIndex', 'createIndexes', 'ensureIndex', 'createIndexAsync', '_ensureIndex']);

/** Options of a schema's path that make an index, with the kind of key. */
const KINDS: readonly (readonly [option: string, kind: number | string])[] = [
  ['index', 1],
  ['unique', 1],
  ['expires', 1],
  ['text', 'text'],
];

/** The indexes and paths that the source declares for collections that it names. */
export function declarationsIn(
  evaluator: Evaluating,
  modules: readonly SourceModule[],
  roleOf: (file: string) => FileRole,
): Declarations {
  const declared = (of: Pick<CollectionValue, 'name' | 'database'>, at: Site) => {
    return {
      ...lineAt(at),
      collection: of.name as string,
      database: of.database,
      role: roleOf(at.module.file),
    };
  };
  const indexes: DeclaredIndex[] = [];
  const paths: DeclaredPath[] = [];
  let unknownIndexes = 0;
  const noteUnknown = ({ module }: Site) => {
    if (roleOf(module.file) !== 'test') unknownIndexes += 1;
  };
  const note = (of: CollectionValue, key: Value, options: Value, at: Site) => {
    const read = keyOf(key);
    if (read === null || of.name === null) noteUnknown(at);
    else
      indexes.push({
        ...declared(of, at),
        key: read,
        isUnique: isTrue(fieldOf(options, 'unique')),
        name: textOf(fieldOf(options, 'name')),
      });
  };
  const models = modelsIn(evaluator, modules).flatMap(([, of]) => (of.schema === null || of.name === null ? [] : [of]));
  const bySchema = new Map<unknown, CollectionValue[]>();
  for (const model of models) {
    const { at } = model.schema as SchemaValue;
    const known = bySchema.get(at.node) ?? [];
    if (known.some(({ name }) => name === model.name)) continue;
    bySchema.set(at.node, [...known, model]);
    paths.push({ ...declared(model, at), path: null });
    for (const path of schemaPaths(evaluator, model.schema as SchemaValue)) {
      paths.push({ ...declared(model, path.at), path: path.path });
      for (const { key, options } of indexesOn(path)) note(model, key, options, path.at);
    }
    for (const { key, options, at: site } of classIndexes(evaluator, model.schema as SchemaValue))
      note(model, key, options, site);
  }
  for (const module of modules) {
    for (const node of module.calls) {
      const name = node.type === 'CallExpression' ? methodOf(node) : null;
      if (name === null || (name !== 'index' && !BUILDERS.has(name))) continue;
      const of = evaluator.ask((bare(node.callee) as { readonly object: Expression }).object, module);
      const given = evaluator.given(node as CallExpression, module, NO_FRAME) ?? [];
      const at = { module, node };
      // A model of mongoose then builds those of its schema.
      if (given.length === 0) continue;
      const declaring = name === 'createIndexes' ? listed(given[0]) : [{ key: given[0], options: given[1] }];
      for (const way of waysOf(of)) {
        const collections =
          way.kind === 'collection' ? [way] : way.kind === 'schema' ? (bySchema.get(way.at.node) ?? []) : [];
        // Anything may have a method `index`.
        if (collections.length === 0 && (name !== 'index' || keyOf(given[0] ?? UNKNOWN) !== null)) noteUnknown(at);
        for (const collection of collections)
          for (const { key, options } of declaring) note(collection, key ?? UNKNOWN, options ?? UNKNOWN, at);
      }
    }
  }
  return { indexes, unknownIndexes, paths };
}

function methodOf(node: CallExpression): string | null {
  const callee = bare(node.callee);
  return callee.type === 'MemberExpression' && !callee.computed ? callee.property.name : null;
}

function listed(list: Value | undefined): readonly { readonly key: Value; readonly options: Value }[] {
  if (list?.kind !== 'array') return [{ key: UNKNOWN, options: UNKNOWN }];
  const known = list.elements.map(({ value }) => ({ key: fieldOf(value, 'key') ?? UNKNOWN, options: value }));
  return list.open ? [...known, { key: UNKNOWN, options: UNKNOWN }] : known;
}

function indexesOn({ path, options }: SchemaPath): readonly { readonly key: Value; readonly options: Value }[] {
  const found = KINDS.find(([name]) => isSet(fieldOf(options, name)));
  if (found === undefined) return [];
  const named = textOf(fieldOf(options, 'index'));
  const value: Value = { kind: 'constant', value: named ?? found[1] };
  const at = options.kind === 'object' ? [...options.fields.values()][0]?.at : undefined;
  if (at === undefined) return [];
  return [
    { key: { kind: 'object', fields: new Map([[path, { value, sometimes: false, at }]]), open: false }, options },
  ];
}

/** Of typegoose: `@index({ a: 1 })` on the class. */
function classIndexes(evaluator: Evaluating, { definition }: SchemaValue) {
  if (definition.kind !== 'class') return [];
  const { node, module } = definition;
  const value = (given: Expression | undefined) =>
    given === undefined ? UNKNOWN : evaluator.valueOf(given, module, NO_FRAME);
  return decoratorsOf(node)
    .filter(({ called }) => called === 'index')
    .map(({ given: [key, options] }) => ({
      key: value(key),
      options: value(options),
      at: { module, node: key ?? node },
    }));
}

/** Fields with their kinds, in order; null unless all of it is known. */
function keyOf(value: Value): DeclaredIndex['key'] | null {
  const text = textOf(value);
  if (text !== null) return { [text]: 1 };
  const ways = plainWays(value);
  const [only] = ways ?? [];
  if (ways?.length !== 1 || !isPlainObject(only) || isOpenSomewhere(only)) return null;
  const fields = Object.entries(only).map(([path, kind]) => [path, KIND_NAMES[String(kind)] ?? kind] as const);
  return fields.length > 0 && fields.every(([, kind]) => typeof kind === 'number' || typeof kind === 'string')
    ? (Object.fromEntries(fields) as DeclaredIndex['key'])
    : null;
}

const KIND_NAMES: Readonly<Record<string, number>> = {
  asc: 1,
  ascending: 1,
  '1': 1,
  desc: -1,
  descending: -1,
  '-1': -1,
};

function isTrue(value: Value | undefined): boolean {
  return value?.kind === 'constant' && value.value === true;
}

/** `index: true`, `index: '2dsphere'`, `index: { unique: true }`. */
function isSet(value: Value | undefined): boolean {
  if (value === undefined) return false;
  return value.kind !== 'constant' || (value.value !== false && value.value !== undefined && value.value !== null);
}
