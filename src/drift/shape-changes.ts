import { isDeepStrictEqual } from 'node:util';
import { spacedJson } from '../judgement/spaced-json.js';
import type { Change } from './drift-schema.js';

/** With the fields of each document in alphabetical order: their order says nothing. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isFields(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, ordered(value[name])]));
}

/** True if the shape stands for values that it does not hold. */
export function hasLeftOutValues(shape: unknown): boolean {
  return typeof shape === 'string'
    ? shape.startsWith('?')
    : typeof shape === 'object' && shape !== null && Object.values(shape).some(hasLeftOutValues);
}

/** Where two shapes differ, by dotted path. */
export function shapeChanges(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isDeepStrictEqual(ordered(before), ordered(after))) return [];
  if (isFields(before) && isFields(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => shapeChanges(before[name], after[name], [...path, name]));
  }
  return [{ what: path.join('.'), old: shapeText(before), new: shapeText(after) }];
}

/** Null for what is not set. */
export function shapeText(shape: unknown): string | null {
  if (shape === undefined) return null;
  return typeof shape === 'object' ? spacedJson(shape) : String(shape);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
