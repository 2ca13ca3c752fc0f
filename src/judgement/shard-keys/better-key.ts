import type { CandidateField } from '../../evidence/sharding/candidate-fields.js';
import type { FieldOrder } from '../../evidence/sharding/key-order.js';
import { VALUE_KIND_NAMES, type ValueKind } from '../../evidence/sharding/value-kind.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { ShardKey, ShardKeyField } from '../../inventory/sharding.js';
import type { OrderLimits } from './order-verdict.js';

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
