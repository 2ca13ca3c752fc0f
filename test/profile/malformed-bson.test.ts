import * as fc from 'fast-check';
import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { cstring, document, element, int32, object, string } from '../support/documents/bson-bytes.js';
import { profileOf, profileOfBytes } from '../support/documents/profiles.js';
import { anyDocument } from '../support/documents/random-documents.js';

const SEED = 3;
const twelveBytes = Array.from({ length: 12 }, () => 1);
const healthy = { _id: 1, name: 'secret', list: [1, 2], nested: { deep: [{ x: 1.5 }] } };

/** A document of one field `a` with the given bytes as its value. */
const withValue = (type: number, value: readonly number[]) => document(element(type, 'a', value));
const nestedObjects = (levels: number): number[] =>
  levels === 0 ? object() : object(element(0x03, 'a', nestedObjects(levels - 1)));

const malformed: readonly (readonly [string, Uint8Array, string])[] = [
  ['no bytes', new Uint8Array(0), 'shorter than the smallest document at byte 0'],
  ['four bytes', Uint8Array.from([4, 0, 0, 0]), 'shorter than the smallest document at byte 0'],
  ['a negative length', Uint8Array.from([...int32(-1), 0]), 'document length too small at byte 0'],
  ['a length of 0', Uint8Array.from([...int32(0), 0]), 'document length too small at byte 0'],
  [
    'a length beyond the bytes',
    Uint8Array.from([...int32(6), 0]),
    'document length beyond the end of the bytes at byte 0',
  ],
  ['trailing bytes', Uint8Array.from([...object(), 7]), 'bytes after the end of the document at byte 5'],
  ['no terminator', Uint8Array.from([...int32(5), 1]), 'document without terminator at byte 4'],
  [
    'a terminator too early',
    Uint8Array.from([...int32(7), 0, 0, 0]),
    'object or array ends before its length at byte 4',
  ],
  ['an unknown type', withValue(0x14, []), 'unknown type 0x14 at byte 7'],
  ['the highest unknown type', withValue(0xfe, [1, 2, 3, 4]), 'unknown type 0xfe at byte 7'],
  [
    'a name without an end',
    Uint8Array.from([...int32(8), 0x0a, 65, 65, 0]),
    'value runs past the end of its object or array at byte 8',
  ],
  ['a boolean of 2', withValue(0x08, [2]), 'boolean other than 0 or 1 at byte 7'],
  ['an int cut off', withValue(0x10, [1, 0]), 'value runs past the end of its object or array at byte 7'],
  ['a decimal cut off', withValue(0x13, twelveBytes), 'value runs past the end of its object or array at byte 7'],
  [
    'an ObjectId cut off',
    withValue(0x07, twelveBytes.slice(1)),
    'value runs past the end of its object or array at byte 7',
  ],
  ['a string without its length', withValue(0x02, [1, 0]), 'length runs past the end of its object or array at byte 7'],
  ['a string of length 0', withValue(0x02, [...int32(0), 0]), 'string length too small at byte 7'],
  ['a string of negative length', withValue(0x02, [...int32(-5), 65, 0]), 'string length too small at byte 7'],
  [
    'a string past the end',
    withValue(0x02, [...int32(100), 65, 0]),
    'string runs past the end of its object or array at byte 7',
  ],
  [
    'a string of the greatest length',
    withValue(0x02, [...int32(0x7fffffff), 65, 0]),
    'string runs past the end of its object or array at byte 7',
  ],
  ['a string without terminator', withValue(0x02, [...int32(2), 65, 66]), 'string without terminator at byte 12'],
  [
    'a symbol past the end',
    withValue(0x0e, [...int32(9), 65, 0]),
    'string runs past the end of its object or array at byte 7',
  ],
  [
    'a dbPointer without its id',
    withValue(0x0c, [...string('ns'), ...twelveBytes.slice(1)]),
    'string runs past the end of its object or array at byte 7',
  ],
  ['binary data of negative length', withValue(0x05, [...int32(-1), 0]), 'negative length of binary data at byte 7'],
  [
    'binary data past the end',
    withValue(0x05, [...int32(9), 0, 1]),
    'binary data runs past the end of its object or array at byte 7',
  ],
  ['a regex without options', withValue(0x0b, cstring('a')), 'regex without terminator at byte 7'],
  ['a regex without an end', withValue(0x0b, [65, 66]), 'regex without terminator at byte 7'],
  ['an object cut off', withValue(0x03, [5, 0, 0, 0]), 'object or array runs past the end of its parent at byte 7'],
  ['an object of length 4', withValue(0x03, [...int32(4), 0]), 'object or array length too small at byte 7'],
  ['an object of negative length', withValue(0x03, [...int32(-9), 0]), 'object or array length too small at byte 7'],
  [
    'an object longer than its parent',
    withValue(0x03, [...int32(7), 0]),
    'object or array length beyond the end of its parent at byte 7',
  ],
  ['an array without terminator', withValue(0x04, [...int32(5), 9]), 'object or array without terminator at byte 11'],
  [
    'an array that ends early',
    withValue(0x04, [...int32(6), 0, 0]),
    'object or array ends before its length at byte 11',
  ],
  [
    'code with scope cut off',
    withValue(0x0f, int32(14)),
    'code with scope runs past the end of its object or array at byte 7',
  ],
  [
    'code with scope too short',
    withValue(0x0f, [...int32(13), ...string(''), ...object()]),
    'length of code with scope too small at byte 7',
  ],
  [
    'code with scope past the end',
    withValue(0x0f, [...int32(90), ...string(''), ...object()]),
    'code with scope runs past the end of its object or array at byte 7',
  ],
  [
    'code longer than its scope',
    withValue(0x0f, [...int32(14), ...int32(9), 0, ...object()]),
    'length of code does not fit its scope at byte 11',
  ],
  [
    'code without terminator',
    withValue(0x0f, [...int32(14), ...int32(1), 65, ...object()]),
    'string without terminator at byte 15',
  ],
  [
    'a scope of another length',
    withValue(0x0f, [...int32(15), ...string(''), ...object(), 0]),
    'length of a scope does not fit its code at byte 16',
  ],
  [
    'a scope without terminator',
    withValue(0x0f, [...int32(14), ...string(''), ...int32(5), 9]),
    'object or array without terminator at byte 20',
  ],
  [
    'a scope that is damaged',
    withValue(0x0f, [...int32(17), ...string(''), ...object([0x14, 65, 0])]),
    'unknown type 0x14 at byte 23',
  ],
  ['501 levels', Uint8Array.from(nestedObjects(501)), 'more than 500 levels of nesting at byte 3500'],
  ['10,000 levels', deep(10_000), 'more than 500 levels of nesting at byte 3500'],
];

