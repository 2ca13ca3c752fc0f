import { describe, expect, it } from 'vitest';
import { parseShardKey } from '../../src/cli/shard-key-command.js';

describe('a shard key as an argument', () => {
  it.each([
    '{ a: 1, a: "hashed" }',
    '{ a: 1, b: 1, a: 1 }',
    "{ a: 1, 'a': 1 }",
    'a: 1, "a": hashed',
    '{ "a:b": 1, "a:b": 1 }',
    '{ "a\\"b": 1, \'a"b\': 1 }',
  ])('is refused if it names a field twice: %s', (text) => {
    expect(() => parseShardKey(text)).toThrow(/^A shard key can have each field only once\. Write the key/);
  });

  it.each<[string, readonly [path: string, hashed: boolean][]]>([
    ['{ "x: hashed, y": 1 }', [['x: hashed, y', false]]],
    [
      "{ 'x: hashed}': 1, z: hashed }",
      [
        ['x: hashed}', false],
        ['z', true],
      ],
    ],
    ['{ "it\'s: hashed, ": hashed }', [["it's: hashed, ", true]]],
    ['{ "a\\": hashed, ": 1 }', [['a": hashed, ', false]]],
    [
      '{ "a:b": 1, "c::d": "hashed" }',
      [
        ['a:b', false],
        ['c::d', true],
      ],
    ],
    [
      'tenant: 1, _id: hashed',
      [
        ['tenant', false],
        ['_id', true],
      ],
    ],
    ['{ hashed: hashed }', [['hashed', true]]],
    ['{ hashed: 1 }', [['hashed', false]]],
  ])('may have quotes around names, and none around hashed: %s', (text, fields) => {
    expect(parseShardKey(text)).toEqual(fields.map(([path, hashed]) => ({ path, hashed })));
  });
});
