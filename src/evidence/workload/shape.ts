/**
 * A part of a command with its literal values replaced by placeholders that name their type: `?string`, `?number`,
 * `?date`, `?regex:i`, `?array<?number>`, `?object` … Names of fields, collections, variables and operators stay, and
 * so do sort directions and what a projection includes. Numbers occur only as sort directions.
 */
export type Shape = string | boolean | number | readonly Shape[] | ObjectShape;

/** An object of a command's shape. */
export interface ObjectShape {
  readonly [name: string]: Shape;
}

declare const shapeOf: unique symbol;

/**
 * A filter: predicates by path, each an object of operators, as in `{total: {$gt: '?number'}}`. Equality is written out
 * as `$eq`; `$and` is dissolved where its branches do not collide.
 */
export type FilterShape = ObjectShape & { readonly [shapeOf]: 'filter' };

/** A pipeline's stages. Only `pipelineShape` makes one, so whatever takes one never sees a literal value. */
export type PipelineShape = readonly ObjectShape[] & { readonly [shapeOf]: 'pipeline' };

/** The type for the object that a stage or an argument is, where it is one. */
export function isObjectShape(shape: Shape | undefined): shape is ObjectShape {
  return typeof shape === 'object' && !Array.isArray(shape);
}

/** One text per shape. Names are put in order, except where their order means something: in sorts. */
export function shapeKey(shape: Shape | undefined): string {
  if (shape === undefined) return '';
  if (typeof shape !== 'object') return JSON.stringify(shape);
  if (Array.isArray(shape)) return `[${shape.map(shapeKey).join()}]`;
  const entries = Object.entries(shape);
  const isSort = entries.length > 1 && entries.every(([, value]) => typeof value === 'number');
  if (!isSort) entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${shapeKey(value)}`).join()}}`;
}

/** Placeholders of regular expressions in a key, whose details not every source tells. */
export const UNKNOWN_DETAILS = /"\?regex(?::[a-z,]*)?"/g;
