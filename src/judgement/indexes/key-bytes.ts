import type { BsonType } from '../../profile/document-profile.js';
import type { FieldType, FieldTypes } from '../../profile/field-types.js';
import { queryPath } from '../../profile/path-steps.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';

/** What a field adds to the entries of an index, in bytes. */
export interface KeyBytes {
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
/** A hash is a long. */
export const HASHED: KeyBytes = { full: 10, leading: 5 };
/** The type and the terminator of a string. */
const AROUND_STRING = 2;
/** Strings of one length, from this on, are identifiers without a common beginning: UUIDs and hashes. */
const RANDOM_STRING = 32;
/** Neighbours among other strings share about two thirds (measured on texts, e-mail addresses, slugs and codes). */
const UNSHARED_OF_STRING = 1 / 3;

/** Entries that a document adds to an index on one field, on average, and what they take; null if the sample does not report. */
export interface FieldEntries {
  readonly perDocument: number;
  readonly isArray: boolean;
  readonly bytes: KeyBytes | null;
}

/** Elements that are equal within a document have one entry together: there may be fewer than this. */
export function fieldEntries({ documents, fields }: FieldTypes, path: string): FieldEntries | null {
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
