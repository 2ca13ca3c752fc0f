import { isDeepStrictEqual } from 'node:util';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Decimal128,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Document,
} from 'mongodb';
import { comparable, compareKeys, isSameValue, type Comparable } from '../inventory/filter-values.js';
import { literalPlaceholder } from '../workload/shapes/placeholder.js';
import type { Shape } from '../workload/shapes/shape.js';
import { withLiterals } from './filter-literals.js';

/**
 * The filters of a collection's partial indexes without their values. Each literal becomes its type and its rank among the
 * literals of that type: "?string#1". That is all that filters are judged by: which literals are equal, which are less, and
 * how they compare with the value that stands for any of the type, which has the rank 0. `true`, `false` and `null` stay.
 */
export function rankedFilters(filters: readonly Document[]): Shape[] {
  const ranks = new LiteralRanks();
  for (const filter of filters) withLiterals(filter, (value) => ranks.add(value));
  return filters.map((filter) => withLiterals(filter, (value) => ranks.textOf(value)) as Shape);
}

/** A filter that is judged as the one whose literals were ranked: stand-ins have the types and the order of its values. */
export function filterOfRanks(ranked: Shape): Document {
  return withLiterals(ranked, standInOf) as Document;
}

/** The values that stand for any of a type: see `assumedFilter`. */
const NEUTRAL: Readonly<Record<Comparable['type'], Comparable['key']>> = {
  number: 0,
  string: '',
  date: 0,
  objectId: '0'.repeat(24),
};

class LiteralRanks {
  private readonly keys = new Map<Comparable['type'], Comparable['key'][]>();
  private readonly others: unknown[] = [];

  add(value: unknown): unknown {
    const known = comparable(value);
    if (known === null) this.numberOf(value);
    else {
      const keys = this.keys.get(known.type) ?? [NEUTRAL[known.type]];
      if (!keys.includes(known.key)) keys.push(known.key);
      this.keys.set(known.type, keys.sort(compareKeys));
    }
    return value;
  }

  textOf(value: unknown): Shape {
    if (typeof value === 'boolean' || value === null) return value as Shape;
    const known = comparable(value);
    if (known === null) return `${typeOf(value)}#${this.numberOf(value)}`;
    const keys = this.keys.get(known.type) ?? [];
    return `?${known.type}#${keys.indexOf(known.key) - keys.indexOf(NEUTRAL[known.type])}`;
  }

  /** Values whose order is unknown are told apart only. */
  private numberOf(value: unknown): number {
    const found = this.others.findIndex((other) => isDeepStrictEqual(other, value) || isSameValue(other, value));
    return found === -1 ? this.others.push(value) : found + 1;
  }
}

/** Numbers of unknown order keep their own types. */
function typeOf(value: unknown): string {
  if (value instanceof Decimal128) return '?decimal';
  if (value instanceof Long) return '?long';
  return Number.isNaN(value) ? '?nan' : literalPlaceholder(value);
}

const RANKED = /^(\?\w+)(?::[\w,]*)?#(-?\d+)$/;
const DIGITS = 8;
const LEAST_LONG = 2 ** 60;

type StandIn = (rank: number, text: string) => unknown;

const STAND_INS: Readonly<Record<string, StandIn>> = {
  '?number': (rank) => rank,
  '?string': (rank) => (rank === 0 ? '' : String(rank).padStart(DIGITS, '0')),
  '?date': (rank) => new Date(rank),
  '?objectId': (rank) => new ObjectId(rank.toString(16).padStart(24, '0')),
  '?decimal': (rank) => Decimal128.fromString(String(rank)),
  '?long': (rank) => Long.fromNumber(LEAST_LONG).add(rank),
  '?nan': () => NaN,
  '?timestamp': (rank) => new Timestamp({ t: rank, i: 0 }),
  '?binData': (rank) => new Binary(Buffer.from(String(rank))),
  '?minKey': () => new MinKey(),
  '?maxKey': () => new MaxKey(),
  '?regex': (rank, text) =>
    new BSONRegExp(`${text.includes('prefix') ? '^' : '.*'}${rank}`, /:.*\bi\b/.test(text) ? 'i' : ''),
};

function standInOf(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const [, type = '', rank = '1'] = RANKED.exec(text) ?? [];
  return STAND_INS[type]?.(Number(rank), text) ?? new BSONSymbol(text);
}
