import type { Expression, Node } from 'oxc-parser';
import { listOf } from './built-values.js';
import { collectionOfModel } from './model-names.js';
import { CHAIN_METHODS } from './operations.js';
import type { SourceModule } from './source-module.js';
import { bare, decoratorsOf, memberName, writtenPath } from './syntax.js';
import {
  NO_FRAME,
  UNKNOWN,
  constant,
  fieldOf,
  isNullish,
  textOf,
  waysOf,
  type ArrayValue,
  type ClassValue,
  type CollectionValue,
  type Evaluating,
  type Field,
  type ObjectValue,
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
  // Containers of Nest, Inversify and the like.
  const located = LOCATING.has(memberName(callee) ?? '') ? given()?.[0] : undefined;
  if (located?.kind === 'class') return { kind: 'instance', of: located, given: null };
  if (of.kind === 'package') return ofPackage(evaluator, of.name, of.path, given() ?? [], at);
  if (of.kind === 'method') return ofMethod(of.of, of.name, given() ?? []);
  if (writtenPath(callee) === 'Object.freeze') return given()?.[0] ?? UNKNOWN;
  const name = memberName(callee);
  if (self?.kind !== 'unknown' || (name !== 'collection' && name !== 'model')) return UNKNOWN;
  const all = given() ?? [];
  // Whatever has a method `collection` that takes a name is a database.
  if (name === 'collection') return collectionNamed(all[0], 'driver');
  return all.length > 1 ? model(evaluator, all) : (evaluator.registry.models().get(textOf(all[0]) ?? '') ?? UNKNOWN);
}

/** Methods that give an object of the class that they are given. */
const LOCATING = new Set(['get', 'resolve', 'inject', 'getService']);

/** What `new` makes of a package's class, or of a model. */
export function constructed(of: Value, given: readonly Value[], at: Site): Value {
  if (of.kind === 'collection' && of.library === 'mongoose') return { kind: 'document', of };
  if (of.kind !== 'package') return UNKNOWN;
  const name = of.path.at(-1) ?? '';
  if (of.name === 'mongodb' && name === 'MongoClient') return { kind: 'client' };
  if (of.name === 'mongoose' && name === 'Schema') return schemaOf(given, at);
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
    return schemaOf([given[0], decoratorArgument(evaluator, given[0], 'Schema')], siteOf(given[0]));
  if (name !== 'mongoose') return UNKNOWN;
  if (GIVES_CONNECTION.has(called)) return { kind: 'package', name, path: ['connection'] };
  if (called === 'collection') return collectionNamed(given[0], 'driver');
  if (called === 'model') return model(evaluator, given);
  return called === 'Schema' ? schemaOf(given, at) : UNKNOWN;
}

function schemaOf([definition = UNKNOWN, options = UNKNOWN]: readonly Value[], at: Site): Value {
  return { kind: 'schema', definition, options, at };
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
  if (schema === undefined || isNullish(schema)) return asked(evaluator, text);
  return ofModel(text, schema, textOf(stored));
}

/** A model that is registered elsewhere. Its schema, which may name another collection, is not known if nothing registers it. */
function asked(evaluator: Evaluating, name: string): Value {
  return evaluator.registry.models().get(name) ?? ofModel(name, UNKNOWN, null);
}

/** @param schema one that is not known may name the collection */
function ofModel(name: string, schema: Value, stored: string | null): CollectionValue {
  const known = schema.kind === 'schema' ? schema : null;
  const option = known === null ? undefined : fieldOf(known.options, 'collection');
  const named = stored ?? textOf(option);
  const isNamed = named !== null || (known !== null && (option === undefined || isNullish(option)));
  return {
    kind: 'collection',
    name: isNamed ? (named ?? collectionOfModel(name)) : null,
    database: null,
    library: 'mongoose',
    schema: known,
    model: name,
  };
}

function modelOfClass(evaluator: Evaluating, of: Value | undefined, options: Value | undefined): Value {
  if (of?.kind !== 'class' || of.node.id === null) return UNKNOWN;
  const decorated = decoratorArgument(evaluator, of, 'modelOptions');
  const schemaOptions = fieldOf(options ?? UNKNOWN, 'schemaOptions') ?? fieldOf(decorated, 'schemaOptions') ?? UNKNOWN;
  return ofModel(of.node.id.name, schemaOf([of, schemaOptions], siteOf(of)), null);
}

