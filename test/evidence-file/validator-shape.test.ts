import { describe, expect, it } from 'vitest';
import { validatorShape } from '../../src/evidence-file/validator-shape.js';

describe('a validator in an evidence file', () => {
  it('names fields and types, and holds no value', () => {
    const shape = validatorShape({
      $jsonSchema: {
        bsonType: 'object',
        title: 'secret',
        required: ['status', 'total'],
        additionalProperties: false,
        properties: {
          status: { enum: ['secret', 'open'], description: 'secret' },
          total: { bsonType: ['int', 'long'], minimum: 4711 },
          lines: { bsonType: 'array', maxItems: 4711, items: { bsonType: 'string', pattern: '^secret' } },
        },
        dependencies: { status: ['total'] },
        patternProperties: { '^secret': { bsonType: 'int' } },
        anyOf: [{ properties: { kind: { enum: ['secret'] } } }],
      },
      $expr: { $gt: ['$total', 4711] },
      kind: { $in: ['secret'] },
      note: { $not: { $regex: 'secret' } },
    });
    expect(JSON.stringify(shape)).not.toMatch(/secret|4711/);
    expect(shape).toEqual({
      kind: { $in: ['?string'] },
      note: { $not: { $regex: '?string' } },
      $expr: { $gt: ['$total', '?number'] },
      $jsonSchema: {
        bsonType: 'object',
        title: '?string',
        required: ['status', 'total'],
        additionalProperties: false,
        properties: {
          status: { enum: '?array<?string>', description: '?string' },
          total: { bsonType: ['int', 'long'], minimum: '?number' },
          lines: { bsonType: 'array', maxItems: '?number', items: { bsonType: 'string', pattern: '?string' } },
        },
        dependencies: { status: ['total'] },
        patternProperties: '?object',
        anyOf: [{ properties: { kind: { enum: '?array<?string>' } } }],
      },
    });
  });

  it('is none that says nothing', () => {
    expect(validatorShape({})).toEqual({});
  });
});
