import { sum } from 'simple-statistics';
import { BSON_TYPES, type BsonType, type TypeCounts } from './document-profile.js';

/** Types that compare with one another. A query for a value of one family never finds one of another. */
export type TypeFamily =
  | 'number'
  | 'string'
  | 'date'
  | 'timestamp'
  | 'objectId'
  | 'bool'
  | 'binData'
  | 'object'
  | 'array'
  | 'regex'
  | 'javascript'
  | 'dbPointer';

// Null for "no value" and for bounds. Source: MongoDB manual, "Comparison/Sort Order": numbers of all kinds are
// compared by value, strings with symbols.
const FAMILY_OF: Readonly<Record<BsonType, TypeFamily | null>> = {
  double: 'number',
  int: 'number',
  long: 'number',
  decimal: 'number',
  string: 'string',
  symbol: 'string',
  date: 'date',
  timestamp: 'timestamp',
  objectId: 'objectId',
  bool: 'bool',
  binData: 'binData',
  object: 'object',
  array: 'array',
  regex: 'regex',
  javascript: 'javascript',
  javascriptWithScope: 'javascript',
  dbPointer: 'dbPointer',
  null: null,
  undefined: null,
  minKey: null,
  maxKey: null,
};

/** Null of what has no value, and of bounds. */
export function familyOf(type: BsonType | 'number'): TypeFamily | null {
  return type === 'number' ? type : FAMILY_OF[type];
}

export function typesOfFamily(family: TypeFamily): BsonType[] {
  return BSON_TYPES.filter((type) => FAMILY_OF[type] === family);
}

/** The most frequent first. Null, undefined, MinKey and MaxKey don't count. */
export function familyCounts(types: TypeCounts): [family: TypeFamily, count: number][] {
  const counts = new Map<TypeFamily, number>();
  for (const [type, count] of Object.entries(types) as [BsonType, number][]) {
    const family = FAMILY_OF[type];
    if (family !== null && count > 0) counts.set(family, (counts.get(family) ?? 0) + count);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** That of at least so large a share of the values that count; null if there is none. */
export function familyOfMost(types: TypeCounts, share: number): TypeFamily | null {
  const counts = familyCounts(types);
  const all = sum(counts.map(([, count]) => count));
  return counts.find(([, count]) => count / all >= share)?.[0] ?? null;
}

/** "boolean" for one, "booleans" for all other counts. */
export function familyName(family: TypeFamily, count: number): string {
  const names: Partial<Record<TypeFamily, string>> = {
    bool: 'boolean',
    binData: 'binary value',
    regex: 'regular expression',
    objectId: 'ObjectId',
  };
  return `${names[family] ?? family}${count === 1 ? '' : 's'}`;
}
