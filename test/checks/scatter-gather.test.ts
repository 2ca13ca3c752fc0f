import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { scatterGather } from '../../checks/scatter-gather.js';
import { shardKeyOf } from '../../src/inventory/sharding.js';
import { absent, present } from '../../src/presence.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import { NO_ROUTER_LOGS } from '../../src/workload/sources/log-file.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { Operation, OperationKind, Workload } from '../../src/workload/workload.js';
import { withKnownFigures } from '../support/checks/reported-problem.js';
import { part, shardedCollection, sharding } from '../support/checks/sharded-evidence.js';

const DAY = 24 * 60 * 60 * 1_000;
const none = absent('unsupported', 'not there.');

interface Logged {
  readonly kind?: OperationKind;
  readonly command: Document;
  /** Executions by the number of shards. */
  readonly shards: Readonly<Record<string, number>>;
  readonly returned?: number | null;
}

function operation({ kind = 'find', command, shards, returned = 1 }: Logged): Operation {
  const executions = Object.values(shards).reduce((sum, each) => sum + each, 0);
  const figures = {
    ...new FiguresSum().figures(),
    executions,
    documentsReturned: returned === null ? null : returned * executions,
    shardsContacted: shards,
  };
  const shape = operationShape({ kind, namespace: 'shop.orders', command, truncated: false }, literalPlaceholder);
  return { shape, figures: { routerLog: figures } };
}

interface Given {
  readonly key?: Document;
  readonly chunks?: Readonly<Record<string, number>> | null;
  readonly days?: number;
  readonly routerLog?: Workload['sources']['routerLog'];
}

function judged(
  logged: readonly Logged[],
  { key = { customer: 1 }, chunks = { sh1: 5, sh2: 5, sh3: 5 }, days = 1, routerLog }: Given = {},
) {
  const coverage = { operations: 'slow', slowMilliseconds: 100, sampleRate: 1 } as const;
  const span = { entries: 9, ignored: 0, unreadable: 0, bounded: false, window: { from: 0, to: days * DAY } };
  const workload: Workload = {
    operations: logged.map(operation),
    views: [],
    sources: {
      profiler: none,
      queryStats: none,
      logFile: none,
      recentLog: none,
      routerLog: routerLog ?? present({ parts: [{ file: 'mongos.log', coverage, ...span }], gaps: [] }),
    },
    counters: none,
  };
  const shards = ['sh1', 'sh2', 'sh3'].map((name) => ({ name, zones: [], draining: false, joinedAt: null }));
  const collection = shardedCollection({ key: shardKeyOf(key) }, { shards });
  const parts = Object.entries(chunks ?? {}).map(([shard, count]) => part(shard, { chunks: count }));
  const known = {
    collection,
    indexes: none,
    storage: none,
    fieldTypes: none,
    sharding: chunks === null ? none : present(sharding(parts)),
  };
  const limits = Object.fromEntries(
    Object.entries(scatterGather.thresholds).map(([name, each]) => [name, each.default]),
  );
  return withKnownFigures(
    scatterGather.judge(
      { collections: new Map([['shop.orders', known]]), workload: traceWorkload(workload) },
      limits as never,
    ),
  );
}

const byEmail = (shards: Readonly<Record<string, number>>): Logged => ({ command: { filter: { email: 'a' } }, shards });
const byCustomer = (times: number): Logged => ({ command: { filter: { customer: 7 } }, shards: { 1: times } });