function siteOf({ node, module }: ClassValue): Site {
  return { node, module };
}

/** What a decorator of a class was given. */
function decoratorArgument(evaluator: Evaluating, { node, module }: ClassValue, name: string): Value {
  const [first] = decoratorsOf(node).find(({ called }) => called === name)?.given ?? [];
  return first === undefined ? UNKNOWN : evaluator.valueOf(first, module, NO_FRAME);
}

/** What NestJS hands to a parameter or property: the model of `@InjectModel(User.name)`, what is provided for `@Inject(TOKEN)`. */
export function injectedValue(evaluator: Evaluating, node: Node, module: SourceModule): Value | null {
  const decorators = decoratorsOf(node);
  const [given] = decorators.find(({ called }) => called === 'InjectModel')?.given ?? [];
  const named = given === undefined ? null : evaluator.valueOf(given, module, NO_FRAME);
  if (named !== null) {
    const name = named.kind === 'class' ? (named.node.id?.name ?? null) : textOf(named);
    return name === null ? null : asked(evaluator, name);
  }
  const [token] = decorators.find(({ called }) => called === 'Inject')?.given ?? [];
  return token === undefined ? null : evaluator.registry.provided(evaluator.valueOf(token, module, NO_FRAME));
}

/** The value of a provider of NestJS: `{ provide: TOKEN, useClass: Orders }`. */
export function providedBy(evaluator: Evaluating, provider: ObjectValue): Value {
  const [made, factory] = [fieldOf(provider, 'useClass'), fieldOf(provider, 'useFactory')];
  if (made?.kind === 'class') return { kind: 'instance', of: made, given: null };
  if (factory?.kind === 'function') return evaluator.returned(factory, null);
  return fieldOf(provider, 'useValue') ?? UNKNOWN;
}

/** Models with the names under which they are asked for. */
export type Models = readonly (readonly [string, CollectionValue])[];

/** How functions are called that make models, those of the source included. */
const REGISTERING = /^(?:discriminator|forFeature|getModelForClass)$|model/i;

/** Those of them that may be given one thing; the others are given a name and a schema. */
const GIVEN_ONE = /^forFeature$|class/i;

/** The models of `model('Name', schema)`, of functions that call it, and of what NestJS and typegoose register. */
export function modelsIn(evaluator: Evaluating, module: SourceModule): Models {
  return module.calls.flatMap((call): Models => {
    const callee = bare(call.callee as Expression);
    const called = callee.type === 'Identifier' ? callee.name : (memberName(callee) ?? '');
    if (!REGISTERING.test(called) || call.arguments.length < (GIVEN_ONE.test(called) ? 1 : 2)) return [];
    if (called === 'discriminator') {
      const given = evaluator.given(call, module, NO_FRAME) ?? [];
      const text = textOf(given[0]);
      if (text === null || callee.type !== 'MemberExpression') return [];
      const base = evaluator.ask(callee.object as Expression, module);
      return base.kind === 'collection' ? [[text, discriminator(base, given[1])]] : [];
    }
    if (called === 'forFeature') {
      const [list] = evaluator.given(call, module, NO_FRAME) ?? [];
      return list?.kind === 'array' ? list.elements.flatMap((each) => registered(evaluator, each)) : [];
    }
    return waysOf(evaluator.ask(call as Expression, module)).flatMap((of) =>
      of.kind === 'collection' && of.model !== undefined ? [[of.model, of] as const] : [],
    );
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

function registered(evaluator: Evaluating, { value }: Field): readonly (readonly [string, CollectionValue])[] {
  const of = value.kind === 'class' ? value : fieldOf(value, 'typegooseClass');
  const made = of === undefined ? UNKNOWN : modelOfClass(evaluator, of, value);
  if (made.kind === 'collection' && made.model !== undefined) return [[made.model, made]];
  const name = textOf(fieldOf(value, 'name'));
  const schema = fieldOf(value, 'schema') ?? UNKNOWN;
  return name === null ? [] : [[name, ofModel(name, schema, textOf(fieldOf(value, 'collection')))]];
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
