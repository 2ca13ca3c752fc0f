import { looksLikeData, namePattern } from '../data-name.js';
import type { ObjectShape } from './shape.js';

/** Stands for a field name that is data, as in a document's profile. */
export const DATA_NAME = '*';

/** Longer names of digits are years or keys, not positions in an array. */
const POSITION_DIGITS = 3;

const PLAIN_PATH = /^[$A-Za-z_.-]{0,40}$/;

/** Part of the language: `$[]` and `$[element]` of updates, `$**` of wildcard indexes, and `*` itself. */
const OPERATOR_NAME = /^(?:\$\[\w*\]|\$?\*\*|\*)$/;

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

/**
 * A field path as it is kept: names that look like data (ids, dates, e-mail addresses, long numbers, names of people,
 * tokens) become `*`. One operation cannot show whether other documents share a name, so "First Name" is taken for data
 * too.
 */
export function fieldPath(path: string): string {
  if (PLAIN_PATH.test(path)) return path;
  const sigil = /^\$*(?!\*\*)/.exec(path)?.[0] ?? '';
  // An address has dots of its own, which cannot be distinguished from the path's.
  if (path.includes('@')) return `${sigil}${DATA_NAME}`;
  const names = path.slice(sigil.length).split('.');
  return `${sigil}${names.map((name) => (isData(name) ? DATA_NAME : name)).join('.')}`;
}

function isData(name: string): boolean {
  const pattern = namePattern(name);
  if (pattern === 'number') return name.replace('-', '').length > POSITION_DIGITS;
  return pattern !== null || (looksLikeData(name) && !OPERATOR_NAME.test(name));
}

/** A hint as text: the name of an index, or its key as plan summaries write it. Null for an order of storage, and for what is no hint. */
export function hintText(hint: unknown): string | null {
  if (typeof hint === 'string') return hint === '' ? null : hint;
  if (typeof hint !== 'object' || hint === null) return null;
  const key = Object.entries(hint);
  if (key.length === 0 || key[0]?.[0].startsWith('$') === true) return null;
  return keyText(Object.fromEntries(key));
}

/** `{ a: 1, at: -1 }`, names that are data as `*`. */
export function keyText(key: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(key).map(([path, kind]) => {
    return `${fieldPath(path)}: ${typeof kind === 'string' ? JSON.stringify(kind) : Number(kind)}`;
  });
  return `{ ${fields.join(', ')} }`;
}