/** Objects nested so deep that building them by recursion would overflow the stack. */
function deep(levels: number): Uint8Array {
  const bytes = Buffer.alloc(levels * 8 + 5);
  for (let level = 0; level <= levels; level += 1) {
    bytes.writeInt32LE(bytes.length - level * 8, level * 7);
    if (level < levels) bytes.set([0x03, 0x61, 0], level * 7 + 4);
  }
  return bytes;
}

describe('a malformed document', () => {
  it.each(malformed)('with %s is counted, with what is wrong and where', (_, bytes, detail) => {
    expect(profileOfBytes([bytes]).malformed).toEqual({ documents: 1, detail });
  });

  it.each(malformed)('with %s leaves no other trace', (_, bytes) => {
    const alone = profileOf([healthy, { ...healthy, more: true }]);
    const raw = BSON.serialize(healthy);
    const among = profileOfBytes([bytes, raw, bytes, BSON.serialize({ ...healthy, more: true }), bytes]);
    expect(among).toEqual({
      ...alone,
      malformed: { documents: 3, detail: expect.stringMatching(/ at byte \d+$/) as string },
    });
  });

  it('damaged after fields that are sound leaves no trace of those either', () => {
    const raw = Buffer.from(BSON.serialize({ ...healthy, flag: true }));
    raw[raw.length - 2] = 9;
    const profiler = new DocumentProfiler();
    profiler.add(raw);
    expect([profiler.documents, profiler.bytes, profiler.profile().malformed.documents]).toEqual([0, 0, 1]);
    expect(profiler.profile()).toMatchObject({ paths: [], root: { distinctFields: 0 }, sizes: { count: 0 } });
  });

  it('is described by the first, and never by content', () => {
    const profile = profileOfBytes([withValue(0x08, [2]), withValue(0x14, [])]);
    expect(profile.malformed).toEqual({ documents: 2, detail: 'boolean other than 0 or 1 at byte 7' });
  });

  it('is none at 500 levels, which are walked to the end', () => {
    const profile = profileOfBytes([Uint8Array.from(nestedObjects(499))]);
    expect([profile.malformed.documents, profile.depth.max]).toEqual([0, 499]);
  });
});

