import type { FieldOrder } from '../../evidence/sharding/key-order.js';

/** What decides whether a key is monotonic. */
export interface OrderLimits {
  /** Correlation, without its sign, from which a field is monotonic. */
  readonly correlation: number;
  /** Effective values of leading fields from which inserts are spread, whatever follows them. */
  readonly spreadValues: number;
}

/** What a key does to inserts. */
export type OrderVerdict =
  /** They arrive in order, at no more than a few places. */
  | {
      readonly kind: 'monotonic';
      readonly field: FieldOrder;
      readonly correlation: number;
      /** Places of the key space that take the inserts at any one time. */
      readonly insertionPoints: number;
      /** True where the values wander through the whole key space again and again, as UUIDs of version 1 do. */
      readonly sweeping: boolean;
    }
  /** They are spread over the key space by a field that is not in order of insertion. */
  | { readonly kind: 'spread'; readonly field: FieldOrder }
  /** They are not in order, but the key has too few values to spread them. */
  | { readonly kind: 'coarse' }
  /** The sample is too small to tell. */
  | { readonly kind: 'unknown'; readonly field: FieldOrder };

/**
 * Observations from which a correlation is trusted: at 60 the standard error is 0.13, so that values in random order reach
 * 0.7 once in ten million times.
 */
export const LEAST_PAIRS = 60;

/** A field has values of its own where it multiplies the values before it by at least so much. */
const VARIES = 1.05;

/**
 * Judges a key by its effective prefix, field after field: a field of few values (a region, a month) neither cures nor
 * spoils what follows, since inserts with one such value still go where the next field sends them. The first field that
 * has enough values decides: in order of insertion, or not.
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
  // The first bytes of a UUID of version 1 are the lowest of its time, which come round every seven minutes.
  if (kind === 'uuidV1' && timeCorrelation !== null && Math.abs(timeCorrelation) >= limits.correlation) {
    return { correlation: timeCorrelation, sweeping: true };
  }
  return null;
}