describe('a query that goes to all shards', () => {
  it.each<[string, readonly Logged[], Given, string[]]>([
    ['by another field, often', [byEmail({ 3: 5_000 }), byCustomer(1_000)], {}, ['warning']],
    ['by _id, often', [{ command: { filter: { _id: 5 } }, shards: { 3: 5_000 } }], {}, ['warning']],
    [
      'by the second field of the key',
      [{ command: { filter: { at: 5 } }, shards: { 3: 5_000 } }],
      { key: { customer: 1, at: 1 } },
      ['warning'],
    ],
    [
      'behind a $match',
      [
        {
          kind: 'aggregate',
          command: { pipeline: [{ $match: { email: 'a' } }, { $project: { a: 1 } }] },
          shards: { 3: 5_000 },
        },
      ],
      {},
      ['warning'],
    ],
    ['a tenth of the queries', [byEmail({ 3: 5_000 }), byCustomer(45_000)], {}, ['info']],
    ['rarely', [byEmail({ 3: 400 })], {}, ['info']],
    ['in a log of a minute', [byEmail({ 3: 400 })], { days: 0.0005 }, ['info']],
    [
      'where its chunks are unknown, as are those of the cluster',
      [byEmail({ 3: 5_000 })],
      { chunks: null },
      ['warning'],
    ],
    ['once', [byEmail({ 3: 2 })], {}, []],
  ])('is reported: %s', (_, logged, given, severities) => {
    const found = judged(logged, given).flatMap((verdict) => ('severity' in verdict ? [verdict.severity] : []));
    expect(found).toEqual(severities);
  });

  it.each<[string, Logged, Given]>([
    ['that names the key', { command: { filter: { customer: 7, email: 'a' } }, shards: { 3: 5_000 } }, {}],
    [
      'that names several values of the key',
      { command: { filter: { customer: { $in: [7, 8] } } }, shards: { 3: 5_000 } },
      {},
    ],
    ['that is for many documents', { ...byEmail({ 3: 5_000 }), returned: 4_000 }, {}],
    ['of which it is not known what it returns', { ...byEmail({ 3: 5_000 }), returned: null }, {}],
    [
      'of alternatives, which no shard key serves',
      { command: { filter: { $or: [{ email: 'a' }, { phone: 1 }] } }, shards: { 3: 5_000 } },
      {},
    ],
    ['for a range', { command: { filter: { at: { $gt: 5 } } }, shards: { 3: 5_000 } }, {}],
    ['for everything', { command: { filter: {} }, shards: { 3: 5_000 } }, {}],
    [
      'that groups',
      {
        kind: 'aggregate',
        command: { pipeline: [{ $match: { email: 'a' } }, { $group: { _id: '$a' } }] },
        shards: { 3: 5_000 },
      },
      {},
    ],
    ['that goes to some of them', byEmail({ 2: 5_000 }), {}],
    ['where one shard holds all', byEmail({ 1: 5_000 }), { chunks: { sh1: 5 } }],
  ])('is let pass: one %s', (_, logged, given) => {
    expect(judged([logged], given)).toEqual([]);
  });

  it('is told with its share, and with both ways out', () => {
    const [verdict] = judged([byEmail({ 3: 3_000 }), byCustomer(1_000)]);
    expect(verdict).toMatchObject({
      namespace: 'shop.orders',
      path: null,
      confidence: 'high',
      message:
        'mongos sends queries for few documents to all 3 shards: find by `email` names no value of `customer`, with which the shard key { customer: 1 } begins, ' +
        'and returns 1 document on average (3,000 executions of more than 100 ms in 1 day; 75 % of what mongos logged of the collection). Each execution works on every shard ' +
        'and waits for the slowest, so that more shards make it no faster.',
      evidence: { executions: 3_000, executionsPerDay: 3_000, shareOfRecorded: 0.75, shards: 3, documentsReturned: 1 },
      remedy: {
        steps: [
          {
            code: 'db.getSiblingDB("shop").orders.find({ "customer": customerValue, "email": emailValue })',
          },
          { code: "mongolint shard-key shop.orders '{ email: 1, customer: 1 }'" },
          {},
        ],
      },
    });
  });

  it('asks for the hash of _id, which mostly follows the order of insertion', () => {
    const [verdict] = judged([{ command: { filter: { _id: 5 } }, shards: { 3: 3_000 } }]);
    expect(JSON.stringify(verdict)).toContain(String.raw`{ _id: \"hashed\" }`);
  });

  it('is not known without a log of mongos', () => {
    expect(judged([], { routerLog: NO_ROUTER_LOGS })).toEqual([
      { notJudged: 'insufficient', detail: NO_ROUTER_LOGS.detail, nothingJudged: true },
    ]);
  });
});
