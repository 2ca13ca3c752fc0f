import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { costliestShapes } from '../../src/findings/top-shapes.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { queriesOf } from '../../src/judgement/queries/query.js';
import { absent, present } from '../../src/presence.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { Operation, OperationFigures, OperationKind } from '../../src/workload/workload.js';
import { index } from '../support/checks/index-builders.js';

const none = absent('unsupported', 'not there.');
const known = (name: string, count: number) => ({
  collection: { namespace: `shop.${name}`, database: 'shop', name, kind: 'collection', clustered: false },
  storage: present({ count }),
  indexes: none,
  fieldTypes: none,
});
const indexed = (name: string, keys: readonly Document[]) => ({
  ...known(name, 100_000),
  indexes: present(keys.map((key) => index(key))),
});
const collections = new Map(
  [
    known('orders', 100_000),
    known('notes', 60),
    indexed('events', []),
    indexed('visits', [{ a: 1 }, { a: 1, b: 1 }]),
  ].map((each) => [each.collection.namespace, each]),
) as unknown as JoinedCluster['collections'];

const operation = (
  kind: OperationKind,
  command: Document,
  figures: Partial<OperationFigures>,
  namespace = 'shop.orders',
): Operation => ({
  shape: operationShape({ kind, namespace, command, truncated: false }, literalPlaceholder),
  figures: { profiler: { ...new FiguresSum().figures(), executions: 10, ...figures } },
});
const find = (path: string, figures: Partial<OperationFigures>, namespace?: string) =>
  operation('find', { filter: { [path]: 1 } }, figures, namespace);
const INDEXED = { planSummaries: { 'IXSCAN { a: 1 }': 10 } };
const SCANNED = { planSummaries: { COLLSCAN: 10 } };

const listed = (operations: readonly Operation[], findings = new Map<Operation, string[]>(), most = 5) => {
  const sources = { profiler: none, queryStats: none, logFile: none, recentLog: none, routerLog: none };
  const workload = traceWorkload({ operations, views: [], sources, counters: none });
  const cluster = { collections, workload, server: { version: '6.0.5' } };
  return costliestShapes(cluster, queriesOf(cluster), findings, most, new Set(['shop'])).map(({ shape }) => shape);
};

describe('the costliest shapes', () => {
  const slow = find('slow', { ...SCANNED, milliseconds: 820, documentsExamined: 100, keysExamined: 0 });
  const wide = find('wide', { ...SCANNED, milliseconds: 120, documentsExamined: 700, keysExamined: 100 });
  const small = find('small', { ...INDEXED, milliseconds: 60, documentsExamined: 50, keysExamined: 50 });

  it('come by their share of the time, then of documents and keys examined', () => {
    const shapes = listed([small, wide, slow]);
    expect(shapes.map(({ shape }) => shape)).toEqual(['find by `slow`', 'find by `wide`', 'find by `small`']);
    expect(shapes[1]).toMatchObject({
      source: 'profiler',
      executions: 10,
      msShare: 0.12,
      examinedShare: 0.8,
      rankByTime: 2,
      rankByExamined: 1,
      documentsExamined: 70,
      keysExamined: 10,
    });
  });

  it('leave out what runs on databases of which no collection is linted, also of what the shares are of', () => {
    const elsewhere = find('slow', { ...SCANNED, milliseconds: 9_000, documentsExamined: 9_000 }, 'other.orders');
    const shapes = listed([elsewhere, wide, slow]);
    expect(shapes.map(({ namespace }) => namespace)).toEqual(['shop.orders', 'shop.orders']);
    expect(shapes).toEqual(listed([wide, slow]));
  });

  it('come before bulk inserts, which are listed and keep their ranks', () => {
    const load = operation('insert', {}, { milliseconds: 8_000, documentsWritten: 10_000 });
    const single = operation('insert', {}, { milliseconds: 7_000, documentsWritten: 10 }, 'shop.notes');
    expect(
      listed([load, single, slow]).map(({ kind, namespace, rankByTime }) => [kind, namespace, rankByTime]),
    ).toEqual([
      ['insert', 'shop.notes', 2],
      ['find', 'shop.orders', 3],
      ['insert', 'shop.orders', 1],
    ]);
  });

  it('are never cut before one that takes a tenth of the time', () => {
    expect(listed([small, wide, slow], new Map(), 1)).toHaveLength(2);
  });

  it('name the findings about them, and then need no reason', () => {
    const [first] = listed([slow], new Map([[slow, ['f1', 'f2']]]));
    expect(first).toMatchObject({ findings: ['f1', 'f2'] });
    expect(first).not.toHaveProperty('why');
  });

  it('are none if nothing was recorded', () => {
    expect(listed([])).toEqual([]);
  });
});

