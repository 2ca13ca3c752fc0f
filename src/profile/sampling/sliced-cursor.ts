import type { RawCursor } from '../../connect/cluster-reader.js';

export class SlicedCursor implements RawCursor {
  #next = 0;
  #cursor: RawCursor | null = null;

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
