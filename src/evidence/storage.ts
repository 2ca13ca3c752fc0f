/** Sizes and counts of a collection from `$collStats`, summed over shards. */
export interface StorageStatistics {
  /** Documents, from the collection's metadata; orphans on shards included. */
  readonly count: number;
  /** Uncompressed BSON bytes of all documents. */
  readonly size: number;
  /** `size / count` in bytes; 0 where the collection is empty. */
  readonly averageDocumentSize: number;
  /** Bytes on disk, compressed. */
  readonly storageSize: number;
  /** Bytes of all indexes on disk. */
  readonly totalIndexSize: number;
  /** Bytes per index on disk, by index name. */
  readonly indexSizes: Readonly<Record<string, number>>;
  /** Documents that other shards own, counted by the server; 0 where not sharded. */
  readonly orphans: number;
  /** Shards that answered; 0 where not sharded. */
  readonly shards: number;
}
