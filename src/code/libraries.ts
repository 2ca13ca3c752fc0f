import type { Expression, Node } from 'oxc-parser';
import { listOf } from './built-values.js';
import { collectionOfModel } from './model-names.js';
import { CHAIN_METHODS } from './operations.js';
import type { SourceModule } from './source-module.js';
import { decoratorsOf, memberName } from './syntax.js';
import {
  NO_FRAME,
  UNKNOWN,
  constant,
  fieldOf,
  textOf,
  type ArrayValue,
  type ClassValue,
  type CollectionValue,
  type Evaluating,
  type Field,
  type SchemaValue,
  type Site,
  type Value,
} from './value.js';

const TYPEGOOSE = new Set(['@typegoose/typegoose', 'typegoose']);
/** Databases of others have a method `collection`, too. */
const OTHER_DATABASES = /^(?:@google-cloud\/firestore|firebase(?:-admin)?)(?:\/|$)/;

/** The value that a call of a method or of a package's function returns. */
export function calledMethod(
  evaluator: Evaluating,
  of: Value,
  self: Value | null,
  callee: Expression,
  given: () => readonly Value[] | null,
  at: Site,
): Value {
  if (of.kind === 'package') return ofPackage(evaluator, of.name, of.path, given() ?? [], at);
  if (of.kind === 'method') return ofMethod(of.of, of.name, given() ?? []);
  const name = memberName(callee);
  if ((name !== 'collection' && name !== 'model') || self?.kind !== 'unknown') return UNKNOWN;
  const [first] = given() ?? [];
  // Whatever has a method `collection` that takes a name is a database.
  if (name === 'collection') return collectionNamed(first, 'driver');
  const text = textOf(first);
  return text === null ? UNKNOWN : (evaluator.models().get(text) ?? UNKNOWN);
}

/** What `new` makes of a package's class, or of a model. */
export function constructed(of: Value, given: readonly Value[], at: Site): Value {
  if (of.kind === 'collection' && of.library === 'mongoose') return { kind: 'document', of };
  if (of.kind !== 'package') return UNKNOWN;
  const name = of.path.at(-1) ?? '';
  if (of.name === 'mongodb' && name === 'MongoClient') return { kind: 'client' };
  if (of.name === 'mongoose' && name === 'Schema')
    return { kind: 'schema', definition: given[0] ?? UNKNOWN, options: given[1] ?? UNKNOWN, at };
  return of.name === 'meteor/mongo' && name === 'Collection' ? collectionNamed(given[0], 'meteor') : UNKNOWN;
}

function ofPackage(
  evaluator: Evaluating,
  name: string,
  path: readonly string[],
  given: readonly Value[],
  at: Site,
): Value {
  const called = path.at(-1) ?? '';
  if (name === 'mongodb' && called === 'connect' && path.at(-2) === 'MongoClient') return { kind: 'client' };
  if (TYPEGOOSE.has(name) && called === 'getModelForClass') return modelOfClass(evaluator, given[0], given[1]);
  if (name === '@nestjs/mongoose' && called === 'createForClass' && given[0]?.kind === 'class')
    return {
      kind: 'schema',
      definition: given[0],
      options: decoratorArgument(evaluator, given[0], 'Schema'),
      at: siteOf(given[0]),
    };
  if (name !== 'mongoose') return UNKNOWN;
  if (GIVES_CONNECTION.has(called)) return { kind: 'package', name, path: ['connection'] };
  if (called === 'collection') return collectionNamed(given[0], 'driver');
  if (called === 'model') return model(evaluator, given);
  return called === 'Schema'
    ? { kind: 'schema', definition: given[0] ?? UNKNOWN, options: given[1] ?? UNKNOWN, at }
    : UNKNOWN;
}

function ofMethod(of: Value, name: string, given: readonly Value[]): Value {
  switch (of.kind) {
    case 'client':
      if (name === 'connect') return of;
      return name === 'db' ? { kind: 'database', name: textOf(given[0]) } : UNKNOWN;
    case 'database':
      if (name === 'collection')
        return { kind: 'collection', name: textOf(given[0]), database: of.name, library: 'driver', schema: null };
      return name === 'db' ? { kind: 'database', name: textOf(given[0]) } : UNKNOWN;
    case 'collection':
      if (of.library === 'mongoose' && GIVES_DOCUMENT.has(name)) return { kind: 'document', of };
      if (name === 'discriminator') return discriminator(of, given[1]);
      return name === 'rawCollection' || name === 'withOptions' ? of : UNKNOWN;
    case 'document':
      // `lean()` gives a plain object.
      return CHAIN_METHODS.has(name) && name !== 'lean' ? of : UNKNOWN;
    case 'array':
      return ofArray(of, name, given);
    default:
      return UNKNOWN;
  }
}

/** Its documents are in the same collection, and have a schema of their own. */
function discriminator(of: CollectionValue, schema: Value | undefined): CollectionValue {
  return { ...of, schema: schema?.kind === 'schema' ? schema : null };
}

/** Functions and methods of mongoose whose result is a connection. */
const GIVES_CONNECTION = new Set(['createConnection', 'asPromise', 'useDb', 'set']);

/** Methods of a model whose result is one document. */
const GIVES_DOCUMENT = new Set(['findOne', 'findById', 'findOneAndUpdate', 'findByIdAndUpdate', 'create', 'hydrate']);

function ofArray(of: ArrayValue, name: string, given: readonly Value[]): Value {
  if (name === 'filter') return { ...of, elements: of.elements.map((element) => ({ ...element, sometimes: true })) };
  if (name !== 'concat') return UNKNOWN;
  const elements = given.flatMap((each) => (each.kind === 'array' ? each.elements : []));
  const open = of.open || given.some((each) => each.kind !== 'array' || each.open);
  return listOf([...of.elements, ...elements], open);
}

