import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { cstring, document, element, int32, object, string } from '../support/documents/bson-bytes.js';
import { at, pathsOf, profileOf, profileOfBytes } from '../support/documents/profiles.js';

const twelveBytes = Array.from({ length: 12 }, () => 1);
const int = (name: string, value = 1) => element(0x10, name, int32(value));

describe('deprecated and rare types', () => {
  it.each([
    ['undefined', 0x06, []],
    ['dbPointer', 0x0c, [...string('shop.orders'), ...twelveBytes]],
    ['symbol', 0x0e, string('sym')],
    ['javascript', 0x0d, string('f()')],
    ['javascriptWithScope', 0x0f, [...int32(4 + 8 + 12), ...string('f()'), ...object(int('x'))]],
    ['minKey', 0xff, []],
    ['maxKey', 0x7f, []],
    ['decimal', 0x13, [...twelveBytes, 0, 0, 0, 0]],
    ['timestamp', 0x11, [...int32(1), ...int32(2)]],
    ['regex', 0x0b, [...cstring('^a.*'), ...cstring('im')]],
    ['binData', 0x05, [...int32(8), 0x02, ...int32(4), 1, 2, 3, 4]],
    ['binData', 0x05, [...int32(0), 0x00]],
    ['null', 0x0a, []],
  ] as const)('%s is counted, and the fields after it are found', (type, code, value) => {
    const profile = profileOfBytes([document(element(code, 'odd', value), int('after'))]);
    expect(profile.malformed.documents).toBe(0);
    expect(at(profile, 'odd')).toMatchObject({ types: { [type]: 1 }, bytes: 1 + 4 + value.length });
    expect(at(profile, 'after').types).toEqual({ int: 1 });
  });

  it('code with a scope counts as one value: its variables are no fields and add no depth', () => {
    const code = element(0x0f, 'code', [
      ...int32(4 + 8 + 20),
      ...string('f()'),
      ...object(element(0x03, 'x', object(int('y')))),
    ]);
    const profile = profileOfBytes([document(code)]);
    expect([pathsOf(profile), profile.depth]).toEqual([['code'], { max: 1, path: 'code' }]);
  });
});

