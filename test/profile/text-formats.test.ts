import { describe, expect, it } from 'vitest';
import { fieldTypesOf } from '../../src/profile/field-types.js';
import { textFormat, type TextFormat } from '../../src/profile/text-formats.js';
import { profileOf } from '../support/documents/profiles.js';

const days = (others: number) =>
  Array.from({ length: 200 }, (_, index) => ({ day: index < others ? 'unknown' : '2024-02-01', none: 'x', at: 1 }));

const formats = (others: number) => {
  const profile = profileOf(days(others));
  const sample = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 1 } as const;
  return fieldTypesOf({ profile, sample }).fields.map(({ path, textFormat: format }) => [path, format]);
};

describe('the format of a text', () => {
  it.each<[TextFormat | null, ...string[]]>([
    ['objectId', '65a1f00000000000000000ab', '65A1F00000000000000000AB'],
    ['uuid', '3f2504e0-4f89-11d3-9a0c-0305e82c3301', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'],
    ['date', '2024-02-01', '2024-02-01T09:30:00Z', '2024-02-01 09:30:00.123', '2024-02-01T09:30:00+02:00'],
    ['number', '0', '-7', '12.50', '0.5', '999999999999999'],
    [null, '', '-', '.', '1.', '.5', '1.2.3', '007', '1e5', '1,000', '+49', '1234567890123456', 'NaN'],
    [null, '65a1f00000000000000000a', '65a1f00000000000000000ag', '3f2504e0-4f89-11d3-9a0c-0305e82c330'],
    [null, '3f2504e0x4f89-11d3-9a0c-0305e82c3301', '2024-02-01x', '2024/02/01', '24-02-01-10', 'née-2024-01'],
  ])('%s', (format, ...texts) => {
    const found = texts.map((text) => {
      const bytes = Buffer.from(`xx${text}xx`);
      return textFormat(bytes, 2, bytes.length - 4);
    });
    expect(found).toEqual(texts.map(() => format));
  });

  it('is that of a field if all texts but one in a hundred have it', () => {
    expect(formats(2)).toEqual([
      ['day', 'date'],
      ['none', null],
      ['at', null],
    ]);
    expect(formats(3)).toContainEqual(['day', null]);
  });
});
