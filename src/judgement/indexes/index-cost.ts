import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexCost } from '../../inventory/index-proposal.js';
import type { StorageStatistics } from '../../inventory/storage.js';
import { ownValue } from '../../plain.js';
import type { Evidence } from '../../presence.js';
import type { FieldTypes } from '../../profile/field-types.js';
import { fieldEntries, HASHED, type FieldEntries } from './key-bytes.js';

/** An entry but for its fields: the cell, the end of the key, the RecordId. All measured on 6.0.5. */
const ENTRY = { least: 3.5, typical: 6, most: 8 } as const;
/** The size of an index's file that was just built, whatever it holds. */
const FILE = { least: 4 * 1024, typical: 16 * 1024, most: 32 * 1024 } as const;
/** Part of a field behind the first one that entries do not share. */
const UNSHARED_BEHIND = 0.6;
const DIGITS = 2;

interface Subject {
  readonly storage: Evidence<StorageStatistics>;
  readonly fieldTypes: Evidence<FieldTypes>;
  readonly collection: { readonly clustered: boolean };
}

/**
 * What an index would take. The size is estimated from the types and lengths of the sampled values. Its bounds are all
 * entries alike, and none with a beginning in common. It is for an index as it is built: inserts in random order make it
 * larger with time.
 *
 * @param supersedes names of indexes that are superfluous beside it
 * @returns null if the number of documents is unknown, or whether they hold arrays
 */
export function indexCost(
  { key, collation }: Pick<IndexDescription, 'key' | 'collation'>,
  { storage, fieldTypes, collection }: Subject,
  supersedes: readonly string[],
): IndexCost | null {
  const documents = storage.present ? storage.value.count : null;
  if (!storage.present || documents === null) return null;
  const types = fieldTypes.present ? fieldTypes.value : null;
  const fields = Object.entries(key).map(([path, kind]) => ofField(path, kind, types));
  if (!fields.every((field) => field !== null)) return null;
  const [array] = fields.flatMap((field) => (field.isArray ? [field.perDocument] : []));
  const entries = array === undefined ? documents : Math.round(documents * array);
  const isKnown = collation === undefined && !collection.clustered;
  return {
    entries,
    areEntriesEstimated: array !== undefined,
    size: isKnown ? sizeOf(entries, documents, fields) : null,
    supersededBytes: bytesOf(supersedes, storage.value.indexSizes),
  };
}

function ofField(path: string, kind: number | string, types: FieldTypes | null): FieldEntries | null {
  if (kind === 'hashed') return { perDocument: 1, isArray: false, bytes: HASHED };
  return types === null || typeof kind === 'string' ? null : fieldEntries(types, path);
}

/** Equal elements of one array have one entry: at the least, there is one for each document. */
function sizeOf(entries: number, documents: number, fields: readonly FieldEntries[]): IndexCost['size'] {
  const each = fields.map(({ bytes }) => bytes);
  if (!each.every((bytes) => bytes !== null)) return null;
  const full = each.reduce((sum, bytes) => sum + bytes.full, 0);
  const typical = each.reduce(
    (sum, bytes, position) => sum + (position === 0 ? bytes.leading : UNSHARED_BEHIND * bytes.full),
    0,
  );
  return {
    estimate: rounded(entries * (ENTRY.typical + typical) + FILE.typical, Math.round),
    least: rounded(Math.min(entries, documents) * ENTRY.least + FILE.least, Math.floor),
    most: rounded(entries * (ENTRY.most + full) + FILE.most, Math.ceil),
  };
}

function bytesOf(names: readonly string[], sizes: StorageStatistics['indexSizes']): number | null {
  if (sizes === null || names.some((name) => ownValue(sizes, name) === undefined)) return null;
  return names.reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
}

function rounded(value: number, way: (value: number) => number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) + 1 - DIGITS);
  return way(value / step) * step;
}
