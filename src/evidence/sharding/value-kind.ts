import { Binary, BSON, Decimal128, Long, ObjectId, Timestamp } from 'mongodb';
import { MS_PER_SECOND } from '../../time-units.js';
import { bytesOf } from '../../profile/bson-order.js';
import {
  dateTextTime,
  isPlausibleTime,
  ksuidTime,
  objectIdTextTime,
  ulidTime,
  uuidTime,
  uuidVersion,
} from './identifier-time.js';

/** What matters for the order of values: what they begin with, and whether they carry a time. */
export type ValueKind =
  | 'objectId'
  | 'date'
  | 'timestamp'
  | 'wholeNumber'
  | 'number'
  | 'uuidV1'
  | 'uuidV7'
  | 'uuid'
  | 'ulid'
  | 'ksuid'
  | 'dateString'
  | 'objectIdString'
  | 'string'
  | 'boolean'
  | 'binary'
  | 'object'
  | 'none'
  | 'other';

export const VALUE_KIND_NAMES: Readonly<Record<ValueKind, string>> = {
  objectId: 'ObjectIds',
  date: 'dates',
  timestamp: 'timestamps',
  wholeNumber: 'whole numbers',
  number: 'numbers',
  uuidV1: 'UUIDs of version 1',
  uuidV7: 'UUIDs of version 7',
  uuid: 'UUIDs',
  ulid: 'ULIDs',
  ksuid: 'KSUIDs',
  dateString: 'dates written as strings',
  objectIdString: 'ObjectIds written as strings',
  string: 'strings',
  boolean: 'booleans',
  binary: 'binary values',
  object: 'embedded documents',
  none: 'missing or null',
  other: 'values of other types',
};

export interface KindAndTime {
  readonly kind: ValueKind;
  readonly time: number | null;
}

const UUID_BYTES = 16;

/** A string counts as an identifier with a time only if that time is plausible. */
export function kindAndTime(value: unknown): KindAndTime {
  if (value === null || value === undefined) return { kind: 'none', time: null };
  if (typeof value === 'string') return stringKind(value);
  if (typeof value === 'boolean') return { kind: 'boolean', time: null };
  if (value instanceof Date) return { kind: 'date', time: value.getTime() };
  if (value instanceof ObjectId) return { kind: 'objectId', time: value.getTimestamp().getTime() };
  if (value instanceof Timestamp) return { kind: 'timestamp', time: value.getHighBitsUnsigned() * MS_PER_SECOND };
  if (value instanceof Binary) return binaryKind(value);
  if (isNumber(value)) return { kind: Number.isInteger(Number(String(value))) ? 'wholeNumber' : 'number', time: null };
  return { kind: Object.getPrototypeOf(value) === Object.prototype ? 'object' : 'other', time: null };
}

/** Null if they are mixed. Missing values do not count. */
export function commonKind(kinds: readonly ValueKind[]): ValueKind | null {
  const counts = new Map<ValueKind, number>();
  for (const kind of kinds) if (kind !== 'none') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const present = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts].find(([, count]) => count >= NEARLY_ALL * present)?.[0] ?? null;
}

const NEARLY_ALL = 0.9;

function isNumber(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Long ||
    value instanceof Decimal128 ||
    value instanceof BSON.Int32 ||
    value instanceof BSON.Double
  );
}

function binaryKind(value: Binary): KindAndTime {
  if (value.sub_type !== Binary.SUBTYPE_UUID || value.length() !== UUID_BYTES) return { kind: 'binary', time: null };
  return uuidKind(bytesOf(value));
}

function uuidKind(bytes: Uint8Array): KindAndTime {
  const time = uuidTime(bytes);
  if (time === null || !isPlausibleTime(time)) return { kind: 'uuid', time: null };
  return { kind: uuidVersion(bytes) === 1 ? 'uuidV1' : 'uuidV7', time };
}

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const IDENTIFIER_TEXTS: readonly (readonly [ValueKind, (text: string) => number | null])[] = [
  ['ulid', ulidTime],
  ['ksuid', ksuidTime],
  ['objectIdString', objectIdTextTime],
  ['dateString', dateTextTime],
];

function stringKind(text: string): KindAndTime {
  if (UUID_TEXT.test(text)) return uuidKind(Buffer.from(text.replaceAll('-', ''), 'hex'));
  for (const [kind, timeOf] of IDENTIFIER_TEXTS) {
    const time = timeOf(text);
    if (time !== null && isPlausibleTime(time)) return { kind, time };
  }
  return { kind: 'string', time: null };
}
