import { describe, expect, it } from 'vitest';
import { unindexedReference } from '../../checks/unindexed-reference.js';
import type { IndexDescription, Reference, References } from '../../src/check.js';
import { absent } from '../../src/presence.js';
import { index } from '../support/checks/index-builders.js';
import {
  aggregate,
  foundIn,
  judgeCluster,
  problemIn,
  type GivenCluster,
  type GivenCollection,
  type GivenOperation,
} from '../support/checks/joined-evidence.js';
import { severitiesOf } from '../support/checks/reported-problem.js';

const REFERENCE: Reference = {
  namespace: 'shop.reviews',
  path: 'product',
  isInArray: false,
  target: 'shop.products',
  values: 20,
  found: 20,
  conversion: null,
  isRepeated: false,
};

function shop(
  reference: Partial<Reference> | readonly Reference[] = {},
  reviews: GivenCollection = {},
  rest: Partial<GivenCluster> & { readonly gaps?: References['gaps'] } = {},
): GivenCluster {
  const references = Array.isArray(reference)
    ? (reference as readonly Reference[])
    : [{ ...REFERENCE, ...(reference as Partial<Reference>) }];
  const { gaps = [], ...given } = rest;
  return {
    collections: { reviews: { documents: 20_000, ...reviews }, products: { documents: 500 } },
    references: { references, gaps },
    ...given,
  };
}

/** Reviews and products have the same `_id`s. */
const sharing = (path: string, rest: Partial<GivenCluster> = {}): GivenCluster =>
  shop(
    [
      { ...REFERENCE, path, target: 'shop.reviews' },
      { ...REFERENCE, path },
    ],
    {},
    rest,
  );

const SEARCHED = ['warning shop.reviews product'];
/** Without a recorded search. */
const FOUND = ['info shop.reviews product'];

const reads = (executions: number) => [{ on: 'reviews', command: { filter: { stars: 5 } }, figures: { executions } }];

