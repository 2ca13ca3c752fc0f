import { fieldPath } from './field-path.js';
import type { ObjectShape } from './shape.js';

const ASCENDING = 1;
const DESCENDING = -1;

/** Fields with their directions, in order; a sort by `$meta` is `?meta`. */
export function sortShape(sort: unknown): ObjectShape {
  if (typeof sort !== 'object' || sort === null) return {};
  return Object.fromEntries(
    Object.entries(sort).map(([path, direction]) => [fieldPath(path), isMeta(direction) ? '?meta' : signOf(direction)]),
  );
}

function isMeta(direction: unknown): boolean {
  return typeof direction === 'object' && direction !== null && '$meta' in direction;
}

function signOf(direction: unknown): number {
  const text = typeof direction === 'object' && direction !== null ? JSON.stringify(direction) : String(direction);
  return text.includes('-') ? DESCENDING : ASCENDING;
}
