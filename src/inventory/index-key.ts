import { isDeepStrictEqual } from 'node:util';
import { isSameCollation } from './collation.js';
import type { IndexDescription } from './collection.js';

export type KeyRelation = 'prefix' | 'reversed prefix' | 'same key';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

type IndexKey = IndexDescription['key'];

export function formatIndexKey(key: IndexKey): string {
  const fields = Object.entries(key).map(
    ([path, kind]) => `${IDENTIFIER.test(path) ? path : JSON.stringify(path)}: ${JSON.stringify(kind)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

// Whether a longer index with the same first fields serves the same queries. Measured on 6.0.5: ascending, descending
// and hashed fields do; text, geo and wildcard indexes don't.
function isPrefixable({ key }: Pick<IndexDescription, 'key'>): boolean {
  return Object.entries(key).every(
    ([path, kind]) => (typeof kind === 'number' || kind === 'hashed') && !/(?:^|\.)\$\*\*$/.test(path),
  );
}

/** A JavaScript object lists names that are numbers first, wherever they stand in the key. */
export function isOrderKnown(key: IndexKey): boolean {
  const paths = Object.keys(key);
  return paths.length === 1 || !paths.some((path) => /^\d+$/.test(path));
}

/** True for the index on `_id` and for the order of a clustered collection: neither can be dropped. */
export function isIdIndex({ key, clustered }: Pick<IndexDescription, 'key' | 'clustered'>): boolean {
  const paths = Object.keys(key);
  return clustered || (paths.length === 1 && paths[0] === '_id' && key['_id'] === 1);
}

/** A hidden index is kept up to date, so that it can be shown again at once. */
export function hideIndexCommand(
  { database, name }: { readonly database: string; readonly name: string },
  index: Pick<IndexDescription, 'name'>,
): {
  readonly db: string;
  readonly command: { readonly collMod: string; readonly index: { readonly name: string; readonly hidden: true } };
} {
  return { db: database, command: { collMod: name, index: { name: index.name, hidden: true } } };
}

export function isVisible({ hidden, building }: Pick<IndexDescription, 'hidden' | 'building'>): boolean {
  return !hidden && building !== true;
}

/** Kinds of key that leave out a document without the field, whatever `sparse` says: manual, "2dsphere Indexes", "2d Indexes". */
const ALWAYS_SPARSE: ReadonlySet<unknown> = new Set(['2dsphere', '2d']);

/**
 * The fields one of which a document must have to have an entry: the geographic ones, or of a sparse index all. Null if every
 * document has an entry, or if that hangs on fields that the key does not name, as those of a text.
 */
export function fieldsOfEntries({ key, sparse }: Pick<IndexDescription, 'key' | 'sparse'>): readonly string[] | null {
  const special = Object.entries(key).flatMap(([path, kind]) => (ALWAYS_SPARSE.has(kind) ? [path] : []));
  if (special.length > 0) return special;
  return sparse ? Object.keys(key) : null;
}

/** A field of a key: 1 for ascending, -1 for descending, or another kind by its name. */
type KeyField = readonly [path: string, kind: number | string];

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
