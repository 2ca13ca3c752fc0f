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
