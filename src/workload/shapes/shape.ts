import { z } from 'zod';
/**
 * A part of a command with its literal values replaced by placeholders for their types: `?string`, `?number`,
 * `?regex:i`, `?array<?number>`, `?object` … Names of fields, collections, variables and operators stay. Numbers occur
 * only as sort directions.
 */
export type Shape = string | boolean | number | readonly Shape[] | ObjectShape;

export interface ObjectShape {
  readonly [name: string]: Shape;
}

const anyShape: z.ZodType<Shape> = z.lazy(() =>
  z.union([z.string(), z.boolean(), z.number(), z.array(anyShape), z.record(z.string(), anyShape)]),
);
export const shapeSchema = anyShape;
export const objectShapeSchema: z.ZodType<ObjectShape> = z.record(z.string(), shapeSchema);

/** Stands for a collection if `$documents` gives the documents: what the server runs such an aggregate on. */
export const GIVEN_DOCUMENTS = '$cmd.aggregate';

declare const shapeOf: unique symbol;

/**
 * Predicates by path, as in `{total: {$gt: '?number'}}`: equality is `$eq`, `$and` is dissolved unless its branches
 * collide.
 */
export type FilterShape = ObjectShape & { readonly [shapeOf]: 'filter' };

/** Only `pipelineShape` makes one, so it never holds a literal value. */
export type PipelineShape = readonly ObjectShape[] & { readonly [shapeOf]: 'pipeline' };

// As evidence files hold them, without their marks.
export const filterShapeSchema = objectShapeSchema as unknown as z.ZodType<FilterShape>;
export const pipelineShapeSchema = z.array(objectShapeSchema) as unknown as z.ZodType<PipelineShape>;

export function isObjectShape(shape: Shape | undefined): shape is ObjectShape {
  return typeof shape === 'object' && !Array.isArray(shape);
}

/** Ends a name or string in a key. No name in BSON holds it. */
const END = '\0';

/** One text per shape. Names are sorted, except in sorts. Written for speed: a log has a key per line. */
export function shapeKey(shape: Shape | undefined): string {
  if (typeof shape !== 'object') return `${String(shape)}${END}`;
  if (Array.isArray(shape)) {
    let key = '[';
    for (const element of shape as readonly Shape[]) key += shapeKey(element);
    return `${key}]`;
  }
  const names = Object.keys(shape);
  if (names.length > 1 && !areSorted(names) && !isSort(shape as ObjectShape, names)) names.sort();
  let key = '{';
  for (const name of names) key += `${name}${END}${shapeKey((shape as ObjectShape)[name])}`;
  return `${key}}`;
}

function areSorted(names: readonly string[]): boolean {
  return names.every((name, at) => at === 0 || (names[at - 1] as string) <= name);
}

function isSort(shape: ObjectShape, names: readonly string[]): boolean {
  return names.every((name) => typeof shape[name] === 'number');
}

/** Regular expressions in a key, whose details not every source reports. */
export const REGULAR_EXPRESSION_IN_KEY = /\?regex(?::[a-z,]*)?\0/g;

/** Scripts in a key that only compare, which query stats do not show. Braces are nested twice at most. */
export const SCRIPT_IN_KEY = /\$where\0\{(?:[^{}]|\{[^{}]*\})*\}/g;

/** The fields of an object; none of anything else. */
export function fieldsOf(shape: Shape | undefined): readonly (readonly [string, Shape])[] {
  return isObjectShape(shape) ? Object.entries(shape) : [];
}
