import type { Document } from 'mongodb';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { SuggestedIndex } from './suggested-index.js';

/**
 * True where an index does all that the suggested one would: the same fields first, those of equality in any order, the
 * others in the suggested order or read backwards. A sparse or partial one may lack documents and does not count.
 */
export function doesTheSame(
  index: Pick<IndexDescription, 'key' | 'sparse' | 'partialFilterExpression' | 'collation'>,
  { equality, further }: SuggestedIndex,
  collation: Document | null,
): boolean {
  if (index.sparse || index.partialFilterExpression !== undefined || !isSameCollation(index.collation, collation))
    return false;
  const fields = Object.entries(index.key);
  const first = new Set(fields.slice(0, equality.length).map(([path]) => path));
  if (!equality.every((path) => first.has(path))) return false;
  const rest = fields.slice(equality.length, equality.length + further.length);
  const turns = further.map(([path, direction], position) =>
    rest[position]?.[0] === path ? Number(rest[position][1]) * direction : Number.NaN,
  );
  return turns.every((turn) => turn === 1) || turns.every((turn) => turn === -1);
}
