import { describe, expect, it } from 'vitest';
import { unindexedReference } from '../../checks/unindexed-reference.js';
import type { Reference, References } from '../../src/check.js';
import { absent } from '../../src/evidence/evidence.js';
import { index } from './index-builders.js';
import { aggregate, foundIn, judgeCluster, problemIn, type GivenCluster, type GivenCollection } from './joined-evidence.js';

const REFERENCE: Reference = { namespace: 'shop.reviews', path: 'product', target: 'shop.products', values: 20, found: 20, conversion: null, isRepeated: false };

function shop(
  reference: Partial<Reference> | readonly Reference[] = {},
  reviews: GivenCollection = {},
  rest: Partial<GivenCluster> & { readonly gaps?: References['gaps'] } = {},
): GivenCluster {
  const references = Array.isArray(reference) ? (reference as readonly Reference[]) : [{ ...REFERENCE, ...(reference as Partial<Reference>) }];
  const { gaps = [], ...given } = rest;
  return { collections: { reviews: { documents: 20_000, ...reviews }, products: { documents: 500 } }, references: { references, gaps }, ...given };
}

const FOUND = ['warning shop.reviews product'];

describe('a reference', () => {
  it.each<[string, Partial<Reference>, GivenCollection, readonly string[]]>([
    ['without an index', {}, {}, FOUND],
    ['in a middling collection', {}, { documents: 2_000 }, ['info shop.reviews product']],
    ['in a small collection', {}, { documents: 600 }, []],
    ['of few values', { values: 4, found: 4 }, {}, []],
    ['of which a tenth dangles', { found: 18 }, {}, FOUND],
    ['of which more dangles, so that it is none', { found: 17 }, {}, []],
    ['with an index', {}, { indexes: [index({ product: 1 })] }, []],
    ['with an index that begins with it', {}, { indexes: [index({ product: -1, at: 1 })] }, []],
    ['with a hashed index', {}, { indexes: [index({ product: 'hashed' })] }, []],
    ['with a sparse index', {}, { indexes: [index({ product: 1 }, { sparse: true })] }, []],
    ['with an index in which it is not first', {}, { indexes: [index({ at: 1, product: 1 })] }, FOUND],
    ['with a hidden index', {}, { indexes: [index({ product: 1 }, { hidden: true })] }, FOUND],
    ['with an index on a part of the documents', {}, { indexes: [index({ product: 1 }, { partialFilterExpression: { stars: 5 } })] }, FOUND],
  ])('%s', (_, reference, reviews, expected) => {
    expect(foundIn(unindexedReference, shop(reference, reviews))).toEqual(expected);
  });

  it('on the one side is fine, unless values repeat', () => {
    const collections = { reviews: { documents: 20_000 }, products: { documents: 30_000 } };
    expect(foundIn(unindexedReference, shop({}, {}, { collections }))).toEqual([]);
    expect(foundIn(unindexedReference, shop({ isRepeated: true }, {}, { collections }))).toEqual(FOUND);
  });

  it('is left to missing-lookup-index where a join looks documents up by it', () => {
    const join = { $lookup: { from: 'reviews', localField: '_id', foreignField: 'product', as: 'reviews' } };
    expect(foundIn(unindexedReference, shop({}, {}, { operations: [aggregate([join], { on: 'products' })] }))).toEqual([]);
  });

  it('is one for each field: to the collection in which most of its values were found', () => {
    const references = [{ ...REFERENCE, target: 'shop.products' }, { ...REFERENCE, target: 'shop.archive', found: 19 }, { ...REFERENCE, path: 'author' }];
    expect(foundIn(unindexedReference, shop(references))).toEqual(['warning shop.reviews product', 'warning shop.reviews author']);
  });
});

describe('the finding', () => {
  it('says what refers to what, and how sure that is', () => {
    const { message, evidence, confidence } = problemIn(unindexedReference, shop());
    expect(message).toBe(
      '`product` holds `_id`s of shop.products, and no index finds the documents of shop.reviews that belong to one: that is a scan of all 20,000 documents, also where one of shop.products is deleted.',
    );
    expect(evidence).toMatchObject({ found: 20, documents: 20_000, referredTo: 'shop.products', documentsPerReference: 40, searches: 0 });
    expect(confidence).toBe('high');
    expect(problemIn(unindexedReference, shop({ found: 19 })).confidence).toBe('medium');
  });

  it('says how often the workload asks for it', () => {
    const operations = [
      { on: 'reviews', command: { filter: { product: 1 } }, figures: { executions: 70 } },
      aggregate([{ $match: { product: 1, stars: 5 } }], { on: 'reviews', figures: { executions: 30 } }),
      { on: 'reviews', command: { filter: { stars: 5 } }, figures: { executions: 1_000 } },
    ];
    expect(problemIn(unindexedReference, shop({}, {}, { operations })).message).toContain('The workload asks for it: 100 executions.');
  });

  it('says where values have to be converted', () => {
    expect(problemIn(unindexedReference, shop({ conversion: 'string to objectId' }))).toMatchObject({
      confidence: 'medium',
      message: expect.stringContaining('have to be converted, string to objectId: a $lookup would find none.'),
    });
  });

  it('creates the index', () => {
    const indexes = [index({ product: 1 }, { hidden: true })];
    expect(problemIn(unindexedReference, shop()).remedy.commands).toEqual([
      { db: 'shop', command: { createIndexes: 'reviews', indexes: [{ key: { product: 1 }, name: 'product_1' }] } },
    ]);
    expect(problemIn(unindexedReference, shop({}, { indexes })).remedy.commands).toEqual([
      { db: 'shop', command: { collMod: 'reviews', index: { name: 'product_1', hidden: false } } },
    ]);
  });
});

it('says what could not be looked at', () => {
  const given = shop({}, { indexes: null }, { gaps: [absent('bound', 'too many collections')] });
  expect(judgeCluster(unindexedReference, given)).toEqual([
    { notJudged: 'bound', detail: 'too many collections' },
    { namespace: 'shop.reviews', notJudged: 'privilege', detail: 'reading reviews: not authorized.' },
  ]);
});
