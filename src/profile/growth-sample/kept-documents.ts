/** The elements per array of documents at one path. A document may be there twice, from paths that were merged. */
export class LengthSeries {
  /** Their numbers. */
  documents: number[] = [];
  lengths: number[] = [];

  add(document: number, length: number): void {
    this.documents.push(document);
    this.lengths.push(length);
  }

  merge(other: LengthSeries): void {
    other.documents.forEach((document, index) => this.add(document, other.lengths[index] as number));
    other.documents = [];
    other.lengths = [];
  }

  remove(dropped: ReadonlySet<number>): void {
    const { documents } = this;
    this.lengths = this.lengths.filter((_, index) => !dropped.has(documents[index] as number));
    this.documents = documents.filter((document) => !dropped.has(document));
  }
}

/**
 * The documents of a sample that growth is measured by, in the order in which they came; NaN if something is unknown.
 * Document values, and what is derived from them: never printed or stored.
 */
export interface KeptDocuments {
  /** Among all documents. They rise. */
  readonly numbers: Float64Array;
  /** In bytes. */
  readonly sizes: Float64Array;
  /** The digests of their `_id`s. */
  readonly digests: Float64Array;
  readonly objectIdTimes: Float64Array;
}

/** @param number of a document that is kept */
export function placeOf(number: number, { numbers }: KeptDocuments): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
