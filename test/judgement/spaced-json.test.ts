import { expect, it } from 'vitest';
import { spacedJson } from '../../src/judgement/shell-statement.js';

it.each<[unknown, string]>([
  [{}, '{}'],
  [[], '[]'],
  [{ a: 1 }, '{ "a": 1 }'],
  [
    [{ $match: { a: { $in: ['x', 2] } } }, { $limit: 5 }],
    '[{ "$match": { "a": { "$in": ["x", 2] } } }, { "$limit": 5 }]',
  ],
  [[[1], []], '[[1], []]'],
  [{ 'a[\n ]': '[\n  {"b":1}\n]', c: undefined }, String.raw`{ "a[\n ]": "[\n  {\"b\":1}\n]" }`],
])('%j is written with spaces', (value, text) => {
  expect(spacedJson(value)).toBe(text);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
});
