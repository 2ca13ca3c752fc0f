import { describe, expect, it } from 'vitest';
import type { Finding, RemedyStep } from '../../src/finding.js';
import { hideIndexCommand } from '../../src/inventory/index-key.js';
import { supersededStep } from '../../src/judgement/indexes/index-steps.js';
import { absent, present } from '../../src/presence.js';
import { withPinnedIndexes } from '../../src/report/pinned-indexes.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import type { PinnedPlans } from '../../src/workload/pinned-plans.js';
import { filtersIn, settingsIn } from '../../src/workload/sources/pinned-plans.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { Workload } from '../../src/workload/workload.js';

const none = absent('unsupported', 'not there.');
const SOURCES = { profiler: none, queryStats: none, logFile: none, recentLog: none, routerLog: none };
const INDEX = { name: 'a_1', key: { a: 1 }, unique: false, sparse: false, hidden: false, clustered: false };
const HIDE: RemedyStep = {
  text: 'Hide `a_1`.',
  command: hideIndexCommand({ database: 'shop', name: 'orders' }, INDEX),
  givesUp: ['a_1'],
};

/** Source: MongoDB manual, "$querySettings", output of the example. */
const SETTINGS = {
  queryShapeHash: 'AB8ECADEE8F0EB0F447A30744EB4813AE7E0BFEF523B0870CA10FCBC87F5D8F1',
  settings: {
    indexHints: [{ ns: { db: 'test', coll: 'pizzaOrders' }, allowedIndexes: ['orderDate_1'] }],
    queryFramework: 'classic',
  },
  debugQueryShape: {
    cmdNs: { db: 'test', coll: 'pizzaOrders' },
    command: 'find',
    filter: { orderDate: { $gt: '?date' } },
    sort: { totalNumber: 1 },
  },
};

function workload(indexes: PinnedPlans['indexes'], hints: Readonly<Record<string, number>> = {}): Workload {
  const figures = { ...new FiguresSum().figures(), executions: 3, hints };
  return {
    operations: [
      {
        shape: { namespace: 'shop.orders', kind: 'find' },
        figures: { profiler: figures, logFile: figures },
      },
    ],
    views: [],
    sources: SOURCES,
    counters: none,
    pinnedPlans: present({ indexes, rejected: [] }),
  };
}

function remedyOf(steps: readonly RemedyStep[], recorded: Workload) {
  const finding = {
    namespace: 'shop.orders',
    path: 'a_1',
    evidence: { source: '', window: '' },
    remedy: { steps, text: '', commands: [] },
  } as unknown as Finding;
  const [found] = withPinnedIndexes([finding], traceWorkload(recorded), () => [INDEX]);
  return found?.remedy;
}

const pin = (hint: string, by: 'query settings' | 'an index filter', namespace = 'shop.orders') => ({
  namespace,
  hint,
  by,
});

describe('what pins a plan', () => {
  it('is read from query settings, as an array or a document, and rejected shapes with it', () => {
    const expected = [{ namespace: 'test.pizzaOrders', hint: 'orderDate_1', by: 'query settings' }];
    expect(settingsIn([SETTINGS])).toEqual({ indexes: expected, rejected: [] });
    const [hints] = SETTINGS.settings.indexHints;
    expect(settingsIn([{ settings: { indexHints: hints } }])).toEqual({ indexes: expected, rejected: [] });
    expect(settingsIn([{ ...SETTINGS, settings: { reject: true } }])).toEqual({
      indexes: [],
      rejected: [{ namespace: 'test.pizzaOrders', command: 'find' }],
    });
    const natural = { ns: { db: 'a', coll: 'b' }, allowedIndexes: [{ $natural: 1 }, { a: 1 }] };
    expect(settingsIn([{ settings: { indexHints: [natural] } }, {}]).indexes.map(({ hint }) => hint)).toEqual([
      '{ a: 1 }',
    ]);
  });

  it('is read from index filters, by names and keys', () => {
    expect(filtersIn('shop.orders', { filters: [{ query: { a: 1 }, indexes: ['b_1', { a: 1, c: -1 }] }] })).toEqual([
      { namespace: 'shop.orders', hint: 'b_1', by: 'an index filter' },
      { namespace: 'shop.orders', hint: '{ a: 1, c: -1 }', by: 'an index filter' },
    ]);
    expect(filtersIn('shop.orders', { ok: 1 })).toEqual([]);
  });
});

describe('an index that is pinned', () => {
  it.each<[string, Workload, string]>([
    ['by its name', workload([pin('a_1', 'query settings')]), 'query settings'],
    ['by its key', workload([pin('{ a: 1 }', 'an index filter')]), 'an index filter'],
    [
      'in recorded operations, of which each source saw the same',
      workload([], { a_1: 3 }),
      'hint() in 3 recorded executions',
    ],
    [
      'by several',
      workload([pin('a_1', 'query settings')], { '{ a: 1 }': 1 }),
      'query settings and hint() in 1 recorded execution',
    ],
  ])('%s is not hidden unattended, and the remedy begins with who names it', (_how, recorded, who) => {
    const remedy = remedyOf([HIDE], recorded);
    expect(remedy?.steps[0]?.text).toBe(
      `\`a_1\` is named by ${who}: a query that names a hidden index fails, and settings or filters for it no longer apply. Change these first.`,
    );
    expect(remedy?.steps[1]).toEqual({
      text: 'Hide `a_1`.',
      code: 'db.getSiblingDB("shop").orders.hideIndex("a_1")',
      givesUp: ['a_1'],
    });
    expect(JSON.stringify(remedy)).not.toContain('collMod');
  });

  it('that a new one makes superfluous is told, too', () => {
    const steps = remedyOf(supersededStep(['a_1']), workload([pin('a_1', 'query settings')]))?.steps;
    expect(steps).toHaveLength(2);
  });

  it.each<[string, readonly RemedyStep[], Workload]>([
    ['another index', [HIDE], workload([pin('b_1', 'query settings')])],
    ['an index of another collection', [HIDE], workload([pin('a_1', 'query settings', 'shop.items')])],
    ['a remedy that gives nothing up', [{ text: 'Query by `a_1` instead.' }], workload([pin('a_1', 'query settings')])],
    ['nothing', [HIDE], workload([])],
  ])('leaves other remedies as they are: %s', (_what, steps, recorded) => {
    expect(remedyOf(steps, recorded)?.steps).toEqual(steps);
  });
});
