import { describe, expect, it } from 'vitest';
import type { FieldType, TypeCounts } from '../../../src/check.js';
import { holdsArrays, joinedValues, valuesAt } from '../../../src/judgement/joins/joined-values.js';

function fields(types: Readonly<Record<string, TypeCounts>>, elements: Readonly<Record<string, number>> = {}) {
  return {
    documents: 100,
    complete: true,
    fields: Object.entries(types).map(([path, counts]): FieldType => ({
      path,
      types: counts,
      documents: Math.min(
        100,
        Object.values(counts).reduce((sum, count) => sum + count, 0),
      ),
      elementsPerArray: elements[path] ?? null,
      longestString: null,
    })),
  };
}

const ITEMS = fields(
  { items: { array: 100 }, 'items[]': { object: 300 }, 'items[].product': { objectId: 290, null: 10 } },
  { items: 3 },
);
const TAGS = fields({ tags: { array: 60, string: 20 }, 'tags[]': { string: 180 } }, { tags: 3 });

describe('the values at a path', () => {
  it.each([
    [
      'of scalars',
      fields({ customer: { int: 90, string: 10 } }),
      'customer',
      [],
      { types: { int: 90, string: 10 }, elementTypes: {}, isMissing: false, elementsPerArray: null },
    ],
    [
      'that some documents lack',
      fields({ customer: { int: 90 } }),
      'customer',
      [],
      { types: { int: 90 }, elementTypes: {}, isMissing: true, elementsPerArray: null },
    ],
    [
      'of arrays among scalars',
      TAGS,
      'tags',
      [],
      { types: { array: 60, string: 20 }, elementTypes: { string: 180 }, isMissing: false, elementsPerArray: 3 },
    ],
    [
      'of arrays that were unwound',
      TAGS,
      'tags',
      ['tags'],
      { types: { string: 200 }, elementTypes: {}, isMissing: false, elementsPerArray: null },
    ],
    [
      'below an array',
      ITEMS,
      'items.product',
      [],
      { types: { array: 100 }, elementTypes: { objectId: 290, null: 10 }, isMissing: false, elementsPerArray: 3 },
    ],
    [
      'below an array that was unwound',
      ITEMS,
      'items.product',
      ['items'],
      { types: { objectId: 290, null: 10 }, elementTypes: {}, isMissing: false, elementsPerArray: null },
    ],
  ] as const)('%s', (_, types, path, unwound, expected) => {
    expect(valuesAt(types, path, unwound)).toEqual(expected);
  });

  it('are not known where the sample has none', () => {
    expect(valuesAt(ITEMS, 'other')).toBeNull();
    expect(holdsArrays(ITEMS, 'other')).toBeUndefined();
  });

  it.each([
    ['items.product', true],
    ['items', true],
    ['_id', undefined],
  ])('hold arrays on the way to %s: %s', (path, expected) => {
    expect(holdsArrays(ITEMS, path)).toBe(expected);
  });
});

const origin = (conversion: string | null) =>
  ({ traced: true, namespace: 'shop.orders', path: 'customer', conversion }) as const;

describe('converted values', () => {
  const texts = fields({ customer: { string: 90, null: 10 } });

  it.each([
    [null, { string: 90, null: 10 }],
    ['$toObjectId', { objectId: 90, null: 10 }],
    ['$convert to date', { date: 90, null: 10 }],
  ])('%s', (conversion, types) => {
    expect(joinedValues(origin(conversion), texts)?.types).toEqual(types);
  });

  it('are not known where the operator is not, or the field is not traced', () => {
    expect(joinedValues(origin('$convert'), texts)).toBeNull();
    expect(joinedValues({ traced: false, because: 'computed', stage: null }, texts)).toBeNull();
    expect(joinedValues(origin(null), null)).toBeNull();
  });
});
