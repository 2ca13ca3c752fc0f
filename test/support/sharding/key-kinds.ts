import { Binary, Long, ObjectId, Timestamp, UUID } from 'mongodb';
import type { SeededRandom } from '../../../src/demo/seeded-random.js';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** What a value is made from. */
export interface Birth {
  /** When the document is inserted, in ms since 1970. */
  readonly time: number;
  /** How many were inserted before it. */
  readonly index: number;
  readonly random: SeededRandom;
}

type ValueOf = (birth: Birth) => unknown;

function randomBytes(count: number, random: SeededRandom): Buffer {
  return Buffer.from(Array.from({ length: count }, () => random.below(256)));
}

function encoded(value: bigint, digits: string, length: number): string {
  let rest = value;
  let text = '';
  for (let place = 0; place < length; place += 1) {
    text = `${digits[Number(rest % BigInt(digits.length))]}${text}`;
    rest /= BigInt(digits.length);
  }
  return text;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const objectId: ValueOf = ({ time, random }) => {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(Math.floor(time / 1_000));
  randomBytes(8, random).copy(bytes, 4);
  return new ObjectId(bytes);
};

function uuid(bytes: Buffer, version: number): UUID {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return new UUID(bytes);
}

export const uuidV4: ValueOf = ({ random }) => uuid(randomBytes(16, random), 4);

export const uuidV7: ValueOf = ({ time, random }) => {
  const bytes = randomBytes(16, random);
  bytes.writeUIntBE(Math.floor(time), 0, 6);
  return uuid(bytes, 7);
};

/** The layout of RFC 9562: the lowest bits of the time come first. */
export const uuidV1: ValueOf = ({ time, random }) => {
  const steps = BigInt(Math.floor(time * 10_000)) + 0x01b21dd213814000n;
  const bytes = randomBytes(16, random);
  bytes.writeUInt32BE(Number(steps & 0xffffffffn), 0);
  bytes.writeUInt16BE(Number((steps >> 32n) & 0xffffn), 4);
  bytes.writeUInt16BE(Number((steps >> 48n) & 0x0fffn), 6);
  return uuid(bytes, 1);
};

export const ulid: ValueOf = ({ time, random }) =>
  encoded(BigInt(Math.floor(time)), CROCKFORD, 10) +
  Array.from({ length: 16 }, () => CROCKFORD[random.below(32)]).join('');

export const ksuid: ValueOf = ({ time, random }) => {
  const bytes = Buffer.concat([Buffer.alloc(4), randomBytes(16, random)]);
  bytes.writeUInt32BE(Math.floor(time / 1_000) - 1_400_000_000);
  return encoded(BigInt(`0x${bytes.toString('hex')}`), BASE62, 27);
};

const randomText: ValueOf = ({ random }) => randomBytes(9, random).toString('base64url');

/** A counter whose bits are written back to front, as is done so that it does not grow. */
const shuffledCounter: ValueOf = ({ index }) =>
  Number.parseInt([...index.toString(2).padStart(20, '0')].toReversed().join(''), 2);

/** Kinds of values that grow or fall with the time of insertion. */
export const MONOTONIC_KINDS: readonly (readonly [string, ValueOf])[] = [
  ['ObjectIds', objectId],
  ['dates', ({ time }) => new Date(time)],
  ['dates that arrive up to a day late', ({ time, random }) => new Date(time - random.next() * DAY_MS)],
  ['counters', ({ index }) => index],
  ['64-bit counters', ({ index }) => Long.fromNumber(index).add(Long.fromString('7000000000000000000'))],
  ['falling counters', ({ index }) => 1_000_000 - index],
  ['reversed times', ({ time }) => new Date(Date.UTC(2100, 0, 1) - time)],
  ['timestamps', ({ time, index }) => new Timestamp({ t: Math.floor(time / 1_000), i: index })],
  ['UUIDs of version 7', uuidV7],
  ['UUIDs of version 7 as strings', (birth) => String(uuidV7(birth))],
  ['UUIDs of version 1', uuidV1],
  ['ULIDs', ulid],
  ['KSUIDs', ksuid],
  ['ISO dates as strings', ({ time }) => new Date(time).toISOString()],
  [
    'days as strings with a time',
    ({ time }) => new Date(time).toISOString().slice(0, 16).replaceAll('-', '/').replace('T', ' '),
  ],
  ['ObjectIds as strings', (birth) => String(objectId(birth))],
];

/** Kinds of values that have nothing to do with the time of insertion. */
export const EXCHANGEABLE_KINDS: readonly (readonly [string, ValueOf])[] = [
  ['UUIDs of version 4', uuidV4],
  ['random strings', randomText],
  ['a shuffled counter', shuffledCounter],
  ['numbers of customers', ({ random }) => random.below(5_000)],
  [
    'ObjectIds of other documents',
    ({ random }) => objectId({ time: Date.UTC(2020, 0, 1) + random.next() * 900 * DAY_MS, index: 0, random }),
  ],
  ['dates of birth', ({ random }) => new Date(Date.UTC(1950, 0, 1) + random.next() * 50 * 365 * DAY_MS)],
  ['hashes', ({ random }) => new Binary(randomBytes(20, random))],
];
