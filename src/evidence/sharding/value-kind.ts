import { Binary, ObjectId, Timestamp } from 'mongodb';
import { isNumber } from '../../connect/answer.js';
import { bytesOf } from '../../profile/bson-order.js';
import { UUID_TEXT } from '../../references/identifier-forms.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../time-units.js';

/** 100 ns steps from the start of UUID time, 15 October 1582, to 1970. Source: RFC 9562, section 5.1. */
const UUID_EPOCH_STEPS = 0x01b21dd213814000n;
const UUID_STEPS_PER_MS = 10_000n;

/** Seconds since 1970 at which KSUID time starts: 13 May 2014. Source: the KSUID specification by Segment. */
const KSUID_EPOCH_S = 1_400_000_000;
const KSUID_TIME_BYTES = 4;
const KSUID_BYTES = 20;
const KSUID_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ULID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_TIME_DIGITS = 10;

/** Before MongoDB 1.0 of 2009, because imported data may be older. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/** A date as text, the largest unit first: ISO 8601, with or without a time, or the digits alone. */
const DATE_TEXT =
  /^(\d{4})([-/.]?)(0[1-9]|1[0-2])(?:\2(0[1-9]|[12]\d|3[01]))?(?:[T _-]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** What matters for the order of values: what they begin with, and whether they carry a time. */
export const VALUE_KIND_NAMES = {
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
} as const satisfies Readonly<Record<string, string>>;

export type ValueKind = keyof typeof VALUE_KIND_NAMES;
export const VALUE_KINDS = Object.keys(VALUE_KIND_NAMES) as ValueKind[];

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

function binaryKind(value: Binary): KindAndTime {
  if (value.sub_type !== Binary.SUBTYPE_UUID || value.length() !== UUID_BYTES) return { kind: 'binary', time: null };
  return uuidKind(bytesOf(value));
}

function uuidKind(bytes: Uint8Array): KindAndTime {
  const time = uuidTime(bytes);
  if (time === null || !isPlausibleTime(time)) return { kind: 'uuid', time: null };
  return { kind: uuidVersion(bytes) === 1 ? 'uuidV1' : 'uuidV7', time };
}

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

function isPlausibleTime(time: number, now = Date.now()): boolean {
  return time >= EARLIEST_MS && time <= now + MS_PER_DAY;
}

function uuidVersion(bytes: Uint8Array): number {
  return (bytes[6] as number) >> 4;
}

/** Null for versions other than 1 and 7, which carry no time. Source: RFC 9562. */
function uuidTime(bytes: Uint8Array): number | null {
  const hex = Buffer.from(bytes).toString('hex');
  switch (uuidVersion(bytes)) {
    case 1: {
      const steps = BigInt(`0x${hex.slice(13, 16)}${hex.slice(8, 12)}${hex.slice(0, 8)}`);
      return Number((steps - UUID_EPOCH_STEPS) / UUID_STEPS_PER_MS);
    }
    case 7:
      return Number.parseInt(hex.slice(0, 12), 16);
    default:
      return null;
  }
}

/** 26 digits of Crockford's base 32, the first 10 of them ms since 1970. Source: the ULID specification. */
function ulidTime(text: string): number | null {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) return null;
  let time = 0;
  for (const digit of text.slice(0, ULID_TIME_DIGITS)) time = time * ULID_DIGITS.length + ULID_DIGITS.indexOf(digit);
  return time;
}

/** 27 digits of base 62, 20 bytes, of which the first 4 are seconds. */
function ksuidTime(text: string): number | null {
  if (!/^[0-9A-Za-z]{27}$/.test(text)) return null;
  let value = 0n;
  for (const digit of text) value = value * BigInt(KSUID_DIGITS.length) + BigInt(KSUID_DIGITS.indexOf(digit));
  const seconds = value >> BigInt(8 * (KSUID_BYTES - KSUID_TIME_BYTES));
  return seconds >= 1n << BigInt(8 * KSUID_TIME_BYTES) ? null : (Number(seconds) + KSUID_EPOCH_S) * MS_PER_SECOND;
}

function objectIdTextTime(text: string): number | null {
  return /^[0-9a-f]{24}$/i.test(text) ? Number.parseInt(text.slice(0, 8), 16) * MS_PER_SECOND : null;
}

/** Without regard to its time zone. */
function dateTextTime(text: string): number | null {
  const match = DATE_TEXT.exec(text);
  if (match === null) return null;
  const [year, month, day = 1, hour = 0, minute = 0, second = 0] = [1, 3, 4, 5, 6, 7].map((group) =>
    match[group] === undefined ? undefined : Number(match[group]),
  );
  return Date.UTC(year as number, (month as number) - 1, day, hour, minute, second);
}
