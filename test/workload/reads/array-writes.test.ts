import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { arrayWritesOf } from '../../../src/workload/reads/collection-reads.js';
import { operationShape } from '../../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';

const wholeBy = (u: Document | Document[]) =>
  arrayWritesOf([
    {
      shape: operationShape(
        { kind: 'update', namespace: 'shop.docs', command: { q: { _id: 1 }, u }, truncated: false },
        literalPlaceholder,
      ),
      figures: { profiler: { ...new FiguresSum().figures(), executions: 5 } },
    },
  ]).map(({ path, whole, added }) => ({ path, whole, added }));
const LINES = ['one', 'another one'];

describe('an array that an update sets as a whole', () => {
  it.each<[string, Document | Document[], string[]]>([
    ['by an operator', { $set: { lines: LINES } }, ['lines']],
    ['by a stage', [{ $set: { lines: LINES } }], ['lines']],
    [
      'by a literal of a stage',
      [{ $set: { rev: { $literal: 2 } } }, { $set: { lines: { $literal: LINES } } }],
      ['lines'],
    ],
    ['by a stage of the older name', [{ $addFields: { 'body.lines': { $literal: LINES } } }], ['body.lines']],
  ])('%s', (_, update, paths) => {
    expect(wholeBy(update)).toEqual(paths.map((path) => ({ path, whole: 5, added: 0 })));
  });

  it.each<[string, Document | Document[]]>([
    ['a stage that adds to it', [{ $set: { lines: { $concatArrays: ['$lines', LINES] } } }]],
    ['a stage that sets a text', [{ $set: { lines: { $literal: 'one' } } }]],
    ['a stage that removes it', [{ $unset: 'lines' }]],
  ])('is not: %s', (_, update) => {
    expect(wholeBy(update)).toEqual([]);
  });
});
