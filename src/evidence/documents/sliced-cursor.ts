import type { RawCursor } from '../../connect/cluster-reader.js';

/** Reads the documents of a list of `_id`s slice by slice, as one cursor. */
export class SlicedCursor implements RawCursor {
  #next = 0;
  #cursor: RawCursor | null = null;

  /**
   * @param ids in the order in which slices are to be read
   * @param sliceSize `_id`s per slice
   * @param open opens the cursor of a slice
   */
  constructor(
    private readonly ids: readonly unknown[],
    private readonly sliceSize: number,
    private readonly open: (slice: readonly unknown[]) => RawCursor,
  ) {}

  async hasNext(): Promise<boolean> {
    for (;;) {
      if (this.#cursor !== null && (await this.#cursor.hasNext())) return true;
      if (this.#next >= this.ids.length) return false;
      await this.close();
      this.#cursor = this.open(this.ids.slice(this.#next, this.#next + this.sliceSize));
      this.#next += this.sliceSize;
    }
  }

  readBufferedDocuments(): Uint8Array[] {
    return this.#cursor?.readBufferedDocuments() ?? [];
  }

  async close(): Promise<void> {
    await this.#cursor?.close();
  }
}
