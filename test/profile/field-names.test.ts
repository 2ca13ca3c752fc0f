import { describe, expect, it } from 'vitest';
import { commonPattern, judgeFieldNames, type JudgedField } from '../../src/profile/field-names.js';
import { namePattern } from '../../src/workload/data-name.js';

describe('a field name', () => {
  it.each([
    ['0', 'number'],
    ['-7', 'number'],
    ['20240131', 'number'],
    ['507f1f77bcf86cd799439011', 'objectId'],
    ['507F1F77BCF86CD799439011', 'objectId'],
    ['0a0e1c7e-5b5f-4c3a-9d7e-2f1f0c7e5b5f', 'uuid'],
    ['0a0e1c7e5b5f4c3a9d7e2f1f0c7e5b5f', 'uuid'],
    ['2024-01-31', 'date'],
    ['2024_01', 'date'],
    ['2024/1/5', 'date'],
    ['2024-01-31T10:00:00Z', 'date'],
    ['2024-W05', 'date'],
    ['2024-Q1', 'date'],
    ['bob@example.com', 'email'],
    ['bob@example_com', 'email'],
  ])('%s is a %s', (name, pattern) => {
    expect(namePattern(name)).toBe(pattern);
  });

  it.each([
    '',
    'name',
    'address2',
    '@type',
    'a@',
    'v1.2',
    '1.5',
    'deadbeef',
    '2024-13',
    '2024-01_05',
    '3024-01',
    '_id',
    '507f1f77bcf86cd79943901',
  ])('%j may be given by people', (name) => {
    expect(namePattern(name)).toBeNull();
  });

  it('of a set has their common pattern if four in five share it', () => {
    expect(commonPattern(['1', '2', '3', '4', 'total'])).toBe('number');
    expect(commonPattern(['1', '2', '3', 'sum', 'total'])).toBe('mixed');
    expect(commonPattern([])).toBe('mixed');
  });

  it.each([
    [['S1000', 'S1001', 'S17', 'S1345', 'S2'], 'numbered'],
    [['ORD-2024-1', 'ORD-2024-2', 'ORD-2025-7', 'ORD-2025-70', 'total'], 'numbered'],
    [['S1', 'S2', 'S3', 'S4'], 'mixed'],
    [['a1', 'b2', 'c3', 'd4', 'e5'], 'mixed'],
    [['north', 'south', 'east', 'west', 'up'], 'mixed'],
    [['1', '2', '3', '4', '5'], 'number'],
  ])('%j are %s', (names, pattern) => {
    expect(commonPattern(names)).toBe(pattern);
  });
});

type FieldFacts = Partial<JudgedField> | ((index: number) => Partial<JudgedField>);

function fields(count: number, name: (index: number) => string, facts: FieldFacts): JudgedField[] {
  return Array.from({ length: count }, (_, index) => {
    const given = typeof facts === 'function' ? facts(index) : facts;
    return {
      name: name(index),
      presence: 1,
      shareOfAll: 1,
      settled: true,
      kind: 'string',
      fields: new Map(),
      ...given,
    };
  });
}

const word = (index: number) => `name${index}`;
const digits = (index: number) => String(index);
const atEnd = { count: 100, fieldsPerKnownField: 1, namesAreData: false, final: true, shown: true };
const inBetween = { count: 100, fieldsPerKnownField: 1, namesAreData: false, final: false, shown: false };

function judged(given: readonly JudgedField[], objects = atEnd): number {
  return judgeFieldNames(given, objects).namedByData.size;
}

const KINDS = ['string', 'number', 'bool', 'date', 'array of string', 'objectId', 'object'];
const kind = (index: number) => KINDS[index % KINDS.length] as string;

const phone = (facts: Partial<JudgedField>) => [...fields(1, () => '+4917012345N', facts), ...fields(3, word, {})];

