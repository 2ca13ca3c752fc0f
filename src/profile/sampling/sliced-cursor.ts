import type { RawCursor } from '../../connect/cluster-reader.js';

interface Slice {
  readonly cursor: RawCursor;
  /** What its first batch says; null once it was asked for. */
  begun: Promise<boolean> | null;
}

/** Documents by `_id`, in slices of so many. */
export class SlicedCursor implements RawCursor {
  readonly #slices: Slice[] = [];
  #next = 0;

  /** @param ahead slices that are asked for beside the one that is being read */
  constructor(
    private readonly ids: readonly unknown[],
    private readonly sliceSize: number,
    private readonly ahead: () => number,
    private readonly open: (slice: readonly unknown[]) => RawCursor,
  ) {}

  async hasNext(): Promise<boolean> {
    for (;;) {
      while (this.#next < this.ids.length && this.#slices.length <= this.ahead()) this.#begin();
      const [slice] = this.#slices;
      if (slice === undefined) return false;
      const hasNext = slice.begun ?? slice.cursor.hasNext();
      slice.begun = null;
      if (await hasNext) return true;
      await slice.cursor.close();
      this.#slices.shift();
    }
  }

  readBufferedDocuments(): Uint8Array[] {
    return this.#slices[0]?.cursor.readBufferedDocuments() ?? [];
  }

  async close(): Promise<void> {
    await Promise.all(this.#slices.map(({ cursor }) => cursor.close()));
  }

  #begin(): void {
    const cursor = this.open(this.ids.slice(this.#next, this.#next + this.sliceSize));
    const begun = cursor.hasNext();
    // Whoever reads the slice hears of it; if nobody does, it does not matter.
    begun.catch(() => {});
    this.#slices.push({ cursor, begun });
    this.#next += this.sliceSize;
  }
}