describe('a costly shape without a finding says why', () => {
  it.each<[string, Operation]>([
    ['not linted', find('a', { ...SCANNED, documentsExamined: 90_000, keysExamined: 0 }, 'shop.people')],
    ['follows inserts', operation('find', { filter: { a: 1 }, tailable: true }, { milliseconds: 100 })],
    ['writes only', operation('insert', { documents: [] }, { milliseconds: 100 })],
    ...['$search', '$searchMeta', '$vectorSearch', '$rankFusion'].map((stage): [string, Operation] => [
      'asks a search index',
      operation(
        'aggregate',
        { pipeline: [{ [stage]: { index: 'default' } }, { $limit: 5 }] },
        { ...SCANNED, documentsExamined: 90_000, keysExamined: 0, documentsReturned: 50 },
      ),
    ]),
    ['unknown how it is executed', find('a', { milliseconds: 100 })],
    ['too small to tell', find('a', { ...SCANNED, documentsExamined: 600, keysExamined: 0 }, 'shop.notes')],
    ['served well', find('a', { ...INDEXED, documentsExamined: 100, keysExamined: 100, documentsReturned: 100 })],
    [
      'reads what it returns',
      find('a', { ...INDEXED, documentsExamined: 50_000, keysExamined: 50_000, documentsReturned: 50_000 }),
    ],
    ['cheap each time', find('a', { ...INDEXED, documentsExamined: 300, keysExamined: 300, documentsReturned: 10 })],
    [
      'an index would narrow it',
      find('a', { ...SCANNED, documentsExamined: 900_000, keysExamined: 0, documentsReturned: 210_000 }, 'shop.events'),
    ],
    [
      'indexed since',
      find('a', { ...SCANNED, documentsExamined: 900_000, keysExamined: 0, documentsReturned: 20 }, 'shop.visits'),
    ],
    [
      'indexed since',
      operation(
        'find',
        { filter: { a: 1 }, sort: { b: 1 } },
        { ...INDEXED, inMemorySorts: 10, documentsExamined: 40_000, keysExamined: 40_000, documentsReturned: 200 },
        'shop.visits',
      ),
    ],
    [
      'indexed since',
      operation(
        'aggregate',
        {
          pipeline: [
            { $match: { _id: 1 } },
            { $lookup: { from: 'visits', localField: '_id', foreignField: 'a', as: 'visits' } },
          ],
        },
        { planSummaries: { IDHACK: 10 }, documentsExamined: 1_000_010, keysExamined: 10, documentsReturned: 10 },
        'shop.events',
      ),
    ],
    [
      'nothing known helps',
      find(
        'a',
        { ...INDEXED, documentsExamined: 900_000, keysExamined: 900_000, documentsReturned: 210_000 },
        'shop.visits',
      ),
    ],
    [
      'nothing known helps',
      find('a', { ...SCANNED, documentsExamined: 1_000_000, keysExamined: 0, documentsReturned: 10 }),
    ],
  ])('%s', (why, given) => {
    expect(listed([given])).toMatchObject([{ why }]);
  });

  it('recorded in part, if the command was cut off', () => {
    const cut = find('a', { ...SCANNED, documentsExamined: 1_000_000, keysExamined: 0 });
    expect(listed([{ ...cut, shape: { ...cut.shape, truncated: true } }])).toMatchObject([{ why: 'recorded in part' }]);
  });

  it('waits, if most of its time is waiting', () => {
    const waiting = find('a', { ...INDEXED, milliseconds: 5_000, documentsExamined: 10, waiting: { locks: 4_900 } });
    expect(listed([waiting])).toMatchObject([{ why: 'waits' }]);
  });
});

describe('what a shape does', () => {
  it('is told with the stages and the paths that it writes', () => {
    const join = { from: 'items', localField: 'a', foreignField: 'b', as: 'items' };
    const shapes = listed([
      operation('aggregate', { pipeline: [{ $match: { a: 1 } }, { $lookup: join }] }, { milliseconds: 500 }),
      operation('update', { q: { _id: 1 }, u: { $push: { events: 1 } } }, { milliseconds: 400 }),
    ]);
    expect(shapes.map(({ shape }) => shape)).toEqual([
      'aggregate by `a`, then $lookup of shop.items',
      'update by `_id`: $push `events`',
    ]);
  });
});
