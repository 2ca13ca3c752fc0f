import { describe, expect, it } from 'vitest';
import { type FieldType, type FieldTypes, HeldFieldTypes } from '../../src/profile/field-types.js';

const typesOf = (number: number): FieldTypes => ({
  documents: 3 + number,
  complete: number % 2 === 0,
  fields: [
    {
      path: `é.${number}[].\u2028*`,
      types: { string: 2, null: 1 },
      documents: 3,
      elementsPerArray: null,
      longestString: 17,
      averageString: 1 / 3,
      shareOfBytes: 0.1 + 0.2,
    },
  ],
});

describe('HeldFieldTypes', () => {
  it('gives the same field types for collections that were asked for long ago', () => {
    const given = Array.from({ length: 2_600 }, (_, number) => typesOf(number));
    const held = new HeldFieldTypes();
    const kept = given.map((one) => held.held(one));
    expect(kept).toEqual(given);
    expect(kept.toReversed().map(({ fields }) => fields)).toEqual(given.toReversed().map(({ fields }) => fields));
    expect(JSON.parse(JSON.stringify(kept[7]))).toEqual(given[7]);
  });

  it('leaves evidence of an older version as it is', () => {
    const [{ averageString: _, ...older }] = typesOf(1).fields as [FieldType];
    expect(new HeldFieldTypes().held({ documents: 1, complete: true, fields: [older] }).fields).toEqual([older]);
  });
});