function model(evaluator: Evaluating, [name, schema, stored]: readonly Value[]): Value {
  const text = textOf(name);
  if (text === null) return UNKNOWN;
  if (schema === undefined) return evaluator.models().get(text) ?? ofModel(text, null, null);
  return ofModel(text, schema.kind === 'schema' ? schema : null, textOf(stored));
}

function ofModel(name: string, schema: SchemaValue | null, stored: string | null): CollectionValue {
  const options = schema?.options;
  const named = stored ?? textOf(options === undefined ? undefined : fieldOf(options, 'collection'));
  return {
    kind: 'collection',
    name: named ?? collectionOfModel(name),
    database: null,
    library: 'mongoose',
    schema,
  };
}

function modelOfClass(evaluator: Evaluating, of: Value | undefined, options: Value | undefined): Value {
  if (of?.kind !== 'class' || of.node.id === null) return UNKNOWN;
  const decorated = decoratorArgument(evaluator, of, 'modelOptions');
  const schemaOptions = fieldOf(options ?? UNKNOWN, 'schemaOptions') ?? fieldOf(decorated, 'schemaOptions') ?? UNKNOWN;
  return ofModel(of.node.id.name, { kind: 'schema', definition: of, options: schemaOptions, at: siteOf(of) }, null);
}

function siteOf({ node, module }: ClassValue): Site {
  return { node, module };
}

/** What a decorator of a class was given. */
function decoratorArgument(evaluator: Evaluating, { node, module }: ClassValue, name: string): Value {
  const [first] = decoratorsOf(node).find(({ called }) => called === name)?.given ?? [];
  return first === undefined ? UNKNOWN : evaluator.valueOf(first, module, NO_FRAME);
}

/** The model that NestJS hands to a parameter or property: `@InjectModel(User.name)`. */
export function injectedModel(evaluator: Evaluating, node: Node, module: SourceModule): Value | null {
  const [first] = decoratorsOf(node).find(({ called }) => called === 'InjectModel')?.given ?? [];
  const name = first === undefined ? null : textOf(evaluator.valueOf(first, module, NO_FRAME));
  return name === null ? null : (evaluator.models().get(name) ?? ofModel(name, null, null));
}

const REGISTERING = new Set(['model', 'discriminator', 'forFeature', 'getModelForClass']);

/** Models with the names under which they are asked for. */
export type Models = readonly (readonly [string, CollectionValue])[];

/** The models of `model('Name', schema)`, and of what NestJS and typegoose register. */
export function modelsIn(evaluator: Evaluating, module: SourceModule): Models {
  return module.calls.flatMap((call): Models => {
    const { callee } = call;
    const called = callee.type === 'Identifier' ? callee.name : (memberName(callee) ?? '');
    if (!REGISTERING.has(called) || (called === 'model' && call.arguments.length < 2)) return [];
    const given = evaluator.given(call, module, NO_FRAME) ?? [];
    if (called === 'discriminator') {
      const text = textOf(given[0]);
      if (text === null || callee.type !== 'MemberExpression') return [];
      const base = evaluator.ask(callee.object as Expression, module);
      return base.kind === 'collection' ? [[text, discriminator(base, given[1])]] : [];
    }
    if (called === 'forFeature') return given[0]?.kind === 'array' ? given[0].elements.flatMap(registered) : [];
    const of = called === 'model' ? model(evaluator, given) : modelOfClass(evaluator, given[0], given[1]);
    const name = called === 'model' ? textOf(given[0]) : given[0]?.kind === 'class' ? given[0].node.id?.name : null;
    return of.kind === 'collection' && typeof name === 'string' ? [[name, of]] : [];
  });
}

/** By name. A name that stands for several collections is unknown. */
export function modelsByName(all: Models): ReadonlyMap<string, Value> {
  const known = new Map<string, Value>();
  for (const [name, of] of all) {
    const before = known.get(name);
    const isOther = before !== undefined && !(before.kind === 'collection' && before.name === of.name);
    known.set(name, isOther ? UNKNOWN : (before ?? of));
  }
  return known;
}

function registered({ value }: Field): readonly (readonly [string, CollectionValue])[] {
  const name = textOf(fieldOf(value, 'name'));
  const schema = fieldOf(value, 'schema');
  if (name === null) return [];
  return [[name, ofModel(name, schema?.kind === 'schema' ? schema : null, textOf(fieldOf(value, 'collection')))]];
}

function collectionNamed(name: Value | undefined, library: 'driver' | 'meteor'): Value {
  const text = textOf(name);
  return text === null ? UNKNOWN : { kind: 'collection', name: text, database: null, library, schema: null };
}

/** `Model.collection` is the driver's, and knows its name. */
export function memberOfCollection(of: CollectionValue, name: string): Value {
  if (name === 'collection') return { ...of, library: 'driver' };
  const isName = name === 'collectionName' || (name === 'name' && of.library === 'driver');
  return isName && of.name !== null ? constant(of.name) : { kind: 'method', of, name };
}

/** Whether a module talks to a database whose calls look like those of MongoDB's driver. */
export function isOfOtherDatabase({ specifiers }: SourceModule): boolean {
  return [...specifiers].some((specifier) => OTHER_DATABASES.test(specifier));
}

const MONGOOSE = /^(?:mongoose|@nestjs\/mongoose|@typegoose\/typegoose|typegoose)$/;

/** Whether any of the source imports mongoose. */
export function usesMongoose(modules: readonly SourceModule[]): boolean {
  return modules.some(({ specifiers }) => [...specifiers].some((specifier) => MONGOOSE.test(specifier)));
}
