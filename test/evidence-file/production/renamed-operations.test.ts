import { describe, expect, it } from 'vitest';
import { databaseMap } from '../../../src/evidence-file/production/database-map.js';
import { namesHere } from '../../../src/evidence-file/production/joined-workload.js';
import { renamed } from '../../../src/evidence-file/renamed.js';
import type { PipelineShape } from '../../../src/workload/shapes/shape.js';
import { operationSchema } from '../../../src/workload/workload-schema.js';
import {
  type OperationShape,
  resolvedViewSchema,
  type SourcePart,
  workloadSourceSchema,
} from '../../../src/workload/workload.js';
import { pipelineOf, shapeOf } from '../../support/workload/shapes.js';

const NAMES = namesHere(databaseMap(['shop_test=shop']));
const operationOf = (shape: OperationShape) => renamed({ shape, figures: {} }, operationSchema, NAMES);
const shapeHere = (...pipeline: object[]) => operationOf(shapeOf('aggregate', { pipeline }))?.shape;
const stages = (pipeline: object[]) => JSON.parse(JSON.stringify(shapeHere(...pipeline)?.pipeline)) as object[];

const JOIN = { from: 'payments', localField: '_id', foreignField: 'order', as: 'payments' };

describe('an operation of production', () => {
  it('is one on the database of here', () => {
    expect(shapeHere({ $match: { a: 1 } })?.namespace).toBe('shop_test.orders');
  });

  it.each([
    ['$lookup', [{ $lookup: JOIN }], '"from":"shop_test.payments"'],
    [
      '$graphLookup',
      [{ $graphLookup: { ...JOIN, startWith: '$a', connectFromField: 'a', connectToField: 'b' } }],
      '"from":"shop_test.payments"',
    ],
    ['$unionWith', [{ $unionWith: 'archive' }], '"coll":"shop_test.archive"'],
    ['$out', [{ $out: 'totals' }], '"$out":"shop_test.totals"'],
    ['$merge', [{ $merge: { into: 'totals' } }], '"into":"shop_test.totals"'],
    [
      'a pipeline in $lookup',
      [{ $lookup: { from: 'a', pipeline: [{ $lookup: JOIN }], as: 'a' } }],
      '"from":"shop_test.payments"',
    ],
    [
      'a pipeline in $unionWith',
      [{ $unionWith: { coll: 'a', pipeline: [{ $lookup: JOIN }] } }],
      '"from":"shop_test.payments"',
    ],
    ['$facet', [{ $facet: { one: [{ $lookup: JOIN }] } }], '"from":"shop_test.payments"'],
    [
      'another database that both have',
      [{ $merge: { into: { db: 'stock', coll: 'totals' } } }],
      '"into":"stock.totals"',
    ],
    [
      'a database whose name is another one here',
      [{ $merge: { into: { db: 'shop_test', coll: 'totals' } } }],
      '"into":"?namespace"',
    ],
  ])('names collections of here in %s', (_, pipeline, expected) => {
    const text = JSON.stringify(stages(pipeline));
    expect(text).toContain(expected);
    expect(text).not.toContain('"shop.');
  });

  it('leaves fields and values alone that look like collections', () => {
    expect(stages([{ $match: { from: 'shop.payments' } }, { $group: { _id: '$shop.into' } }])).toEqual(
      JSON.parse(JSON.stringify(pipelineOf({ $match: { from: 'shop.payments' } }, { $group: { _id: '$shop.into' } }))),
    );
  });

  it('is left out if its database is not here', () => {
    const shape = { ...shapeOf('find', { filter: {} }), namespace: 'shop_test.orders' };
    expect(operationOf(shape)).toBeNull();
  });
});

describe('views and sources of production', () => {
  it('have the names of here', () => {
    const pipeline = pipelineOf({ $lookup: JOIN }) as PipelineShape;
    const view = { namespace: 'shop.open', base: 'shop.orders', pipeline, source: 'inventory' } as const;
    expect(renamed(view, resolvedViewSchema, NAMES)).toMatchObject({
      namespace: 'shop_test.open',
      base: 'shop_test.orders',
      pipeline: [{ $lookup: { from: 'shop_test.payments' } }],
    });
    const coverage = { operations: 'all', slowMilliseconds: null, sampleRate: 1 } as const;
    const part = { coverage, window: null, entries: 1, ignored: 0, unreadable: 0, bounded: false };
    const parts: SourcePart[] = [part, { ...part, database: 'shop' }, { ...part, database: 'shop_test' }];
    const source = renamed({ parts, gaps: [] }, workloadSourceSchema, NAMES);
    expect(source?.parts.map(({ database }) => database)).toEqual([undefined, 'shop_test']);
  });
});