describe('field names', () => {
  it.each([
    ['', '[""]'],
    ['a.b', '["a.b"]'],
    ['*', '["*"]'],
    ['tags[]', '["tags[]"]'],
    ['$where', '$where'],
    ['na\u001bme', 'na\u001bme'],
    ['größe', 'größe'],
    ['订单', '订单'],
    ['x'.repeat(300), 'x'.repeat(300)],
  ])('%j reads as the path %j', (name, path) => {
    const profile = profileOfBytes(Array.from({ length: 5 }, () => document(element(0x03, name, object(int('x'))))));
    expect(pathsOf(profile)).toEqual([path, `${path}.x`]);
    expect(at(profile, path).occurrences).toBe(5);
  });

  it('that begin alike are told apart', () => {
    const names = ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdefgh', 'abcdefgi', 'b', 'A'];
    const documents = [names, names.toReversed(), names].map((each) => document(...each.map((name) => int(name))));
    const profile = profileOfBytes(documents);
    expect(pathsOf(profile)).toEqual(names);
    expect(profile.paths.map(({ occurrences, presence }) => [occurrences, presence])).toEqual(names.map(() => [3, 1]));
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'of %d bytes are not taken for a longer or shorter one that is expected',
    (length) => {
      const name = 'abcdefghi'.slice(0, length);
      const documents = [name, `${name}z`, name, name.slice(0, -1), `${name.slice(0, -1)}z`].map((each) =>
        document(int('x'), int(each)),
      );
      expect(profileOfBytes(documents).paths.map(({ occurrences }) => occurrences)).toEqual([5, 2, 1, 1, 1]);
    },
  );

  it('that are not UTF-8 are read with replacement characters', () => {
    const documents = Array.from({ length: 5 }, () => Uint8Array.from(object([0x0a, 0xff, 0x41, 0])));
    expect(pathsOf(profileOfBytes(documents))).toEqual(['\ufffdA']);
  });

  it('repeated within one object are duplicates and do not raise the presence', () => {
    const profile = profileOfBytes([document(int('a'), int('b'), int('a'), int('a')), document(int('b'))]);
    expect(at(profile, 'a')).toMatchObject({ occurrences: 3, documents: 1, duplicates: 2, presence: 0.5 });
    expect(at(profile, 'b')).toMatchObject({ occurrences: 2, documents: 2, duplicates: 0, presence: 1 });
    expect(profile.root).toMatchObject({ distinctFields: 2, fields: { max: 4 } });
  });

  it('repeated in different objects of one document are none', () => {
    const profile = profileOf([{ items: [{ a: 1 }, { a: 2 }, {}, { b: 1 }] }]);
    expect(at(profile, 'items[].a')).toMatchObject({ occurrences: 2, documents: 1, duplicates: 0, presence: 0.5 });
  });

  it('of a repeated object count per object', () => {
    const profile = profileOfBytes([
      document(element(0x03, 'o', object(int('x'))), element(0x03, 'o', object(int('x')))),
    ]);
    expect(at(profile, 'o')).toMatchObject({ occurrences: 2, duplicates: 1, presence: 1 });
    expect(at(profile, 'o.x')).toMatchObject({ occurrences: 2, duplicates: 0, presence: 1 });
  });
});

describe('arrays', () => {
  it('are read in order whatever their keys are', () => {
    const array = element(0x04, 'list', object(int('7'), int(''), int('seven'), element(0x02, '0', string('x'))));
    expect(at(profileOfBytes([document(array)]), 'list').array).toMatchObject({
      lengths: { max: 4 },
      elementTypes: { int: 3, string: 1 },
    });
  });

  it('within arrays, empty ones and mixed ones are all counted', () => {
    const profile = profileOf([{ m: [[1, 2], [], [3]] }, { m: [] }, { m: 'none' }, { m: [{ n: [1] }] }]);
    expect(pathsOf(profile)).toEqual(['_id', 'm', 'm[]', 'm[].n', 'm[].n[]', 'm[][]'].slice(1));
    expect(at(profile, 'm')).toMatchObject({
      types: { array: 3, string: 1 },
      array: { lengths: { count: 3, sum: 4, min: 0, max: 3 } },
    });
    expect(at(profile, 'm[]')).toMatchObject({
      types: { array: 3, object: 1 },
      documents: 2,
      array: { lengths: { count: 3, sum: 3 } },
    });
    expect(at(profile, 'm').array?.bytesPerDocument.count).toBe(3);
  });

  it('repeated under one name add up per document', () => {
    const array = object(int('0'));
    const bytes = document(element(0x04, 'a', array), element(0x04, 'a', array));
    const { array: found } = at(profileOfBytes([bytes]), 'a');
    expect(found?.bytesPerDocument).toMatchObject({ count: 1, max: 2 * array.length });
    expect(found?.shareOfDocument.max).toBe((2 * array.length) / bytes.length);
  });

  it('that grow with their documents correlate with their size', () => {
    const documents = Array.from({ length: 20 }, (_, index) => ({
      fixed: [1, 2, 3],
      growing: Array.from({ length: index }, () => 1),
    }));
    const profile = profileOf(documents);
    expect(at(profile, 'growing').array?.sizeCorrelation).toBeCloseTo(1, 2);
    expect(at(profile, 'fixed').array?.sizeCorrelation).toBeNull();
  });
});

describe('values', () => {
  it('that are not finite are no numbers between a minimum and a maximum', () => {
    const documents = [NaN, Infinity, -Infinity, 1.5, -2].map((value) => ({ x: new BSON.Double(value) }));
    const profile = profileOf(documents);
    expect(at(profile, 'x').types).toEqual({ double: 5 });
    expect(at(profile, 'x').values?.numbers).toEqual({ count: 2, min: -2, max: 1.5, whole: 1 });
    expect(at(profileOf([{ x: new BSON.Double(NaN) }]), 'x').values?.numbers).toBeUndefined();
  });

  it('of dates before 1970 and of longs are read with their sign', () => {
    const profile = profileOf([{ d: new Date(-1), l: BSON.Long.fromString('-9007199254740993') }]);
    expect(at(profile, 'd').values?.dates).toEqual({ count: 1, min: -1, max: -1, monthPast: 1 });
    expect(at(profile, 'l').values?.numbers?.min).toBe(-9_007_199_254_740_992);
  });
});

describe('depth and weight', () => {
  it.each([
    [{}, { max: 0, path: null }],
    [{ a: 1 }, { max: 1, path: 'a' }],
    [{ a: {} }, { max: 1, path: 'a' }],
    [{ a: [] }, { max: 1, path: 'a' }],
    [{ a: [{}] }, { max: 2, path: 'a[]' }],
    [
      { a: { b: [{ c: 1 }] }, z: { y: 1 } },
      { max: 4, path: 'a.b[].c' },
    ],
  ])('of %j is %j', (value, depth) => {
    expect(profileOf([value]).depth).toEqual(depth);
  });

  it.each([
    ['the heaviest top-level path', { a: 'x'.repeat(10), b: 'x'.repeat(500) }, 'b', 1 + 2 + 4 + 501],
    [
      'a deeper path that holds most of it',
      { a: { meta: 1, posts: [{ text: 'x'.repeat(500), n: 1 }] } },
      'a.posts[].text',
      1 + 5 + 4 + 501,
    ],
    [
      'not a deeper path that holds a part of it',
      { a: { one: 'x'.repeat(300), two: 'x'.repeat(300) } },
      'a',
      3 + 5 + 2 * (5 + 4 + 301),
    ],
    [
      'an array, not its elements',
      { a: Array.from({ length: 100 }, () => 1) },
      'a',
      3 + 5 + 10 * (1 + 2 + 4) + 90 * (1 + 3 + 4),
    ],
  ])('of the largest document: %s', (_, largest, heaviestPath, heaviestPathBytes) => {
    const profile = profileOf([{ other: 'x'.repeat(60) }, largest, { a: 1 }]);
    expect(profile.largest).toEqual({ bytes: BSON.serialize(largest).length, heaviestPath, heaviestPathBytes });
  });

  it('of no documents', () => {
    expect(profileOf([])).toMatchObject({
      documents: 0,
      bytes: 0,
      paths: [],
      depth: { max: 0, path: null },
      largest: { bytes: 0, heaviestPath: null, heaviestPathBytes: 0 },
      malformed: { documents: 0, detail: null },
      limits: [],
    });
  });
});
