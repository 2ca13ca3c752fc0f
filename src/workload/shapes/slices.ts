import type { Document } from 'mongodb';
import { z } from 'zod';
import type { Plain } from '../../plain.js';
import { numeric } from './expression-shape.js';
import { arrayOf } from './placeholder.js';
import { fieldPath } from './sort-shape.js';

/** Elements asked for from the beginning of an array and from its end, or 0. A page further in counts as its end. */
export const sliceSchema = z.strictObject({
  first: z.number(),
  last: z.number(),
});

export type Slice = Plain<typeof sliceSchema>;

/** What reads ask for of arrays by `$slice`, or what `$push` keeps of them, by the array's path. */
export const slicesSchema = z.record(z.string(), sliceSchema);
export type Slices = Plain<typeof slicesSchema>;

const PROJECTING_STAGES: ReadonlySet<string> = new Set(['$project', '$addFields', '$set']);

export function slicesOf(command: Document): Slices {
  const slices: Record<string, Slice> = Object.create(null);
  const update: unknown = command['u'] ?? command['update'];
  if (isObject(update)) addCaps(update['$push'], slices);
  else for (const projection of projectionsOf(command)) addSlices(projection, '', slices);
  return slices;
}

export function widerSlice(one: Slice | undefined, other: Slice): Slice {
  return one === undefined ? other : { first: Math.max(one.first, other.first), last: Math.max(one.last, other.last) };
}

function projectionsOf({ projection, fields, pipeline }: Document): unknown[] {
  const found: unknown[] = [projection, fields];
  for (const stage of arrayOf(pipeline)) {
    for (const name of isObject(stage) ? Object.keys(stage) : [])
      if (PROJECTING_STAGES.has(name)) found.push((stage as Document)[name]);
  }
  return found;
}

function addSlices(projection: unknown, prefix: string, slices: Record<string, Slice>): void {
  if (!isObject(projection)) return;
  for (const [name, value] of Object.entries(projection)) {
    if (!isObject(value)) continue;
    const path = `${prefix}${name}`;
    if (!('$slice' in value)) addSlices(value, `${path}.`, slices);
    else addSlice(value['$slice'], path, slices);
  }
}

function addCaps(pushed: unknown, slices: Record<string, Slice>): void {
  if (!isObject(pushed)) return;
  for (const [name, operand] of Object.entries(pushed)) {
    if (isObject(operand) && '$slice' in operand) addSlice(operand['$slice'], writtenPath(name), slices);
  }
}

/** The path that an update writes, as queries name it: `threads.posts` for `threads.$[outer].posts` and `threads.0.posts`. */
export function writtenPath(name: string): string {
  return fieldPath(name.replaceAll(/\.(?:\$(?:\[\w*\])?|\d{1,3})(?=\.|$)/g, ''));
}

/** `n` and `[skip, n]` of a find's projection; `['$path', n]` and `['$path', position, n]` of an expression. */
function addSlice(operand: unknown, name: string, slices: Record<string, Slice>): void {
  const all: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const [source] = all;
  const isExpression = typeof source === 'string';
  if (isExpression && (!source.startsWith('$') || source.startsWith('$$'))) return;
  const numbers = (isExpression ? all.slice(1) : all).map(numeric);
  const [first, second = null] = numbers;
  if (typeof first !== 'number' || !Number.isInteger(first) || (second !== null && !Number.isInteger(second))) return;
  const elements = typeof second === 'number' && first >= 0 ? first + second : first;
  if (elements === 0) return;
  const slice = elements > 0 ? { first: elements, last: 0 } : { first: 0, last: -elements };
  const path = fieldPath(isExpression ? source.slice(1) : name);
  slices[path] = widerSlice(slices[path], slice);
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('_bsontype' in value);
}
