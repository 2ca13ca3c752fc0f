import { describe, expect, it } from 'vitest';
import { brokenCode } from '../../src/report/remedy-steps.js';
import { textWidth } from '../../src/report/text-layout.js';
import * as fc from '../support/fast-check.js';

const UPDATE = '{ $push: { posts: { $each: [element], $sort: { createdAt: 1 }, $slice: -20 } } }';

describe('brokenCode', () => {
  it('leaves alone what fits', () => {
    expect(brokenCode([UPDATE, '  x'], 80)).toEqual([UPDATE, '  x']);
  });

  it('breaks between the members of brackets, and only as deep as it must', () => {
    expect(brokenCode([UPDATE], 78)).toEqual([
      '{',
      '  $push: { posts: { $each: [element], $sort: { createdAt: 1 }, $slice: -20 } }',
      '}',
    ]);
    expect(brokenCode([UPDATE], 40)).toEqual([
      '{',
      '  $push: {',
      '    posts: {',
      '      $each: [element],',
      '      $sort: { createdAt: 1 },',
      '      $slice: -20',
      '    }',
      '  }',
      '}',
    ]);
  });

  it('breaks the widest of several brackets, at the indentation of the line', () => {
    expect(
      brokenCode(['  db.getSiblingDB("shop").getCollection("a, b").updateMany({}, { $unset: { a: "" } });'], 60),
    ).toEqual([
      '  db.getSiblingDB("shop").getCollection("a, b").updateMany(',
      '    {},',
      '    { $unset: { a: "" } }',
      '  );',
    ]);
  });

  it.each([
    ['a comment', `${UPDATE} // keep { the newest`],
    ['a regular expression', `db.c.find({ name: /[{(]/, other: "and so on and on" })`],
    ['a template', 'db.c.find({ name: `${x}`, other: "and so on and on and on" })'],
    ['brackets that do not match', `db.c.find({ name: 1, other: "and so on and on"`],
    ['brackets in the wrong order', `db.c.find({ name: [1, 2}], other: "and so on and on" )`],
    ['no brackets', `mongolint shard-key "shop.orders" '{"customerId":1}' --with-a-long-option`],
    ['nothing in its brackets', `aVeryLongNameOfAFunctionThatCannotBeBrokenAnywhere()`],
  ])('leaves alone a line with %s', (_, line) => {
    expect(brokenCode([line], 30)).toEqual([line]);
  });

  it('means the same, and is within the width if every member is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 100 }), (value, width) => {
        const lines = brokenCode([`(${JSON.stringify(value)})`], width);
        expect(JSON.stringify(JSON.parse(lines.join('\n').trim().slice(1, -1)))).toBe(JSON.stringify(value));
      }),
    );
    expect(Math.max(...brokenCode([UPDATE], 32).map(textWidth))).toBeLessThanOrEqual(32);
  });
});
