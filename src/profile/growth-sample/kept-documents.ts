/** Numbers of documents, and the elements per array of each. */
export interface LengthColumns {
  readonly documents: Float64Array;
  readonly lengths: Float64Array;
}

export class LengthSeries {
  private documents = new Float64Array(FIRST_CAPACITY);
  private lengths = new Float64Array(FIRST_CAPACITY);
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(document: number, length: number): void {
    if (this.count === this.documents.length) this.makeRoom(2 * this.count);
    this.documents[this.count] = document;
    this.lengths[this.count] = length;
    this.count += 1;
  }

  merge(other: LengthSeries): void {
    for (let index = 0; index < other.count; index += 1) {
      this.add(other.documents[index] as number, other.lengths[index] as number);
    }
    other.count = 0;
    other.makeRoom(FIRST_CAPACITY);
  }

  remove(dropped: ReadonlySet<number>): void {
    let kept = 0;
    for (let index = 0; index < this.count; index += 1) {
      const document = this.documents[index] as number;
      if (dropped.has(document)) continue;
      this.documents[kept] = document;
      this.lengths[kept] = this.lengths[index] as number;
      kept += 1;
    }
    this.count = kept;
  }

  /** A document may be there twice, from paths that were merged. */
  get columns(): LengthColumns {
    return { documents: this.documents.subarray(0, this.count), lengths: this.lengths.subarray(0, this.count) };
  }

  private makeRoom(capacity: number): void {
    const resized = (column: Float64Array) => {
      const larger = new Float64Array(capacity);
      larger.set(column.subarray(0, this.count));
      return larger;
    };
    this.documents = resized(this.documents);
    this.lengths = resized(this.lengths);
  }
}

const FIRST_CAPACITY = 64;

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
