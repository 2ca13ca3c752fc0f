/** What may show when each document was created; NaN if unknown. Document values: never printed or stored. */
export interface TimeColumns {
  readonly numbers: Float64Array;
  readonly objectIdTimes: Float64Array;
  readonly numericIds: Float64Array;
  /** Top-level dates by field name, in ms since 1970, and whether they were read. */
  readonly dates: ReadonlyMap<string, Float64Array>;
  readonly datesRead: number;
}

/** Of the documents that were kept, in the order in which they came. Their numbers rise. */
export interface KeptColumns extends TimeColumns {
  /** In bytes. */
  readonly sizes: Float64Array;
  readonly digests: Float64Array;
}

/** The documents of a sample that growth is measured by. */
export class KeptDocuments {
  constructor(private readonly columns: KeptColumns) {}

  get times(): TimeColumns {
    return this.columns;
  }

  get size(): number {
    return this.columns.numbers.length;
  }

  get documentSizes(): Float64Array {
    return this.columns.sizes;
  }

  /** Of the documents' `_id`s; NaN without one. Derived from document values: never printed or stored. */
  get idDigests(): Float64Array {
    return this.columns.digests;
  }

  /** @param number of a document that is kept */
  indexOf(number: number): number {
    const { numbers } = this.columns;
    let [low, high] = [0, numbers.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
