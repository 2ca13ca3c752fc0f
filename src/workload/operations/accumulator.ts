/** What distinguishes the entries of one shape. */
export interface Batch {
  readonly at: number;
  /** Whether it is a batch after the first: it adds to its operation, and is not one itself. */
  readonly isContinuation: boolean;
  /** Whether it was still running when the entry was written (8.3): its time is a lower bound. */
  readonly isUnfinished: boolean;
  /** Identifies the operation among its batches; null if there was one batch only. */
  readonly cursor: string | null;
}

/** The figure of several entries; undefined if there is nothing to say. */
export interface Accumulator<Recorded, Figure> {
  add(recorded: Recorded, batch: Batch): void;
  figure(): Figure | undefined;
}

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
    const all = { ...one, ...other };
    for (const [name, merge] of rules)
      if (one[name] !== undefined && other[name] !== undefined)
        all[name] = merge(one[name], other[name]) as Value[keyof Value];
    return all;
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
    const all = new Map(Object.entries(one));
    for (const [given, value] of Object.entries(other)) {
      const name = all.has(given) || all.size < most ? given : others;
      if (name === undefined) continue;
      const known = all.get(name);
      all.set(name, known === undefined ? value : merge(known, value));
    }
    return Object.fromEntries(all);
  };
}

/** Puts values together by a rule. */
export class Merged<Value> implements Accumulator<Value, Value> {
  #value: Value | undefined;

  constructor(
    private readonly merge: Merge<Value>,
    private readonly isTold: (value: Value) => boolean = () => true,
  ) {}

  add(value: Value): void {
    this.#value = this.#value === undefined ? value : this.merge(this.#value, value);
  }

  figure(): Value | undefined {
    return this.#value !== undefined && this.isTold(this.#value) ? this.#value : undefined;
  }
}