describe('a reference', () => {
  it.each<[string, Partial<Reference>, GivenCollection, readonly string[]]>([
    ['without an index', {}, {}, FOUND],
    ['in an array', { isInArray: true }, {}, []],
    ['in a middling collection', {}, { documents: 2_000 }, ['info shop.reviews product']],
    ['in a small collection', {}, { documents: 600 }, []],
    ['of few values', { values: 4, found: 4 }, {}, []],
    ['of which a tenth dangles', { found: 18 }, {}, FOUND],
    ['of which more dangles, so that it is none', { found: 17 }, {}, []],
    ['with an index', {}, { indexes: [index({ product: 1 })] }, []],
    ['with an index that begins with it', {}, { indexes: [index({ product: -1, at: 1 })] }, []],
    ['with a hashed index', {}, { indexes: [index({ product: 'hashed' })] }, []],
    ['with a sparse index', {}, { indexes: [index({ product: 1 }, { sparse: true })] }, []],
    ['with an index behind another field, and no search known', {}, { indexes: [index({ at: 1, product: 1 })] }, []],
    [
      'behind a tenant, for a part of the documents',
      {},
      {
        indexes: [index({ tenant: 1, product: 1 }, { partialFilterExpression: { stars: 5 } })],
        fields: { tenant: { string: 100 } },
      },
      FOUND,
    ],
    ['with a hidden index', {}, { indexes: [index({ product: 1 }, { hidden: true })] }, FOUND],
    [
      'with an index on a part of the documents',
      {},
      { indexes: [index({ product: 1 }, { partialFilterExpression: { stars: 5 } })] },
      FOUND,
    ],
  ])('%s', (_, reference, reviews, expected) => {
    expect(foundIn(unindexedReference, shop(reference, reviews))).toEqual(expected);
  });

  it.each<[string, Partial<Reference>, readonly string[]]>([
    ['all of 100', { values: 100, found: 100 }, ['info']],
    ['nine in ten of 150', { values: 150, found: 135 }, ['info']],
    ['a few less than nine in ten of 150', { values: 150, found: 132 }, ['info']],
    ['all of 10', { values: 10, found: 10 }, ['info']],
    ['three quarters of 150', { values: 150, found: 112 }, []],
  ])('whose values are drawn at random: %s are found', (_, changes, expected) => {
    const given = shop({ ...changes, isByChance: true });
    expect(severitiesOf(judgeCluster(unindexedReference, given))).toEqual(expected);
  });

  it('on the one side is fine, unless values repeat', () => {
    const collections = { reviews: { documents: 20_000 }, products: { documents: 30_000 } };
    expect(foundIn(unindexedReference, shop({}, {}, { collections }))).toEqual([]);
    expect(foundIn(unindexedReference, shop({ isRepeated: true }, {}, { collections }))).toEqual(FOUND);
  });

  it('is left to missing-lookup-index where a join looks documents up by it', () => {
    const join = { $lookup: { from: 'reviews', localField: '_id', foreignField: 'product', as: 'reviews' } };
    expect(foundIn(unindexedReference, shop({}, {}, { operations: [aggregate([join], { on: 'products' })] }))).toEqual(
      [],
    );
  });

  it('is let pass where everything was recorded and nothing asks for it', () => {
    const of = (executions: number, rest: object = {}) => shop({}, {}, { operations: reads(executions), ...rest });
    expect(judgeCluster(unindexedReference, of(500))).toEqual([
      {
        namespace: 'shop.reviews',
        path: 'product',
        exempt: 'refers to shop.products, without an index; 500 recorded executions, none of which searches by it',
      },
    ]);
    expect(foundIn(unindexedReference, shop({}, { documents: 2_000 }, { operations: reads(5_000) }))).toEqual([]);
    expect(foundIn(unindexedReference, of(50))).toEqual(FOUND);
    expect(foundIn(unindexedReference, of(500, { coverage: { operations: 'slow' } }))).toEqual(FOUND);
  });

  it.each<[string, readonly IndexDescription[], string, readonly string[]]>([
    ['of which neither is indexed', [], 'product', ['warning shop.reviews product']],
    ['with an index on the whole', [index({ product: 1 })], 'product', []],
    [
      'with an index that its queries do not use',
      [index({ 'product.$id': 1 })],
      'product',
      ['warning shop.reviews product'],
    ],
    ['asked for by its id', [], 'product.$id', ['warning shop.reviews product.$id']],
    ['with an index on the id', [index({ 'product.$id': 1 })], 'product.$id', []],
  ])('kept as DBRef, %s', (_, indexes, field, expected) => {
    const operations = [
      {
        on: 'reviews',
        command: { filter: { [field]: field === 'product' ? { $ref: 'products', $id: 1 } : 1 } },
        figures: { executions: 400, planSummaries: { COLLSCAN: 400 } },
      },
    ];
    expect(foundIn(unindexedReference, shop({ path: 'product.$id' }, { indexes }, { operations }))).toEqual(expected);
  });

  it('is not judged where several collections hold its values and its name names none', () => {
    expect(judgeCluster(unindexedReference, sharing('author'))).toEqual([
      { namespace: 'shop.reviews', notJudged: 'insufficient', detail: expect.stringContaining('`author`') },
    ]);
    expect(judgeCluster(unindexedReference, sharing('author', { operations: reads(400) }))).toEqual([]);
    const stages = [{ $lookup: { from: 'products', localField: 'author', foreignField: '_id', as: 'of' } }];
    expect(
      foundIn(
        unindexedReference,
        sharing('author', { operations: [aggregate(stages, { on: 'reviews', figures: { executions: 10 } })] }),
      ),
    ).toEqual(['info shop.reviews author']);
    expect(problemIn(unindexedReference, sharing('product'))?.message).toContain(
      '`product` holds `_id`s of shop.products',
    );
  });

  it('is one for each field: to the collection in which most of its values were found', () => {
    const references = [
      { ...REFERENCE, target: 'shop.products' },
      { ...REFERENCE, target: 'shop.archive', found: 19 },
      { ...REFERENCE, path: 'author' },
    ];
    expect(foundIn(unindexedReference, shop(references))).toEqual([
      'info shop.reviews product',
      'info shop.reviews author',
    ]);
  });
});