/** A mutation of a document: bytes overwritten, cut off, or put in. */
const mutated = fc
  .tuple(
    anyDocument,
    fc.array(fc.tuple(fc.nat(1_000_000), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 2, 3, 4, 5, 0x7f, 0x80, 0xff))), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('keep', 'cut', 'insert'),
  )
  .map(([bytes, changes, action]) => {
    const result = [...bytes];
    for (const [place, byte] of changes) result[place % result.length] = byte;
    const [place, byte] = changes[0] as readonly [number, number];
    if (action === 'cut') result.length = place % result.length;
    if (action === 'insert') result.splice(place % result.length, 0, byte);
    if (action !== 'keep' && result.length >= 4) result.splice(0, 4, ...int32(result.length));
    return Uint8Array.from(result);
  });

/** The bytes in the middle of a buffer that is otherwise filled with one byte, or at its very end. */
function surrounded(bytes: Uint8Array, filler: number, after: number): Uint8Array {
  const buffer = new Uint8Array(64 + bytes.length + after).fill(filler);
  buffer.set(bytes, 64);
  return buffer.subarray(64, 64 + bytes.length);
}

function isSound(bytes: Uint8Array): boolean {
  return profileOfBytes([bytes]).documents === 1;
}

/** What the decoder finds wrong with content, which the server stores all the same. */
const CONTENT_ERRORS = /regular expression option|subtype 0x02/;

/** Whether the decoder of the driver refuses the structure; null where it refuses content before it has seen all of that. */
function isRefusedByDecoder(bytes: Uint8Array): boolean | null {
  try {
    BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true, validation: { utf8: false } });
    return false;
  } catch (error) {
    return CONTENT_ERRORS.test((error as Error).message) ? null : true;
  }
}

describe('damaged documents', () => {
  it('never throw, and never depend on what lies beyond their end', () => {
    let sound = 0;
    fc.assert(
      fc.property(mutated, (bytes) => {
        const profile = profileOfBytes([bytes]);
        expect(profile.documents + profile.malformed.documents).toBe(1);
        expect(profileOfBytes([surrounded(bytes, 0xff, 64)])).toEqual(profile);
        expect(profileOfBytes([surrounded(bytes, 0x00, 64)])).toEqual(profile);
        expect(profileOfBytes([surrounded(bytes, 0x01, 0)])).toEqual(profile);
        sound += profile.documents;
      }),
      { seed: SEED, numRuns: 300, endOnFailure: true },
    );
    expect(sound).toBeGreaterThan(10);
    expect(sound).toBeLessThan(290);
  });

  it('are refused where the decoder of the driver refuses their structure, and only there', () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        const refused = isRefusedByDecoder(bytes);
        fc.pre(refused !== null);
        expect(isSound(bytes)).toBe(!refused);
      }),
      { seed: SEED + 1, numRuns: 1_000, endOnFailure: true },
    );
  });

  it('among sound ones change nothing of their profile', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyDocument, mutated), { minLength: 1, maxLength: 6 }), (pairs) => {
        const all = pairs.flat();
        const { malformed: _, ...alone } = profileOfBytes(all.filter((bytes) => isSound(bytes)));
        const { malformed: counted, ...among } = profileOfBytes(all);
        expect(among).toEqual(alone);
        expect(counted.documents).toBe(all.filter((bytes) => !isSound(bytes)).length);
      }),
      { seed: SEED + 2, numRuns: 60, endOnFailure: true },
    );
  });
});
