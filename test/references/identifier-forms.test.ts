import { Binary, Double, Int32, Long, ObjectId, UUID } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { formsOf, identifierForms, identifierKey } from '../../src/references/identifier-forms.js';

const HEX = '64f1c0ffee64f1c0ffee64f1';
const UUID_TEXT = '0189f7ea-ae2c-7b2c-9b0d-3f0a1c2d3e4f';

describe('the forms of a value', () => {
  it.each<[string, unknown, readonly (readonly [key: string, conversion: string | null])[]]>([
    [
      'an ObjectId',
      new ObjectId(HEX),
      [
        [`objectId ${HEX}`, null],
        [`string ${HEX}`, 'objectId to string'],
      ],
    ],
    [
      'the text of an ObjectId',
      HEX,
      [
        [`string ${HEX}`, null],
        [`objectId ${HEX}`, 'string to objectId'],
      ],
    ],
    [
      'a UUID',
      new UUID(UUID_TEXT),
      [
        [`binData 4 ${UUID_TEXT.replaceAll('-', '')}`, null],
        [`string ${UUID_TEXT}`, 'UUID to string'],
      ],
    ],
    [
      'the text of a UUID',
      UUID_TEXT,
      [
        [`string ${UUID_TEXT}`, null],
        [`binData 4 ${UUID_TEXT.replaceAll('-', '')}`, 'string to UUID'],
      ],
    ],
    [
      'a whole number',
      new Int32(42),
      [
        ['number 42', null],
        ['string 42', 'number to string'],
      ],
    ],
    [
      'a whole double',
      new Double(42),
      [
        ['number 42', null],
        ['string 42', 'number to string'],
      ],
    ],
    [
      'a long',
      Long.fromString('9007199254740993'),
      [
        ['number 9007199254740993', null],
        ['string 9007199254740993', 'number to string'],
      ],
    ],
    [
      'the text of a number',
      '42',
      [
        ['string 42', null],
        ['number 42', 'string to number'],
      ],
    ],
    ['text that is no number', '042', [['string 042', null]]],
    ['other text', 'lamp', [['string lamp', null]]],
    ['other binary data', new Binary(Buffer.from('ab'), 0), [['binData 0 6162', null]]],
    ['a fraction', new Double(1.5), []],
    ['a boolean', true, []],
    ['a date', new Date(), []],
    ['null', null, []],
    ['nothing', undefined, []],
    ['an object', { a: 1 }, []],
  ])('%s', (_, value, expected) => {
    expect(identifierForms(value).map(({ key, conversion }) => [key, conversion])).toEqual(expected);
  });

  it.each([new ObjectId(HEX), HEX, new UUID(UUID_TEXT), UUID_TEXT, new Int32(42), '42'])(
    'lead to values that have those keys',
    (value) => {
      for (const form of identifierForms(value)) expect(identifierKey(form.value)).toBe(form.key);
    },
  );

  it("are those of a collection's families, or all where these are not known", () => {
    const forms = identifierForms(HEX);
    expect(formsOf(forms, new Set(['objectId'])).map(({ conversion }) => conversion)).toEqual(['string to objectId']);
    expect(formsOf(forms, new Set(['string', 'number'])).map(({ conversion }) => conversion)).toEqual([null]);
    expect(formsOf(forms, null)).toEqual(forms);
  });
});