const BY_TEXT = { product: 1, $text: { $search: 'kind' } };

const search = (planSummaries: Record<string, number>, figures = {}) => ({
  on: 'reviews',
  command: { filter: { tenant: 't', product: 1, open: true }, sort: { due: 1 } },
  figures: { executions: 40, documentsExamined: 20_000, planSummaries, ...figures },
});

describe('a reference that is asked for together with a tenant', () => {
  const byTenant = search({ 'IXSCAN { tenant: 1 }': 40 });
  const compound = index({ tenant: 1, product: 1 });
  const partial = index({ tenant: 1, product: 1, due: 1 }, { partialFilterExpression: { open: true } });
  const alone = {
    on: 'reviews',
    command: { filter: { product: 1 } },
    figures: { executions: 10, documentsExamined: 200_000, planSummaries: { COLLSCAN: 10 } },
  };

  const either = { ...alone, command: { filter: { $or: [{ product: 1 }, { tenant: 't' }] } } };

  it.each<[string, GivenCollection, readonly GivenOperation[], readonly string[]]>([
    ['is found behind it', { indexes: [compound] }, [byTenant], []],
    [
      'is found in a partial index that answers',
      { indexes: [partial] },
      [search({ 'IXSCAN { tenant: 1, product: 1, due: 1 }': 40 })],
      [],
    ],
    [
      'is found among those of the tenant',
      { indexes: [index({ tenant: 1 })] },
      [byTenant],
      ['info shop.reviews product'],
    ],
    [
      'is found among the few of the tenant',
      { indexes: [index({ tenant: 1 })] },
      [search({ 'IXSCAN { tenant: 1 }': 40 }, { documentsExamined: 400 })],
      [],
    ],
    ['is scanned for in an alternative', {}, [either], SEARCHED],
    ['has its own index in an alternative that is scanned', { indexes: [index({ product: 1 })] }, [either], []],
    ['is asked for together with a text', {}, [{ ...alone, command: { filter: BY_TEXT } }], []],
    ['is scanned for', {}, [search({ COLLSCAN: 40 })], SEARCHED],
    ['is asked for alone, too', { indexes: [compound] }, [byTenant, alone], SEARCHED],
    [
      'is tested only',
      { indexes: [index({ tenant: 1 })] },
      [{ on: 'reviews', command: { filter: { _id: 1, product: 1 } }, figures: { planSummaries: { IDHACK: 9 } } }],
      FOUND,
    ],
  ])('%s', (_, reviews, operations, expected) => {
    expect(foundIn(unindexedReference, shop({}, reviews, { operations }))).toEqual(expected);
  });

  it('gets the index that its queries want, and none that would be redundant beside it', () => {
    const { message, remedy } = problemIn(
      unindexedReference,
      shop({}, { indexes: [index({ tenant: 1 })] }, { operations: [byTenant] }),
    );
    expect(message).toContain(
      'Queries search by it, always together with a field that an index serves: 40 executions.',
    );
    const key = { tenant: 1, product: 1, open: 1, due: 1 };
    expect(remedy.commands).toEqual([
      {
        db: 'shop',
        command: { createIndexes: 'reviews', indexes: [{ key, name: 'tenant_1_product_1_open_1_due_1' }] },
      },
    ]);
    expect(
      foundIn(
        unindexedReference,
        shop({}, { indexes: [index({ tenant: 1 }), index(key)] }, { operations: [byTenant] }),
      ),
    ).toEqual([]);
  });

  it('gets one that begins with it where something asks for it alone', () => {
    const sorted = { ...alone, command: { filter: { product: 1 }, sort: { at: -1 } } };
    const { remedy } = problemIn(
      unindexedReference,
      shop({}, {}, { operations: [search({ COLLSCAN: 40 }), alone, sorted] }),
    );
    expect(remedy.commands).toEqual([
      {
        db: 'shop',
        command: { createIndexes: 'reviews', indexes: [{ key: { product: 1, at: -1 }, name: 'product_1_at_-1' }] },
      },
    ]);
  });
});

