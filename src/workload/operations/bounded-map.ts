/** What is put together by key, for as many keys as there is room. Entries of further ones are counted. */
export class BoundedMap<Value> {
  readonly #byKey = new Map<string, Value>();
  #leftOut = 0;

  constructor(private readonly most: number) {}

  /** Entries of keys that there was no room for. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get(key: string): Value | undefined {
    return this.#byKey.get(key);
  }

  /** Null if there is no room for it. */
  at(key: string, first: () => Value): Value | null {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    if (this.#byKey.size >= this.most) {
      this.#leftOut += 1;
      return null;
    }
    const value = first();
    this.#byKey.set(key, value);
    return value;
  }

  values(): readonly Value[] {
    return [...this.#byKey.values()];
  }
}
