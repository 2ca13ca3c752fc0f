import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import { isSameCollation } from './collation.js';
import type { IndexDescription } from './collection.js';
import { isOrderKnown, isPrefixable, isVisible } from './index-key.js';

/** A field of a key: 1 for ascending, -1 for descending, or another kind by its name. */
export type KeyField = readonly [path: string, kind: number | string];

export type KeyRelation = 'prefix' | 'reversed prefix' | 'same key';

/** The fields that a key must begin with: those of equality in any order and direction, then the others in this order. */
export interface KeyBeginning {
  readonly equality: readonly string[];
  readonly further: readonly KeyField[];
}

type Options = Pick<IndexDescription, 'sparse' | 'partialFilterExpression' | 'collation'>;

/** How an index begins as another one; null if the other one does not serve all that it serves. */
export function indexRelation(index: IndexDescription, other: IndexDescription): KeyRelation | null {
  return !isVisible(other) || !holdTheSame(index, other) ? null : keyRelation(index.key, other.key);
}

/** How a key begins as another one: the same fields first, all in the same direction or all in the opposite one. */
export function keyRelation(key: IndexDescription['key'], other: IndexDescription['key']): KeyRelation | null {
  const further = Object.entries(key);
  const direction = isPrefixable({ key }) ? directionOf(other, { equality: [], further }) : null;
  if (direction === null) return null;
  if (Object.keys(other).length === further.length) return 'same key';
  return direction === -1 ? 'reversed prefix' : 'prefix';
}

/** True if an index finds what a query asks for, and in its order. One that is sparse or partial may lack documents. */
export function servesBeginning(
  index: Options & Pick<IndexDescription, 'key'>,
  beginning: KeyBeginning,
  collation: Document | null,
): boolean {
  return (
    holdsAllDocuments(index) &&
    isSameCollation(index.collation, collation) &&
    directionOf(index.key, beginning) !== null
  );
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

/** The direction in which a key is read to begin so, 0 for either; null if it does not begin so. */
function directionOf(key: IndexDescription['key'], { equality, further }: KeyBeginning): 1 | -1 | 0 | null {
  const fields = Object.entries(key);
  if (!isPrefixable({ key }) || !isOrderKnown(key)) return null;
  const first = new Set(fields.slice(0, equality.length).map(([path]) => path));
  if (!equality.every((path) => first.has(path))) return null;
  const turns = further.map((field, position) => turn(field, fields[equality.length + position]));
  const directions = new Set(turns.filter((each) => each !== 0));
  if (directions.has(null) || directions.size > 1) return null;
  const [direction = 0] = directions;
  return direction;
}

/** 1 if both run in one direction, -1 if in opposite ones, 0 if they have none; null for different fields. */
function turn([path, kind]: KeyField, other: KeyField | undefined): 1 | -1 | 0 | null {
  if (other === undefined || path !== other[0] || typeof kind !== typeof other[1]) return null;
  if (typeof kind === 'string') return 0;
  return Math.sign(kind) === Math.sign(Number(other[1])) ? 1 : -1;
}