describe('many references, each asked for', () => {
  it('are judged each', () => {
    const names = Array.from({ length: 200 }, (_, number) => `reviews${number}`);
    const references = names.map((name) => ({ ...REFERENCE, namespace: `shop.${name}`, isRepeated: true }));
    const operations = names.map((on) => ({
      on,
      command: { filter: { product: 1, stars: { $gt: 3 } } },
      figures: { documentsExamined: 2_000_000, planSummaries: { COLLSCAN: 100 } },
    }));
    const collections = Object.fromEntries([...names, 'products'].map((name) => [name, {}]));
    expect(foundIn(unindexedReference, shop(references, {}, { collections, operations }))).toHaveLength(200);
  });
});

describe('the finding', () => {
  it('says what refers to what, and how sure that is', () => {
    const { message, evidence, confidence } = problemIn(unindexedReference, shop());
    expect(message).toBe(
      '`product` holds `_id`s of shop.products, and no index serves it. Finding what refers to one scans all 20,000 documents, also before a document of shop.products is deleted.',
    );
    expect(evidence).toMatchObject({
      found: 20,
      documents: 20_000,
      referredTo: 'shop.products',
      documentsPerReference: 40,
      searches: 0,
    });
    expect(confidence).toBe('high');
    expect(problemIn(unindexedReference, shop({ found: 19 })).confidence).toBe('medium');
  });

  it('says how often the workload asks for it', () => {
    const operations = [
      { on: 'reviews', command: { filter: { product: 1 } }, figures: { executions: 70 } },
      aggregate([{ $match: { product: 1, stars: 5 } }], { on: 'reviews', figures: { executions: 30 } }),
      { on: 'reviews', command: { filter: { stars: 5 } }, figures: { executions: 1_000 } },
    ];
    expect(problemIn(unindexedReference, shop({}, {}, { operations })).message).toContain(
      'Queries search by it: 100 executions.',
    );
  });

  it('says that values need a conversion', () => {
    expect(problemIn(unindexedReference, shop({ conversion: 'string to objectId' }))).toMatchObject({
      confidence: 'medium',
      message: expect.stringContaining(
        'The values need conversion (string to objectId): a $lookup without it finds nothing.',
      ),
    });
  });

  const operations = [{ on: 'reviews', command: { filter: { product: 5 } }, figures: { executions: 50 } }];

  it('has no command while no search is recorded', () => {
    const { remedy, proposes, adviceForAll = [] } = problemIn(unindexedReference, shop());
    expect([remedy.commands, proposes]).toEqual([undefined, undefined]);
    expect(adviceForAll.map(({ command }) => command)).toEqual([undefined]);
  });

  it('creates the index that a recorded search needs', () => {
    const indexes = [index({ product: 1 }, { hidden: true })];
    expect(problemIn(unindexedReference, shop({}, {}, { operations })).adviceForAll).toBeUndefined();
    expect(problemIn(unindexedReference, shop({}, {}, { operations })).remedy.commands).toEqual([
      { db: 'shop', command: { createIndexes: 'reviews', indexes: [{ key: { product: 1 }, name: 'product_1' }] } },
    ]);
    expect(problemIn(unindexedReference, shop({}, { indexes }, { operations })).remedy.commands).toEqual([
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
