import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexCost } from '../../inventory/index-proposal.js';
import type { StorageStatistics } from '../../inventory/storage.js';
import { ownValue } from '../../plain.js';
import type { Evidence } from '../../presence.js';
import type { BsonType } from '../../profile/document-profile.js';
import type { FieldType, FieldTypes } from '../../profile/field-types.js';
import { queryPath } from '../../profile/path-steps.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import type { JudgedSize } from '../judged-size.js';

/** From which size an index that serves nothing is a warning. */
export const IDLE_INDEX_WARNING = {
  default: 25 * 1024 * 1024,
  unit: 'bytes',
  description: 'bytes of the index; less is an info',
  source:
    'judgement: about a tenth of 256 MB, the smallest cache that a server gives itself (MongoDB manual, "WiredTiger Storage Engine")',
} as const;

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
    supersededBytes: indexBytes(supersedes, storage.value.indexSizes),
  };
}

/** A hash is a long. */
const HASHED: KeyBytes = { full: 10, leading: 5 };

/** Entries that a document adds to an index on one field, on average, and what they take; null if the sample does not report. */
interface FieldEntries {
  readonly perDocument: number;
  readonly isArray: boolean;
  readonly bytes: KeyBytes | null;
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

function indexBytes(names: readonly string[], sizes: StorageStatistics['indexSizes']): number | null {
  if (sizes === null || names.some((name) => ownValue(sizes, name) === undefined)) return null;
  return names.reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
}

function rounded(value: number, way: (value: number) => number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) + 1 - DIGITS);
  return way(value / step) * step;
}

/** Bytes on disk of an index entry on one number, with prefix compression (measured on 6.0.5: 9 to 12). */
const BYTES_PER_ENTRY = 10;

/** A file has 4 KB at least, so entries are counted instead if a size is expected. */
export function indexBytesAt(bytes: number, size: JudgedSize | null): number {
  return size === null || size.from === null ? bytes : BYTES_PER_ENTRY * size.documents;
}

/** What a field adds to the entries of an index, in bytes. */
interface KeyBytes {
  /** If no entry shares its beginning with the one before. Source: `key_string.h` of the server. */
  readonly full: number;
  /** As the first field of an index, behind what it shares with the entry before (measured on 6.0.5). */
  readonly leading: number;
}

const BY_TYPE: { readonly [Type in BsonType]?: KeyBytes } = {
  null: { full: 1, leading: 0 },
  undefined: { full: 1, leading: 0 },
  bool: { full: 1, leading: 0 },
  int: { full: 5, leading: 3 },
  long: { full: 10, leading: 4 },
  double: { full: 10, leading: 5 },
  decimal: { full: 18, leading: 8 },
  date: { full: 9, leading: 4 },
  timestamp: { full: 9, leading: 5 },
  objectId: { full: 13, leading: 3 },
};

const MISSING: KeyBytes = { full: 1, leading: 0 };

/** The type and the terminator of a string. */
const AROUND_STRING = 2;

/** Strings of one length, from this on, are identifiers without a common beginning: UUIDs and hashes. */
const RANDOM_STRING = 32;

/** Neighbours among other strings share about two thirds (measured on texts, e-mail addresses, slugs and codes). */
const UNSHARED_OF_STRING = 1 / 3;

/** Elements that are equal within a document have one entry together: there may be fewer than this. */
function fieldEntries({ documents, fields }: FieldTypes, path: string): FieldEntries | null {
  const seen = fields.filter((field) => queryPath(field.path) === path);
  if (seen.length === 0 || documents === 0 || path.split('.').includes(DATA_NAME)) return null;
  const isArray = seen.some((field) => field.path.includes('[]') || (field.types.array ?? 0) > 0);
  const values = seen.flatMap((field) =>
    (Object.entries(field.types) as [BsonType, number][])
      .filter(([type]) => type !== 'array' || field.path.endsWith('[]'))
      .map(([type, count]) => ({ count, bytes: bytesOf(type, field) })),
  );
  const missing = Math.max(0, documents - Math.max(...seen.map((field) => field.documents)));
  const present = values.reduce((sum, { count }) => sum + count, 0);
  const all = [...values, { count: missing, bytes: MISSING }].filter(({ count }) => count > 0);
  return {
    perDocument: isArray ? Math.max(1, (present + missing) / documents) : 1,
    isArray,
    bytes: averageOf(all),
  };
}

function bytesOf(type: BsonType, { averageString, longestString }: FieldType): KeyBytes | null {
  if (type !== 'string') return BY_TYPE[type] ?? null;
  if (averageString === undefined || averageString === null) return null;
  const isRandom = averageString === longestString && averageString >= RANDOM_STRING;
  return {
    full: averageString + AROUND_STRING,
    leading: isRandom ? averageString : averageString * UNSHARED_OF_STRING,
  };
}

function averageOf(all: readonly { readonly count: number; readonly bytes: KeyBytes | null }[]): KeyBytes | null {
  const total = all.reduce((sum, { count }) => sum + count, 0);
  let [full, leading] = [0, 0];
  for (const { count, bytes } of all) {
    if (bytes === null) return null;
    full += (count / total) * bytes.full;
    leading += (count / total) * bytes.leading;
  }
  return total === 0 ? null : { full, leading };
}
