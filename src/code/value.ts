import type {
  CallExpression,
  Class,
  Expression,
  NewExpression,
  Node,
  TSInterfaceDeclaration,
  TSMethodSignature,
  TSType,
} from 'oxc-parser';
import type { Binding } from './scope.js';
import type { SourceLine } from './source-line.js';
import type { SourceModule } from './source-module.js';
import type { AnyFunction } from './syntax.js';

/** What is known of the value of an expression without running it. */
export type Value =
  | UnknownValue
  /** A value of the database that is there, whatever it is: a date, an id, a text. */
  | { readonly kind: 'some' }
  | { readonly kind: 'constant'; readonly value: string | number | bigint | boolean | null | undefined | RegExp }
  | ObjectValue
  | ArrayValue
  /** One of several: `a ? b : c`, or a function with several returns. */
  | { readonly kind: 'choice'; readonly of: readonly Value[] }
  | FunctionValue
  | ClassValue
  | InstanceValue
  /** A package that is not part of the source, or what it exports under these names. */
  | { readonly kind: 'package'; readonly name: string; readonly path: readonly string[] }
  /** Every export of a module of the source. */
  | { readonly kind: 'module'; readonly module: SourceModule }
  | { readonly kind: 'client' }
  /** All models of mongoose, by name: `mongoose.models`. */
  | { readonly kind: 'models' }
  | { readonly kind: 'database'; readonly name: string | null }
  | CollectionValue
  | SchemaValue
  /** A document of mongoose, or the query for one. */
  | { readonly kind: 'document'; readonly of: CollectionValue }
  /** A method of something known, before it is called. */
  | { readonly kind: 'method'; readonly of: Value; readonly name: string };

export interface UnknownValue {
  readonly kind: 'unknown';
  /** What TypeScript says of it. */
  readonly type?: TypeSite;
  /** The package that it comes from. */
  readonly from?: string;
}

/** A type as it is written. */
export interface TypeSite {
  readonly node: TSType | TSInterfaceDeclaration | TSMethodSignature;
  readonly module: SourceModule;
}

export interface ObjectValue {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  /** Whether it may hold fields that are not known. */
  readonly open: boolean;
}

export interface Field {
  readonly value: Value;
  /** Whether it is only sometimes there. */
  readonly sometimes: boolean;
  readonly at: Site;
}

/** Where something is written. */
export interface Site {
  readonly module: SourceModule;
  readonly node: Node;
}

export function lineAt({ module, node }: Site): SourceLine {
  return { file: module.name, line: module.lineOf(node) };
}

export interface ArrayValue {
  readonly kind: 'array';
  readonly elements: readonly Field[];
  /** Whether it may hold elements that are not known. */
  readonly open: boolean;
}

export interface FunctionValue {
  readonly kind: 'function';
  readonly node: AnyFunction;
  readonly module: SourceModule;
  /** What the names around it stand for. */
  readonly frame: Frame;
}

export interface ClassValue {
  readonly kind: 'class';
  readonly node: Class;
  readonly module: SourceModule;
  readonly frame: Frame;
}

export interface InstanceValue {
  readonly kind: 'instance';
  readonly of: ClassValue;
  readonly given: readonly Value[] | null;
}

/** A collection of the driver, or a model of a library. */
export interface CollectionValue {
  readonly kind: 'collection';
  /** Null if it is not known which. */
  readonly name: string | null;
  readonly database: string | null;
  readonly library: 'driver' | 'mongoose' | 'meteor' | 'unknown';
  readonly schema: SchemaValue | null;
  /** The name under which it is registered, if it is a model. */
  readonly model?: string;
}

export interface SchemaValue {
  readonly kind: 'schema';
  readonly definition: Value;
  readonly options: Value;
  /** Where it is made. */
  readonly at: Site;
}

/** What names stand for while a function is followed that was called with known arguments. */
export interface Frame {
  readonly bound: ReadonlyMap<Binding, Value>;
  readonly self: Value | null;
  readonly depth: number;
}

export const NO_FRAME: Frame = { bound: new Map(), self: null, depth: 0 };

