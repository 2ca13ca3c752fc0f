import { isDeepStrictEqual } from 'node:util';
import { isSameCollation } from './collation.js';
import type { IndexDescription } from './collection.js';
import { isOrderKnown, isPrefixable, isVisible } from './index-key.js';

/** A field of a key: 1 for ascending, -1 for descending, or another kind by its name. */
export type KeyField = readonly [path: string, kind: number | string];

export type KeyRelation = 'prefix' | 'reversed prefix' | 'same key';

type Options = Pick<IndexDescription, 'sparse' | 'partialFilterExpression' | 'collation'>;

/** How an index begins as another one; null if the other one does not serve all that it serves. */
export function indexRelation(index: IndexDescription, other: IndexDescription): KeyRelation | null {
  return !isVisible(other) || !holdTheSame(index, other) ? null : keyRelation(index.key, other.key);
}

/** How a key begins as another one: the same fields first, all in the same direction or all in the opposite one. */
export function keyRelation(key: IndexDescription['key'], other: IndexDescription['key']): KeyRelation | null {
  if (![key, other].every((each) => isPrefixable({ key: each }) && isOrderKnown(each))) return null;
  const [fields, otherFields] = [Object.entries(key), Object.entries(other)];
  const turns = fields.map((field, position) => turn(field, otherFields[position]));
  const directions = new Set(turns.filter((each) => each !== 0));
  if (directions.has(null) || directions.size > 1) return null;
  const [direction = 0] = directions;
  if (otherFields.length === fields.length) return 'same key';
  return direction === -1 ? 'reversed prefix' : 'prefix';
}

/** True if an index has an entry for each document, so that any search can rely on it. */
export function holdsAllDocuments({ sparse, partialFilterExpression }: Omit<Options, 'collation'>): boolean {
  return !sparse && partialFilterExpression === undefined;
}

function holdTheSame(one: Options, other: Options): boolean {
  return (
    one.sparse === other.sparse &&
    isDeepStrictEqual(one.partialFilterExpression, other.partialFilterExpression) &&
    isSameCollation(one.collation, other.collation)
  );
}

/** 1 if both run in one direction, -1 if in opposite ones, 0 if they have none; null for different fields. */
function turn([path, kind]: KeyField, other: KeyField | undefined): 1 | -1 | 0 | null {
  if (other === undefined || path !== other[0] || typeof kind !== typeof other[1]) return null;
  if (typeof kind === 'string') return 0;
  return Math.sign(kind) === Math.sign(Number(other[1])) ? 1 : -1;
}
