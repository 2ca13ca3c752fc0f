import type { Expression, PropertyDefinition } from 'oxc-parser';
import { plainArguments, writtenName } from './syntax.js';
import {
  NO_FRAME,
  UNKNOWN,
  fieldOf,
  textOf,
  type ClassValue,
  type Evaluating,
  type SchemaValue,
  type Site,
  type Value,
} from './value.js';

/** A path of a schema, without marks for arrays on the way; `*` stands for keys of a map. */
export interface SchemaPath {
  readonly path: string;
  readonly at: Site;
  /** What the schema says of it, such as `index` and `ref`. */
  readonly options: Value;
}

/** Schemas within schemas that are followed. */
const DEEPEST = 8;

const WITH_OPTIONS = new Set(['Prop', 'prop']);

/** The paths that a schema of mongoose, NestJS or typegoose declares, as far as they are known. */
export function schemaPaths(evaluator: Evaluating, { definition }: SchemaValue): readonly SchemaPath[] {
  return [...pathsIn(evaluator, definition, '', 0)];
}

function* pathsIn(evaluator: Evaluating, of: Value, before: string, depth: number): Generator<SchemaPath> {
  if (depth > DEEPEST) return;
  if (of.kind === 'class') {
    for (const { name, options, at } of decorated(evaluator, of))
      yield* pathOf(evaluator, before + name, options, at, depth);
  } else if (of.kind === 'schema') yield* pathsIn(evaluator, of.definition, before, depth + 1);
  else if (of.kind === 'object')
    for (const [name, { value, at }] of of.fields) yield* pathOf(evaluator, before + name, value, at, depth);
}

function* pathOf(evaluator: Evaluating, path: string, declared: Value, at: Site, depth: number): Generator<SchemaPath> {
  const type = fieldOf(declared, 'type');
  // A field that is called `type` has a type of its own.
  const isLeaf = type !== undefined && fieldOf(type, 'type') === undefined;
  yield { path, at, options: isLeaf ? declared : UNKNOWN };
  const held = isLeaf ? type : declared;
  const element = held.kind === 'array' ? held.elements[0]?.value : held;
  if (element === undefined) return;
  if (isNamed(element, 'Map') || textOf(element) === 'Map') {
    yield { path: `${path}.*`, at, options: UNKNOWN };
    yield* pathsIn(evaluator, fieldOf(declared, 'of') ?? UNKNOWN, `${path}.*.`, depth + 1);
  } else if (held.kind === 'array' && fieldOf(element, 'type') !== undefined) {
    yield { path, at, options: element };
  } else yield* pathsIn(evaluator, element, `${path}.`, depth + 1);
}

/** `Schema.Types.Map` and the like. */
function isNamed(value: Value, name: string): boolean {
  return value.kind === 'package' && value.path.at(-1) === name;
}

function decorated(
  evaluator: Evaluating,
  { node, module }: ClassValue,
): readonly { readonly name: string; readonly options: Value; readonly at: Site }[] {
  return node.body.body.flatMap((member) => {
    const name = member.type === 'PropertyDefinition' ? writtenName(member) : null;
    if (member.type !== 'PropertyDefinition' || name === null) return [];
    const given = decoratorsOf(member).find(({ called }) => WITH_OPTIONS.has(called));
    if (given === undefined) return [];
    const [first] = given.given;
    const options = first === undefined ? UNKNOWN : evaluator.valueOf(first, module, NO_FRAME);
    return [{ name, options, at: { module, node: member } }];
  });
}

/** The decorators of a class or of one of its properties that are called, with what they are given. */
export function decoratorsOf({ decorators }: Pick<PropertyDefinition, 'decorators'>): readonly {
  readonly called: string;
  readonly given: readonly Expression[];
}[] {
  return decorators.flatMap(({ expression }) =>
    expression.type === 'CallExpression' && expression.callee.type === 'Identifier'
      ? [{ called: expression.callee.name, given: plainArguments(expression.arguments) ?? [] }]
      : [],
  );
}
