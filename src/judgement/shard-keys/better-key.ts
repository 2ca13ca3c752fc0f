import type { FieldOrder } from '../../evidence/sharding/key-order.js';
import type { CandidateField } from '../../evidence/sharding/shard-key-evidence.js';
import { VALUE_KIND_NAMES, type ValueKind } from '../../evidence/sharding/value-kind.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { ShardKey, ShardKeyField } from '../../inventory/sharding.js';

/** A key that the data supports. */
export interface BetterKey {
  readonly key: ShardKey;
  readonly reason: string;
}

/** Correlation up to which a field is independent of insertion order. */
const UNORDERED = 0.3;

/** Kinds of values that documents are looked up by. Other numbers, such as prices, spread too, but no query names them. */
const IDENTIFIER_KINDS: ReadonlySet<ValueKind | null> = new Set<ValueKind>([
  'objectId',
  'objectIdString',
  'uuid',
  'uuidV1',
  'uuidV7',
  'ulid',
  'ksuid',
  'string',
  'wholeNumber',
]);

export interface OrderLimits {
  /** Absolute correlation from which a field is monotonic. */
  readonly correlation: number;
  readonly spreadValues: number;
}

export type OrderVerdict =
  /** Inserts arrive in order, at one place or a few. */
  | {
      readonly kind: 'monotonic';
      readonly field: FieldOrder;
      readonly correlation: number;
      /** Places in the key space that take the inserts at any moment. */
      readonly insertionPoints: number;
      /** True if the values sweep through the whole key space again and again, as UUIDs of version 1 do. */
      readonly sweeping: boolean;
    }
  /** A field that does not follow insertion order spreads them. */
  | { readonly kind: 'spread'; readonly field: FieldOrder }
  /** The key has too few values to spread them. */
  | { readonly kind: 'coarse' }
  | { readonly kind: 'unknown'; readonly field: FieldOrder };

/** Observations from which a correlation is trusted. At 60 the standard error is 0.13: values in random order reach 0.7 once in ten million times. */
export const LEAST_PAIRS = 60;

/**
 * A key to replace one whose field `culprit` follows insertion order: led by a field that spreads and that queries ask for, as
 * an index on it shows; without one, the same key with that field's hash, or the hash of `_id`.
 */
export function betterKey(
  key: ShardKey,
  culprit: FieldOrder,
  candidates: readonly CandidateField[],
  indexes: readonly IndexDescription[],
  limits: OrderLimits,
): BetterKey {
  const leading = spreadingFields(key, candidates, indexes, limits)[0];
  if (leading !== undefined) {
    return {
      key: [
        { path: leading.order.path, hashed: false },
        { path: culprit.path, hashed: false },
      ],
      reason:
        `An index begins with \`${leading.order.path}\`, so queries ask for it, and its values follow no order: inserts are spread, and a ` +
        `query that names \`${leading.order.path}\` goes to one shard. A query that names only \`${culprit.path}\` goes to all shards.`,
    };
  }
  return hashedKey(key, culprit, limits);
}

/** The field with the most values comes first. */
export function spreadingFields(
  key: ShardKey,
  candidates: readonly CandidateField[],
  indexes: readonly IndexDescription[],
  { spreadValues }: OrderLimits,
): CandidateField[] {
  const led = new Set(indexes.filter(({ hidden }) => !hidden).map((index) => Object.keys(index.key)[0]));
  return candidates
    .filter(({ order, mostCommonShare }) => {
      const isOfKey = key.some(({ path }) => path === order.path) || order.path === '_id';
      const isUnordered = order.correlation !== null && Math.abs(order.correlation) <= UNORDERED;
      const spreads = order.effectiveValues >= spreadValues && mostCommonShare <= 1 / spreadValues;
      return !isOfKey && isUnordered && spreads && led.has(order.path) && IDENTIFIER_KINDS.has(order.kind);
    })
    .sort((a, b) => b.order.effectiveValues - a.order.effectiveValues);
}

function hashedKey(key: ShardKey, culprit: FieldOrder, { spreadValues }: OrderLimits): BetterKey {
  const position = key.findIndex(({ path }) => path === culprit.path);
  const isHashable = IDENTIFIER_KINDS.has(culprit.kind) && culprit.effectiveValues >= spreadValues;
  const hashed: ShardKeyField = { path: isHashable ? culprit.path : '_id', hashed: true };
  // A key has one hashed field at most.
  const before = key.slice(0, position).filter((field) => !field.hashed && field.path !== hashed.path);
  const kind = culprit.kind === null ? 'its values' : VALUE_KIND_NAMES[culprit.kind];
  return {
    key: [...before, hashed],
    reason:
      `No index begins with another field that spreads inserts. The hash spreads inserts, and a query for one value of ` +
      `\`${hashed.path}\` goes to one shard. The cost: a query for a range of \`${culprit.path}\` (${kind}) goes to every shard.`,
  };
}

/** A field counts as varying if it multiplies the number of values before it by this factor. */
const VARIES = 1.05;

/**
 * Judges a key by its effective prefix. A field of few values (a region, a month) changes nothing: inserts with one such value
 * still go where the next field sends them. The first field with enough values decides.
 */
export function orderVerdict(fields: readonly FieldOrder[], limits: OrderLimits): OrderVerdict {
  let insertionPoints = 1;
  let valuesBefore = 1;
  let coarse: OrderVerdict = { kind: 'coarse' };
  for (const field of fields) {
    const varies = field.effectiveValues > valuesBefore * VARIES;
    const order = field.hashed || !varies ? null : orderOf(field, limits);
    const isSpread = field.effectiveValues >= limits.spreadValues;
    if (order === null && isSpread) return { kind: 'spread', field };
    if (order === 'unknown') return { kind: 'unknown', field };
    if (order !== null) {
      const monotonic: OrderVerdict = { kind: 'monotonic', field, insertionPoints, ...order };
      if (isSpread) return monotonic;
      if (coarse.kind === 'coarse') coarse = monotonic;
    } else {
      insertionPoints *= Math.max(1, field.effectiveValues / valuesBefore);
    }
    valuesBefore = Math.max(1, field.effectiveValues);
  }
  return coarse.kind === 'monotonic' ? { ...coarse, insertionPoints } : coarse;
}

function orderOf(
  field: FieldOrder,
  limits: OrderLimits,
): { correlation: number; sweeping: boolean } | 'unknown' | null {
  const { correlation, timeCorrelation, pairs, kind } = field;
  if (correlation === null || pairs < LEAST_PAIRS) return 'unknown';
  if (Math.abs(correlation) >= limits.correlation) return { correlation, sweeping: false };
  // A UUID of version 1 begins with the lowest bits of its time, which repeat every seven minutes.
  if (kind === 'uuidV1' && timeCorrelation !== null && Math.abs(timeCorrelation) >= limits.correlation) {
    return { correlation: timeCorrelation, sweeping: true };
  }
  return null;
}