/** Finds out what expressions stand for. */
export interface Evaluating {
  /** The value of an expression of a module. */
  ask(node: Expression, module: SourceModule): Value;
  valueOf(node: Expression, module: SourceModule, frame: Frame): Value;
  /** What a name stands for at a place. */
  named(name: string, at: Node, module: SourceModule, frame: Frame): Value;
  /** @param name null for all that it exports */
  imported(from: SourceModule, specifier: string, name: string | null): Value;
  /** A part of a value by its name. */
  member(of: Value, name: string): Value;
  /** The value that a call of a function returns. @param given null if it is not known with what it is called */
  returned(called: FunctionValue, given: readonly Value[] | null, self?: Value | null): Value;
  /** What names stand for in a call of a function. */
  framed(called: FunctionValue, given: readonly Value[] | null, self: Value | null): Frame;
  /** Values of arguments; null if a spread hides them. */
  given(node: CallExpression | NewExpression, module: SourceModule, frame: Frame): readonly Value[] | null;
  /** The module that a specifier means; null if it is a package, or lies outside. */
  moduleOf(from: SourceModule, specifier: string): SourceModule | null;
  /** What the source registers in one place and asks for in another. */
  readonly registry: {
    models(): ReadonlyMap<string, Value>;
    provided(token: Value): Value | null;
    madeAs(name: string, declarationOf: (site: Site) => Node | null): ReadonlyMap<Node | null, readonly Site[]>;
    kept(name: string): readonly Site[];
    assigned(name: string): Value | null;
  };
  /** The value of a type at a node, found once; unknown while it is being found. */
  ofDeclaration(node: Node, derive: () => Value): Value;
}

export const UNKNOWN: UnknownValue = { kind: 'unknown' };
export const SOME: Value = { kind: 'some' };
export const UNDEFINED: Value = { kind: 'constant', value: undefined };

/** Characters. Of a longer text, only that it is there is known: no name of MongoDB's is as long. */
export const LONGEST_TEXT = 10_000;

export function constant(value: Extract<Value, { kind: 'constant' }>['value']): Value {
  return typeof value === 'string' && value.length > LONGEST_TEXT ? SOME : { kind: 'constant', value };
}

/** Its elements, fields or hundreds of characters; those of all ways. */
export function sizeOf(value: Value): number {
  switch (value.kind) {
    case 'array':
      return value.elements.length;
    case 'object':
      return value.fields.size;
    case 'constant':
      return typeof value.value === 'string' ? value.value.length / 100 : 0;
    case 'choice':
      return value.of.reduce((sum, way) => sum + sizeOf(way), 0);
    default:
      return 0;
  }
}

/** More ways than these are not distinguished. */
const MOST_CHOICES = 8;

/** One of several values; equal constants are one. */
export function choice(values: readonly Value[]): Value {
  const distinct: Value[] = [];
  for (const value of values)
    for (const each of waysOf(value)) {
      if (distinct.some((other) => other === each || isSameConstant(other, each))) continue;
      if (distinct.length === MOST_CHOICES) return UNKNOWN;
      distinct.push(each);
    }
  if (distinct.length === 0) return UNKNOWN;
  return distinct.length === 1 ? (distinct[0] as Value) : { kind: 'choice', of: distinct };
}

/** The ways in which a value can come out; one of them may be unknown. */
export function waysOf(value: Value): readonly Value[] {
  return value.kind === 'choice' ? value.of : [value];
}

export function textOf(value: Value | undefined): string | null {
  return value?.kind === 'constant' && typeof value.value === 'string' ? value.value : null;
}

/** The value of a field that is always there; undefined if there is none. */
export function fieldOf(value: Value, name: string): Value | undefined {
  return value.kind === 'object' ? value.fields.get(name)?.value : undefined;
}

export function isNullish(value: Value): boolean {
  return value.kind === 'constant' && (value.value === undefined || value.value === null);
}

function isSameConstant(one: Value, other: Value): boolean {
  return one.kind === 'constant' && other.kind === 'constant' && Object.is(one.value, other.value);
}
