import type { CallExpression, Expression } from 'oxc-parser';
import { modelsIn } from './libraries.js';
import { roleOf, type DeclaredIndex, type DeclaredPath } from './place.js';
import { isOpenSomewhere, isPlainObject, plainWays } from './plain-ways.js';
import type { EachModule } from './registry.js';
import { annotationOf, bare, decoratorsOf, memberName, writtenName } from './syntax.js';
import { typedValue } from './typed-value.js';
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
  type ClassValue,
} from './value.js';

/** A path of a schema, without marks for arrays on the way; `*` stands for keys of a map. */
interface SchemaPath {
  readonly path: string;
  readonly at: Site;
  /** What the schema says of it, such as `index` and `ref`. */
  readonly options: Value;
}

/** Schemas within schemas that are followed. */
const DEEPEST = 8;

/** The most paths of one schema. Those of schemas within schemas multiply. */
const MOST_PATHS = 5_000;

const WITH_OPTIONS = new Set(['Prop', 'prop']);

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
export function declarationsIn(evaluator: Evaluating, each: EachModule): Declarations {
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
  const bySchema = new Map<unknown, CollectionValue[]>();
  const noteSchema = (model: CollectionValue, schema: SchemaValue) => {
    const known = bySchema.get(schema.at.node) ?? [];
    if (known.some(({ name }) => name === model.name)) return;
    bySchema.set(schema.at.node, [...known, model]);
    paths.push({ ...declared(model, schema.at), path: null });
    let count = 0;
    for (const path of schemaPaths(evaluator, schema)) {
      count += 1;
      if (count > MOST_PATHS) {
        noteUnknown(schema.at);
        break;
      }
      paths.push({ ...declared(model, path.at), path: path.path });
      for (const { key, options } of indexesOn(path)) note(model, key, options, path.at);
    }
    for (const { key, options, at: site } of classIndexes(evaluator, schema)) note(model, key, options, site);
  };
  each((module) => {
    for (const [, of] of modelsIn(evaluator, module))
      if (of.schema !== null && of.name !== null) noteSchema(of, of.schema);
  });
  each((module) => {
    for (const node of module.calls) {
      const name = node.type === 'CallExpression' ? memberName(bare(node.callee)) : null;
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
  });
  return { indexes, unknownIndexes, paths };
}

function declared(of: CollectionValue, at: Site) {
  return { ...lineAt(at), collection: of.name as string, database: of.database, role: roleOf(at.module.file) };
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

/** As typegoose has them: `@index({ a: 1 })` on the class. */
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

/** The paths that a schema of mongoose, NestJS or typegoose declares, as far as they are known. */
function schemaPaths(evaluator: Evaluating, { definition }: SchemaValue): readonly SchemaPath[] {
  return [...pathsIn(evaluator, definition, '', 0)];
}

function* pathsIn(evaluator: Evaluating, of: Value, before: string, depth: number): Generator<SchemaPath> {
  if (depth > DEEPEST) return;
  if (of.kind === 'class') yield* pathsOfClass(evaluator, of, before, depth);
  else if (of.kind === 'schema') yield* pathsIn(evaluator, of.definition, before, depth + 1);
  else if (of.kind === 'object')
    for (const [name, { value, at }] of of.fields) {
      const type = fieldOf(value, 'type');
      // A field that is called `type` has a type of its own.
      const isLeaf = type !== undefined && fieldOf(type, 'type') === undefined;
      yield* pathOf(evaluator, before + name, isLeaf ? value : UNKNOWN, isLeaf ? type : value, at, depth);
    }
}

/** The properties of a class with `@Prop(…)` or `@prop(…)`, whose type TypeScript says if no option does. */
function* pathsOfClass(
  evaluator: Evaluating,
  { node, module, frame }: ClassValue,
  before: string,
  depth: number,
): Generator<SchemaPath> {
  if (node.superClass !== null)
    yield* pathsIn(evaluator, evaluator.valueOf(node.superClass, module, frame), before, depth + 1);
  for (const member of node.body.body) {
    const name = member.type === 'PropertyDefinition' ? writtenName(member) : null;
    const decorator = decoratorsOf(member).find(({ called }) => WITH_OPTIONS.has(called));
    if (name === null || decorator === undefined) continue;
    const [first] = decorator.given;
    const given = first === undefined ? UNKNOWN : evaluator.valueOf(first, module, NO_FRAME);
    const isOptions = given.kind === 'object';
    const type = isOptions ? fieldOf(given, 'type') : given;
    const written = annotationOf(member);
    const held =
      type === undefined || type.kind === 'unknown'
        ? typedValue(evaluator, written?.type === 'TSArrayType' ? written.elementType : written, module)
        : type.kind === 'function'
          ? evaluator.returned(type, [])
          : type;
    yield* pathOf(evaluator, before + name, isOptions ? given : UNKNOWN, held, { module, node: member }, depth);
  }
}

function* pathOf(
  evaluator: Evaluating,
  path: string,
  options: Value,
  held: Value,
  at: Site,
  depth: number,
): Generator<SchemaPath> {
  yield { path, at, options };
  const element = held.kind === 'array' ? held.elements[0]?.value : held;
  if (element === undefined) return;
  if (isNamed(element, 'Map') || textOf(element) === 'Map') {
    yield { path: `${path}.*`, at, options: UNKNOWN };
    yield* pathsIn(evaluator, fieldOf(options, 'of') ?? UNKNOWN, `${path}.*.`, depth + 1);
  } else if (held.kind === 'array' && fieldOf(element, 'type') !== undefined) {
    yield { path, at, options: element };
  } else yield* pathsIn(evaluator, element.kind === 'instance' ? element.of : element, `${path}.`, depth + 1);
}

/** `Schema.Types.Map` and the like. */
function isNamed(value: Value, name: string): boolean {
  return value.kind === 'package' && value.path.at(-1) === name;
}
