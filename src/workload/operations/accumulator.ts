/** What distinguishes the entries of one shape. */
export interface Batch {
  readonly at: number;
  /** Whether it is a batch after the first: it adds to its operation, and is not one itself. */
  readonly isContinuation: boolean;
  /** Whether it was still running when the entry was written (8.3): its time is a lower bound. */
  readonly isUnfinished: boolean;
  /** Identifies the operation among its batches; null if there was one batch only. */
  readonly cursor: string | null;
  /** What it adds to each figure. */
  readonly recorded: Readonly<Record<string, unknown>>;
}

/** The figure of several entries; undefined if there is nothing to say. */
export interface Accumulator<Recorded, Figure> {
  add(recorded: Recorded, batch: Batch): void;
  figure(): Figure | undefined;
}

/** Two values as one. What is an object is added to the first one, which the caller owns: entries are many. */
export type Merge<Value> = (one: Value, other: Value) => Value;

export const sum: Merge<number> = (one, other) => one + other;
export const largest: Merge<number> = (one, other) => Math.max(one, other);
export const smallest: Merge<number> = (one, other) => Math.min(one, other);

/** Each part by its own rule; what only one has stays. */
export function parts<Value extends object>(merges: {
  readonly [Name in keyof Required<Value>]: Merge<NonNullable<Value[Name]>>;
}): Merge<Value> {
  const rules = Object.entries(merges) as [keyof Value, Merge<unknown>][];
  return (one, other) => {
    for (const [name, merge] of rules) {
      const [known, further] = [one[name], other[name]];
      if (further === undefined) continue;
      one[name] = (known === undefined ? owned(further) : merge(known, further)) as Value[keyof Value];
    }
    return one;
  };
}

/**
 * By name.
 *
 * @param most names that are kept
 * @param others the name of all further ones; they are left out without it
 */
export function byName<Value>(
  merge: Merge<Value>,
  most = Infinity,
  others?: string,
): Merge<Readonly<Record<string, Value>>> {
  return (one, other) => {
    const all = one as Record<string, Value>;
    for (const given of Object.keys(other)) {
      const isRoom = Object.hasOwn(all, given) || most === Infinity || Object.keys(all).length < most;
      const name = isRoom ? given : others;
      if (name === undefined) continue;
      const value = other[given] as Value;
      all[name] = Object.hasOwn(all, name) ? merge(all[name] as Value, value) : owned(value);
    }
    return all;
  };
}

/** A copy that may be added to. Names may be "__proto__", so nothing is inherited. */
export function owned<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, part] of Object.entries(value)) copy[name] = owned(part as unknown);
  return copy as Value;
}

/** Puts values together by a rule. */
export class Merged<Value> implements Accumulator<Value, Value> {
  #value: Value | undefined;

  constructor(
    private readonly merge: Merge<Value>,
    private readonly isReported: (value: Value) => boolean,
  ) {}

  add(value: Value): void {
    this.#value = this.#value === undefined ? owned(value) : this.merge(this.#value, value);
  }

  figure(): Value | undefined {
    return this.#value !== undefined && this.isReported(this.#value) ? this.#value : undefined;
  }
}
