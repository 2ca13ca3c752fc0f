import { describe, expect, it } from 'vitest';
import { joinedRun } from '../../../src/evidence-file/production/joined-run.js';
import { readProduction } from '../../../src/evidence-file/production/production-evidence.js';
import { writeEvidence } from '../../../src/evidence-file/write-evidence.js';
import type { EvidenceRun } from '../../../src/evidence/evidence-run.js';
import type { EvidencePlan, KeptCollection } from '../../../src/evidence/source.js';
import { absent } from '../../../src/presence.js';
import { plainRun, smallCollection } from '../../support/evidence-runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PLAN: EvidencePlan = {
  ofCollection: () => new Set(['storage', 'indexes', 'documents'] as const),
  ofCluster: new Set(),
  kept: new Set(['indexes', 'storage'] as const),
};
const SETTINGS = {
  include: [],
  exclude: ['shop.secret'],
  sampleSize: 1_000,
  sampleBytes: 1_000_000,
  deep: false,
  concurrency: 4,
  timeout: 1_000,
  maxTime: 60_000,
};

/** The evidence of production, by way of a file. */
async function productionOf(namespaces: readonly string[], run: Partial<EvidenceRun> = {}) {
  const file = `${await temporaryFolder()}/production.jsonl.gz`;
  await writeEvidence(file, {
    run: { ...plainRun(namespaces.map(smallCollection)), ...run },
    plan: PLAN,
    settings: SETTINGS,
    collections: namespaces.length,
    onCollection: () => {},
    onCluster: () => {},
  });
  return readProduction(file);
}

async function joined(here: readonly KeptCollection[], there: readonly string[], run: Partial<EvidenceRun> = {}) {
  const production = await productionOf(there, run);
  return joinedRun(plainRun(here), { production, map: ['test=shop'], plan: PLAN });
}

const whole = (run: EvidenceRun) => run.ofCollections((one) => one);

describe('a run joined with production', () => {
  it('joins each collection with that of its name in production', async () => {
    const run = await joined([smallCollection('test.orders')], ['shop.orders', 'shop.items']);
    const [orders] = await whole(run);
    expect(orders?.collection.production).toMatchObject({ value: { namespace: 'shop.orders' } });
    expect(orders?.evidence.documents).toMatchObject({
      detail: expect.stringMatching(/^in production: reading shop\.orders/),
    });
  });

  it('tells what production does not have from what is not known of it', async () => {
    const unlisted = [{ database: 'blog', absent: absent('privilege', 'listing the collections of blog.') }];
    const names = ['test.orders', 'test.refunds', 'test.secret', 'blog.posts', 'shop.orders'];
    const run = await joined(names.map(smallCollection), ['shop.orders'], { inventory: { unlisted } });
    const known = new Map((await whole(run)).map(({ collection }) => [collection.namespace, collection.production]));
    expect(known.get('test.refunds')).toEqual({ present: true, value: null });
    expect(known.get('test.secret')).toMatchObject({ detail: expect.stringContaining('was left out when') });
    expect(known.get('blog.posts')).toMatchObject({
      reason: 'privilege',
      detail: expect.stringContaining('in production: '),
    });
    // The database of this name is another one in production.
    expect(known.get('shop.orders')).toEqual({ present: true, value: null });
  });

  it('does not join collections of different kinds', async () => {
    const series = smallCollection('test.orders');
    const here = [
      { ...series, collection: { ...series.collection, kind: 'timeseries' as const } },
      smallCollection('test.items'),
    ];
    const [items, orders] = await whole(await joined(here, ['shop.orders', 'shop.items'])).then((all) =>
      all.toSorted((one, other) => (one.collection.namespace < other.collection.namespace ? -1 : 1)),
    );
    expect(items?.collection.production).toMatchObject({ value: { namespace: 'shop.items' } });
    expect(orders?.collection.production).toEqual({ present: true, value: null });
    expect(orders?.evidence).toBe(series.evidence);
  });

  it('says which collections of production its operations are on and are not here', async () => {
    const run = await joined([smallCollection('test.items')], ['shop.orders', 'shop.items']);
    await whole(run);
    await run.ofCluster([]);
    const { gaps } = await run.end();
    expect(gaps).toContainEqual({
      name: 'workload',
      gap: expect.objectContaining({
        reason: 'insufficient',
        detail: expect.stringContaining('1 collection that this database does not have'),
      }),
    });
  });

  it('does not name a database that is not linted', async () => {
    const run = await joined([smallCollection('blog.posts')], ['shop.orders', 'blog.posts']);
    await whole(run);
    await run.ofCluster([]);
    expect((await run.end()).gaps.map(({ name }) => name)).toEqual(['oplog']);
  });

  it('refuses evidence of which nothing is here', async () => {
    const run = await joined([smallCollection('other.orders')], ['shop.orders']);
    await expect(whole(run)).rejects.toThrow(
      "None of these collections is in production's evidence: its databases are shop, those here are other.",
    );
  });

  it('refuses a database that production does not have', async () => {
    const production = await productionOf(['shop.orders']);
    expect(() => joinedRun(plainRun([]), { production, map: ['test=shopp'], plan: PLAN })).toThrow(
      'map: test=shopp: the evidence of production has no database shopp; did you mean "shop"?',
    );
  });

  it('reads the same collection again as often as it is asked for', async () => {
    const production = await productionOf(['shop.orders']);
    expect(production.collection('shop.orders')).toEqual(production.collection('shop.orders'));
    expect(production.collection('shop.items')).toBeNull();
  });
});