describe('field names are data', () => {
  it.each([
    ['where five match a pattern, present everywhere or not', fields(5, digits, {}), 5],
    [
      'where four in five match, without the one that all objects share',
      [...fields(8, digits, { presence: 0.2 }), ...fields(2, word, {})],
      8,
    ],
    [
      'where four in five match, with those that do not and are uncommon',
      [...fields(8, digits, { presence: 0.2 }), ...fields(2, word, { presence: 0.3 })],
      10,
    ],
    ['where thirty are rare and alike', fields(30, word, { presence: 0.05 }), 30],
    [
      'where thirty are rare and alike, beside fields that all objects share',
      [...fields(30, word, { presence: 0.05 }), ...fields(9, (index) => `f${index}`, {})],
      30,
    ],
    [
      'where they are of the kind of thirty rare ones, and uncommon',
      [...fields(30, word, { presence: 0.05 }), ...fields(4, (index) => `f${index}`, { presence: 0.3 })],
      34,
    ],
    [
      'where thirty rare objects have one shape',
      fields(30, word, {
        presence: 0.05,
        kind: 'object',
        fields: new Map([
          ['a', 'string'],
          ['b', 'number'],
        ]),
      }),
      30,
    ],
    [
      'where over 200 are rare, of whatever kind',
      fields(201, word, (index) => ({ presence: 0.01, kind: kind(index) })),
      201,
    ],
    ['where over 200 are alike and uncommon', fields(201, word, { presence: 0.3 }), 201],
    ['where they are an id or an address, be there only one', fields(1, () => 'bob@example.com', {}), 1],
  ])('%s', (_, given, count) => {
    expect(judged(given)).toBe(count);
  });

  it('where few could be told apart, and they stand for many', () => {
    const given = fields(8, word, { presence: 0.02 });
    expect(judged(given)).toBe(0);
    expect(judged(given, { ...atEnd, fieldsPerKnownField: 5 })).toBe(8);
  });

  it('below an object whose fields are data in turn', () => {
    const scores = fields(30, word, (index) => ({
      presence: 0.05,
      kind: 'object',
      fields: new Map([
        [`x${index}`, 'number'],
        [`y${index}`, 'number'],
      ]),
    }));
    expect(judged(scores)).toBe(30);
  });
});

describe('field names are schema', () => {
  it.each([
    ['where four match a pattern', fields(4, digits, {})],
    ['where too few of them match a pattern', [...fields(6, digits, {}), ...fields(4, word, {})]],
    ['where 300 are held by every object', fields(300, word, {})],
    [
      'where 300 are held by every object, and some optional ones by few',
      [...fields(300, word, {}), ...fields(25, (index) => `o${index}`, { presence: 0.02 })],
    ],
    [
      'where 40 are optional and of different kinds',
      fields(40, word, (index) => ({ presence: 0.05, kind: kind(index) })),
    ],
    [
      'where 40 are optional objects of different shapes',
      fields(40, word, (index) => ({
        presence: 0.05,
        kind: 'object',
        fields: new Map([
          [`a${index}`, 'string'],
          [`b${index}`, 'number'],
          [`c${index}`, 'date'],
        ]),
      })),
    ],
    ['where 29 are rare and alike', fields(29, word, { presence: 0.05 })],
    ['where thirty are alike and not rare', fields(40, word, { presence: 0.25 })],
    ['where there are none', []],
  ])('%s', (_, given) => {
    expect(judgeFieldNames(given, atEnd)).toEqual({ namedByData: new Set(), namesAreData: false });
  });
});

describe('a name that looks like data by itself', () => {
  it.each([
    ['is data where few objects hold it', 0.4, { ...atEnd, count: 5 }, 1],
    ['is data where there are few objects, though all hold it', 1, { ...atEnd, count: 4 }, 1],
    ['is schema where half of five objects hold it', 0.5, { ...atEnd, count: 5 }, 0],
    ['is kept while documents are read', 0.4, inBetween, 0],
  ])('%s', (_, shareOfAll, objects, count) => {
    expect(judged(phone({ presence: shareOfAll, shareOfAll }), objects)).toBe(count);
  });

  it('does not make the others data', () => {
    expect(judgeFieldNames(phone({ presence: 0.1, shareOfAll: 0.1 }), atEnd)).toMatchObject({ namesAreData: false });
  });
});

describe('while documents are still being read', () => {
  it.each([
    ['sparse names are kept', fields(100, word, { presence: 0.05 }), 0],
    ['a crowd of rare names is folded', fields(201, word, { presence: 0.05 }), 201],
    ['names that are too new to tell are kept', fields(400, word, { presence: 0.05, settled: false }), 0],
    ['names of a pattern are folded', fields(6, digits, { settled: false }), 6],
  ])('%s', (_, given, count) => {
    expect(judged(given, inBetween)).toBe(count);
  });

  it('names are data for good once they were', () => {
    const given = [
      ...fields(3, word, { presence: 0.4 }),
      ...fields(2, digits, {}),
      ...fields(2, (index) => `f${index}`, {}),
    ];
    const { namedByData, namesAreData } = judgeFieldNames(given, { ...inBetween, namesAreData: true });
    expect([[...namedByData].map(({ name }) => name).sort(), namesAreData]).toEqual([
      ['0', '1', 'name0', 'name1', 'name2'],
      true,
    ]);
  });

  it('a single name that is an id does not make the others data', () => {
    const given = [...fields(9, word, {}), ...fields(1, () => '507f1f77bcf86cd799439011', {})];
    expect(judgeFieldNames(given, atEnd)).toMatchObject({ namesAreData: false });
  });
});
