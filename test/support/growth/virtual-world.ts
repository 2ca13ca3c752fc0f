import type { RandomDistributions } from '../random-distributions.js';

/** A write to the array of a virtual document. Times are in days; 0 is now. */
export interface VirtualWrite {
  readonly at: number;
  /** As the oplog shows it: elements set from index `from` on, or the whole array. */
  readonly kind: 'set' | 'length';
  readonly from: number;
  /** Index of the last element that was set, plus 1; of a whole array its length. */
  readonly elements: number;
  /** Of the array, after the write. */
  readonly length: number;
}

/** A document with one array. */
export interface VirtualDocument {
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly initial: number;
  /** In order of time. */
  readonly writes: readonly VirtualWrite[];
  /** Elements a day, now and on average; 0 if it does not grow. */
  readonly rate: number;
}

export interface VirtualWorld {
  readonly documents: readonly VirtualDocument[];
}

type Action = { readonly at: number; readonly write: (length: number) => Omit<VirtualWrite, 'at'> | null };

/** Collects what happens to a document, in any order. */
export class DocumentPlan {
  private readonly actions: Action[] = [];
  rate = 0;
  deletedAt: number | null = null;

  constructor(
    readonly createdAt: number,
    readonly initial = 0,
  ) {}

  /** `$push` with `$each`. */
  pushEach(times: readonly number[], elements: () => number): this {
    return this.add(times, (length) => {
      const after = length + elements();
      return { kind: 'set', from: length, elements: after, length: after };
    });
  }

  push(times: readonly number[], most = Infinity): this {
    return this.add(times, (length) =>
      length >= most ? null : { kind: 'set', from: length, elements: length + 1, length: length + 1 },
    );
  }

  /** `$push` with `$slice`: the server logs the whole array once it is full. */
  pushAndSlice(times: readonly number[], cap: number): this {
    return this.add(times, (length) =>
      length < cap
        ? { kind: 'set', from: length, elements: length + 1, length: length + 1 }
        : { kind: 'length', from: 0, elements: cap, length: cap },
    );
  }

  set(times: readonly number[], index: (length: number, at: number) => number): this {
    for (const at of times)
      this.add([at], (length) => {
        const place = index(length, at);
        return { kind: 'set', from: place, elements: place + 1, length: Math.max(length, place + 1) };
      });
    return this;
  }

  /** The array is written whole, as an application does that saves the document it holds. */
  writeWhole(times: readonly number[], lengthAfter: (length: number) => number): this {
    return this.add(times, (length) => {
      const after = Math.max(0, lengthAfter(length));
      return { kind: 'length', from: 0, elements: after, length: after };
    });
  }

  document(): VirtualDocument {
    const writes: VirtualWrite[] = [];
    let length = this.initial;
    for (const { at, write } of this.actions.toSorted((a, b) => a.at - b.at)) {
      if (at > 0 || at < this.createdAt || at > (this.deletedAt ?? 0)) continue;
      const written = write(length);
      if (written === null) continue;
      writes.push({ at, ...written });
      length = written.length;
    }
    const { createdAt, deletedAt, initial, rate } = this;
    return { createdAt, deletedAt, initial, writes, rate };
  }

  private add(times: readonly number[], write: Action['write']): this {
    for (const at of times) this.actions.push({ at, write });
    return this;
  }
}

/** The length at a time; null if the document did not exist. */
export function lengthAt({ createdAt, deletedAt, initial, writes }: VirtualDocument, at: number): number | null {
  if (createdAt > at || (deletedAt !== null && deletedAt <= at)) return null;
  let [low, high] = [0, writes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((writes[middle] as VirtualWrite).at <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? initial : (writes[low - 1] as VirtualWrite).length;
}

/** Times of events that come at random, so many a day on average. */
export function atRandom(random: RandomDistributions, perDay: number, from: number, to = 0): number[] {
  const times: number[] = [];
  if (perDay <= 0) return times;
  for (let at = from + random.exponential() / perDay; at < to; at += random.exponential() / perDay) times.push(at);
  return times;
}

/** The same at a rate that changes with time: thinned from the highest. */
export function atRate(
  random: RandomDistributions,
  perDay: (at: number) => number,
  highest: number,
  from: number,
): number[] {
  return atRandom(random, highest, from).filter((at) => random.next() * highest < perDay(at));
}

/** In one hour of each night. @param every days between the jobs */
export function atNight(random: RandomDistributions, perNight: number, from: number, every = 1, hour = 0.4): number[] {
  const times: number[] = [];
  for (let night = -Math.ceil(-from / every) * every; night < 0; night += every)
    for (let count = random.poisson(perNight); count > 0; count -= 1) times.push(night + hour + random.next() / 24);
  return times.filter((at) => at >= from && at < 0).sort((a, b) => a - b);
}

/** In hours that come at random. @param perBurst events in each, on average */
export function inBursts(random: RandomDistributions, perDay: number, perBurst: number, from: number): number[] {
  return atRandom(random, perDay / perBurst, from)
    .flatMap((at) => Array.from({ length: 1 + random.poisson(perBurst - 1) }, () => at + random.next() / 24))
    .filter((at) => at < 0)
    .sort((a, b) => a - b);
}

/** Days in which an array was written to, to count as growing now. */
const ACTIVE_DAYS = 7;

/** Elements a day of the median document that grows now; 0 if none does. */
export function typicalRate({ documents }: VirtualWorld): number {
  const rates = documents
    .filter(
      ({ deletedAt, rate, writes }) =>
        deletedAt === null && rate > 0 && (writes.at(-1)?.at ?? -Infinity) > -ACTIVE_DAYS,
    )
    .map(({ rate }) => rate)
    .sort((one, other) => one - other);
  return rates[Math.floor(rates.length / 2)] ?? 0;
}
