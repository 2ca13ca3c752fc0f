import type { RawCursor } from '../../connect/cluster-reader.js';

/** Documents that are there already. */
export class ReadDocuments implements RawCursor {
  constructor(private documents: readonly Uint8Array[]) {}

  async hasNext(): Promise<boolean> {
    return this.documents.length > 0;
  }

  readBufferedDocuments(): Uint8Array[] {
    const documents = [...this.documents];
    this.documents = [];
    return documents;
  }

  async close(): Promise<void> {}
}
