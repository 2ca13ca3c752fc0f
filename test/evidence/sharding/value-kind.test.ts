import { Binary, Decimal128, Long, Timestamp, UUID } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { commonKind, kindAndTime, type ValueKind } from '../../../src/evidence/sharding/value-kind.js';
import { ksuid, objectId, ulid, uuidV1, uuidV4, uuidV7 } from '../../support/sharding/key-kinds.js';

const TIME = Date.UTC(2024, 4, 17, 12, 30, 15);
const birth = { time: TIME, index: 3, random: new SeededRandom(11) };

describe('the kind of a value, and the time in it', () => {
  it.each<[string, unknown, ValueKind, number | null]>([
    ['an ObjectId', objectId(birth), 'objectId', TIME],
    ['an ObjectId as a string', String(objectId(birth)), 'objectIdString', TIME],
    ['a date', new Date(TIME), 'date', TIME],
    ['a timestamp', new Timestamp({ t: TIME / 1_000, i: 1 }), 'timestamp', TIME],
    ['a UUID of version 1', uuidV1(birth), 'uuidV1', TIME],
    [
      'a UUID of version 1, as in RFC 9562',
      new UUID('c232ab00-9414-11ec-b3c8-9f6bdeced846'),
      'uuidV1',
      Date.UTC(2022, 1, 22, 19, 22, 22),
    ],
    [
      'a UUID of version 7, as in RFC 9562',
      new UUID('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),
      'uuidV7',
      Date.UTC(2022, 1, 22, 19, 22, 22),
    ],
    ['a UUID of version 7', uuidV7(birth), 'uuidV7', TIME],
    ['a UUID of version 7 as a string', String(uuidV7(birth)), 'uuidV7', TIME],
    ['a UUID of version 4', uuidV4(birth), 'uuid', null],
    ['a ULID', ulid(birth), 'ulid', TIME],
    ['a ULID, as in its specification', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid', 1_469_922_850_259],
    ['a KSUID', ksuid(birth), 'ksuid', TIME],
    ['a KSUID, as in its specification', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'ksuid', 1_507_608_047_000],
    ['an ISO date', '2024-05-17T12:30:15.000Z', 'dateString', TIME],
    ['a day', '2024-05-17', 'dateString', Date.UTC(2024, 4, 17)],
    ['a month', '2024-05', 'dateString', Date.UTC(2024, 4, 1)],
    ['a date in digits', '20240517', 'dateString', Date.UTC(2024, 4, 17)],
    ['a date with slashes and a time', '2024/05/17 12:30', 'dateString', Date.UTC(2024, 4, 17, 12, 30)],
    ['a day first', '17.05.2024', 'string', null],
    ['a date that no document can be of', '1850-01-01', 'string', null],
    ['a day that does not exist', '2024-13-45', 'string', null],
    ['a word of 26 letters', 'ABCDEFGHJKMNPQRSTVWXYZABCD', 'string', null],
    ['text', 'customer 17', 'string', null],
    ['a whole number', 17, 'wholeNumber', null],
    ['a Long', Long.fromNumber(17), 'wholeNumber', null],
    ['a fraction', 1.5, 'number', null],
    ['a decimal', Decimal128.fromString('2.5'), 'number', null],
    ['a boolean', false, 'boolean', null],
    ['bytes', new Binary(Buffer.alloc(16)), 'binary', null],
    ['an embedded document', { a: 1 }, 'object', null],
    ['an array', [1], 'other', null],
    ['nothing', undefined, 'none', null],
  ])('%s', (_, value, kind, time) => {
    const found = kindAndTime(value);
    // Identifiers carry seconds at the coarsest.
    const rounded = found.time === null ? null : Math.round(found.time / 1_000);
    expect({ kind: found.kind, time: rounded }).toEqual({
      kind,
      time: time === null ? null : Math.round(time / 1_000),
    });
  });

  it('holds for a KSUID of the current time only', () => {
    const random = new SeededRandom(3);
    const texts = Array.from({ length: 500 }, () =>
      ksuid({ ...birth, time: Date.UTC(2014, 6, 1) + random.next() * 2 ** 32 * 1_000 }),
    );
    expect(commonKind(texts.map((text) => kindAndTime(text).kind))).toBe('string');
  });
});

describe('the kind that nearly all values have', () => {
  it.each<[string, ValueKind[], ValueKind | null]>([
    ['nine of ten', [...Array<ValueKind>(9).fill('date'), 'string'], 'date'],
    ['eight of ten', [...Array<ValueKind>(8).fill('date'), 'string', 'string'], null],
    ['all that are there', ['none', 'none', 'none', 'uuid'], 'uuid'],
    ['none', ['none'], null],
  ])('of %s', (_, kinds, expected) => {
    expect(commonKind(kinds)).toBe(expected);
  });
});
