import { groupedBy } from '../../../grouped-by.js';
import type { DrawnWrite } from '../oplog/drawn-writes.js';

/** A drawn write to an array that is still there. */
export interface SeenGain {
  /** Of the array in its document; those of one array are compared with each other. */
  readonly array: string;
  readonly kind: DrawnWrite['kind'];
  /** Days since the write. */
  readonly days: number;
  /** Elements of the array then, and now. */
  readonly elements: number;
  readonly now: number;
  /** Elements that the write set; if it wrote the whole array, 1 or what such writes add on average. */
  readonly set: number;
  /** Negative if it has become shorter. */
  readonly gained: number;
}

/** An array, with what its drawn writes say together. */
export interface DrawnArray {
  /** Days since the first of them, and the elements gained since: the others lie within. */
  readonly days: number;
  readonly gained: number;
  /** Its length now. */
  readonly now: number;
  /** Days since each write. */
  readonly times: readonly number[];
  /** Elements after each write, and those that it set. */
  readonly elements: readonly number[];
  readonly set: readonly number[];
}

export function drawnArrays<Gain extends SeenGain>(gains: readonly Gain[]): (DrawnArray & { readonly first: Gain })[] {
  return [...groupedBy(gains, ({ array }) => array).values()].map((ofArray) => {
    const first = ofArray.reduce((a, b) => (b.days > a.days ? b : a));
    const { days, gained, now } = first;
    return {
      days,
      gained: Math.max(0, gained),
      now,
      times: ofArray.map((gain) => gain.days),
      elements: ofArray.map((gain) => gain.elements),
      set: ofArray.map((gain) => gain.set),
      first,
    };
  });
}
