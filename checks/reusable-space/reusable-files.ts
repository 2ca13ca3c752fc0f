import type { StorageStatistics } from '../../src/inventory/storage.js';

export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** A file of the storage engine: of the collection, on each shard, or of an index. */
export interface ReusableFile {
  readonly name: string;
  readonly shard?: string;
  readonly bytes: number;
  readonly reusable: number;
}

/** Null if the server does not give them. Indexes with less than 1 MB are left out, or all if unknown. */
export function reusableFiles(storage: StorageStatistics): readonly ReusableFile[] | null {
  const ofCollection = collectionFiles(storage);
  if (ofCollection === null) return null;
  const { indexSizes, indexFreeStorageSizes = {} } = storage;
  const ofIndexes = Object.entries(indexFreeStorageSizes).flatMap(([name, reusable]) => {
    const bytes = indexSizes?.[name];
    return bytes === undefined ? [] : [{ name: `index ${name}`, bytes, reusable }];
  });
  return [...ofCollection, ...ofIndexes];
}

function collectionFiles({ storageSize, freeStorageSize, byShard }: StorageStatistics): readonly ReusableFile[] | null {
  if (storageSize === null || freeStorageSize === undefined) return null;
  const ofShards = (byShard ?? []).flatMap(({ shard, storageSize: bytes, freeStorageSize: reusable }) =>
    bytes === undefined || reusable === undefined
      ? []
      : [{ name: `the collection on ${shard}`, shard, bytes, reusable }],
  );
  return ofShards.length > 0 ? ofShards : [{ name: 'the collection', bytes: storageSize, reusable: freeStorageSize }];
}
