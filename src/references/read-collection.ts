import type { Collection, IndexDescription } from '../inventory/collection.js';
import type { StorageStatistics } from '../inventory/storage.js';
import type { Evidence } from '../presence.js';
import type { FieldTypes } from '../profile/field-types.js';

/** What references between collections are found by; absent if the run does not collect it. */
export interface ReadPieces {
  readonly fieldTypes?: Evidence<FieldTypes>;
  readonly indexes?: Evidence<readonly IndexDescription[]>;
  readonly storage?: Evidence<StorageStatistics>;
}

/** A collection whose documents were read. */
export interface ReadCollection {
  readonly collection: Collection;
  readonly evidence: ReadPieces;
}
