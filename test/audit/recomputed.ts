/** Figures of a collection by plain queries: its documents as the driver decodes them, and the server's own statistics. */
import { BSON, type Db, type Document } from 'mongodb';

export interface Recomputed {
  readonly database: Db;
  readonly documents: readonly Document[];
  readonly sizes: readonly number[];
  /** Of `collStats`. */
  readonly storage: Document;
}

export async function recomputed(database: Db, name: string): Promise<Recomputed> {
  const documents = await database.collection(name).find({}, { promoteValues: false }).toArray();
  const [stats] = await database
    .collection(name)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray()
    .catch(() => [{ storageStats: {} }]);
  return {
    database,
    documents,
    sizes: documents.map((document) => BSON.calculateObjectSize(document)),
    storage: stats?.['storageStats'] as Document,
  };
}

/** All values at a path; "[]" goes into each element, "*" into each field. */
export function valuesAt(document: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (values, step) => {
      const depth = step.split('[]').length - 1;
      const name = step.replaceAll('[]', '');
      const own = values.flatMap((value) => (name === '*' ? childrenOf(value) : fieldOf(value, name)));
      return Array.from({ length: depth }).reduce<unknown[]>(
        (arrays) => arrays.flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : [])),
        own,
      );
    },
    [document],
  );
}

function fieldOf(value: unknown, name: string): unknown[] {
  return isPlain(value) && name in value ? [value[name]] : [];
}

function childrenOf(value: unknown): unknown[] {
  return isPlain(value) ? Object.values(value) : [];
}

export function isPlain(value: unknown): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !('_bsontype' in value) &&
    !(value instanceof Date) &&
    !ArrayBuffer.isView(value)
  );
}

export function arraysAt(documents: readonly Document[], path: string): unknown[][] {
  return documents.flatMap((document) => valuesAt(document, path)).filter((value) => Array.isArray(value));
}

/** Bytes of a value alone. */
export function bytesOf(value: unknown): number {
  const EMPTY = 7;
  return BSON.calculateObjectSize({ a: value }) - EMPTY - 1;
}

export function bsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  const { _bsontype: tag } = value as { _bsontype?: string };
  if (tag === 'ObjectId') return 'objectId';
  if (tag === 'Int32') return 'int';
  if (tag === 'Double') return 'double';
  if (tag === 'Long') return 'long';
  if (tag !== undefined) return tag.toLowerCase();
  return typeof value === 'object' ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;
}

export function depthOf(value: unknown): number {
  const inner = Array.isArray(value) ? (value as unknown[]) : isPlain(value) ? Object.values(value) : null;
  return inner === null ? 0 : 1 + Math.max(0, ...inner.map(depthOf));
}

/** The names on the way to the deepest value; positions in arrays have none. */
export function deepestNames(value: unknown): string[] {
  if (Array.isArray(value)) return longest((value as unknown[]).map(deepestNames));
  return isPlain(value) ? longest(Object.entries(value).map(([name, inner]) => [name, ...deepestNames(inner)])) : [];
}

function longest(lists: readonly string[][]): string[] {
  return lists.reduce((most, each) => (each.length > most.length ? each : most), []);
}

export function correlation(pairs: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [first, second] = [mean(0), mean(1)];
  const product = (one: 0 | 1, other: 0 | 1) => {
    const means = [first, second];
    return pairs.reduce((sum, pair) => sum + (pair[one] - (means[one] ?? 0)) * (pair[other] - (means[other] ?? 0)), 0);
  };
  return product(0, 1) / Math.sqrt(product(0, 0) * product(1, 1));
}
