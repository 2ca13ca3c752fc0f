import { describe, expect, it } from 'vitest';
import { databaseMap } from '../../../src/evidence-file/production/database-map.js';
import { joinedWorkload } from '../../../src/evidence-file/production/joined-workload.js';
import { absent, present } from '../../../src/presence.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { traceWorkload } from '../../../src/workload/traced-workload.js';
import { workloadRestSchema } from '../../../src/workload/workload-schema.js';
import type {
  FigureSource,
  Operation,
  ResolvedView,
  RecordedTransactions,
  Workload,
  WorkloadSource,
} from '../../../src/workload/workload.js';
import { shapeOf } from '../../support/workload/shapes.js';

const MAP = databaseMap(['test=shop']);
const NONE = absent('insufficient', 'the profiler is off.');

function source(database: string): WorkloadSource {
  const coverage = { operations: 'all', slowMilliseconds: null, sampleRate: 1 } as const;
  const window = { from: 0, to: 86_400_000 };
  return {
    parts: [{ database, coverage, window, entries: 1, ignored: 0, unreadable: 0, bounded: false }],
    gaps: [NONE],
  };
}

function operation(database: string, field: string, executions: number, by: FigureSource = 'profiler'): Operation {
  const planSummaries = by === 'profiler' ? { COLLSCAN: executions } : {};
  return {
    shape: { ...shapeOf('find', { filter: { [field]: 1 } }), namespace: `${database}.orders` },
    figures: { [by]: { ...new FiguresSum().figures(), executions, milliseconds: 10 * executions, planSummaries } },
  };
}

function workload(database: string, operations: readonly Operation[], views: readonly ResolvedView[] = []): Workload {
  const sources = {
    profiler: present(source(database)),
    queryStats: NONE,
    logFile: NONE,
    recentLog: NONE,
    routerLog: NONE,
  };
  return { operations, views, sources, counters: NONE };
}

const traced = (...given: Parameters<typeof workload>) => present(traceWorkload(workload(...given)));

function joined(here: ReturnType<typeof traced> | typeof NONE, there: ReturnType<typeof traced> | typeof NONE) {
  const piece = joinedWorkload(here, there, MAP);
  if (!piece.present) throw new Error(piece.detail);
  return piece.value;
}

/** "field executions here?" */
const told = ({ operations }: Workload) =>
  operations.map(({ shape, figures, recordedHere }) => {
    const executions = Object.values(figures).map((each) => each.executions);
    return `${Object.keys(shape.filter ?? {}).join()} ${executions.join('+')}${recordedHere === true ? ' here' : ''}`;
  });

const view = (namespace: string, base: string) =>
  ({ namespace, base, pipeline: [] as unknown as ResolvedView['pipeline'], source: 'inventory' }) as const;

const transactions = (database: string): RecordedTransactions => ({
  namespace: `${database}.orders`,
  others: [`${database}.items`],
  sources: ['profiler'],
  executions: 3,
  from: 0,
  to: 1,
  mostDocuments: 4_000,
  longestMs: 1,
  idleMs: null,
});

/** With all that a workload can have. */
function whole(database: string): Workload {
  const namespace = `${database}.orders`;
  return {
    ...workload(database, [], [view(`${database}.open`, namespace)]),
    pinnedPlans: present({
      indexes: [{ namespace, hint: 'a_1', by: 'an index filter' }],
      rejected: [{ namespace, command: 'find' }],
    }),
    transactions: [transactions(database)],
    connections: [
      { appName: 'shop', driver: 'nodejs', source: 'logFile', opened: 2, brief: 1, ended: 1, hosts: 1, addresses: [] },
    ],
    changeStreams: [
      { namespace, appName: null, source: 'logFile', resumed: 1, furthestBehindMs: 9, lost: 1, unfiltered: true },
    ],
    indexChanges: [
      { namespace, index: 'a_1', source: 'profiler', builds: 3, failed: 0, drops: 2, longestMs: 5, from: 0, to: 1 },
    ],
    nodeReads: [{ node: 'the primary', finds: 9, window: { from: 0, to: 1 } }],
    transactionEntriesLeftOut: 7,
    entriesLeftOut: { connections: 1, changeStreams: 2, indexChanges: 3 },
    since: 1,
  };
}

describe('a workload joined with production', () => {
  it('has the operations of production, and those that were recorded here alone', () => {
    const here = traced('test', [operation('test', 'a', 3), operation('test', 'c', 4)]);
    const there = traced('shop', [operation('shop', 'a', 1_000), operation('shop', 'b', 2_000)]);
    expect(told(joined(here, there))).toEqual(['a 1000', 'b 2000', 'c 4 here']);
  });

  it('has an operation twice if only here a plan was recorded', () => {
    const here = traced('test', [operation('test', 'a', 3), operation('test', 'b', 3, 'queryStats')]);
    const there = traced('shop', [
      operation('shop', 'a', 1_000, 'queryStats'),
      operation('shop', 'b', 9, 'queryStats'),
    ]);
    expect(told(joined(here, there))).toEqual(['a 1000', 'b 9', 'a 3 here']);
  });

  it('leaves out what ran on databases that are not here', () => {
    const there = traced('shop', [operation('test', 'a', 1)]);
    expect(told(joined(traced('test', []), there))).toEqual([]);
  });

  it('knows when and where each was recorded', () => {
    const value = joined(traced('test', [operation('test', 'c', 4)]), traced('shop', [operation('shop', 'a', 1_000)]));
    expect(value.sources.profiler).toMatchObject({ value: { parts: [{ database: 'test' }] } });
    expect(value.sourcesHere?.profiler).toMatchObject({ value: { parts: [{ database: 'test' }] } });
    expect(value.milliseconds.profiler).toBe(10_000);
  });

  it('says of gaps that they are in production', () => {
    const { sources } = joined(traced('test', []), traced('shop', []));
    expect(sources.queryStats).toMatchObject({ detail: 'in production: the profiler is off.' });
    expect(sources.profiler).toMatchObject({ value: { gaps: [{ detail: 'in production: the profiler is off.' }] } });
  });

  it('has the views of here, and of production those that are not here', () => {
    const here = traced('test', [], [view('test.open', 'test.new_orders')]);
    const there = traced('shop', [], [view('shop.open', 'shop.orders'), view('shop.paid', 'shop.orders')]);
    expect(
      joined(here, there)
        .views.map(({ namespace, base }) => [namespace, base])
        .toSorted(),
    ).toEqual([
      ['test.open', 'test.new_orders'],
      ['test.paid', 'test.orders'],
    ]);
  });

  it('has the operations of here alone if those of production are not known, and says so', () => {
    const value = joined(traced('test', [operation('test', 'a', 3)]), NONE);
    expect(told(value)).toEqual(['a 3 here']);
    expect(value.sources.profiler).toMatchObject({ detail: 'in production: the profiler is off.' });
    expect(value.sourcesHere?.profiler.present).toBe(true);
  });

  it('has those of production alone if nothing was recorded here', () => {
    expect(told(joined(NONE, traced('shop', [operation('shop', 'a', 7)])))).toEqual(['a 7']);
  });

  it('is absent if neither is known', () => {
    expect(joinedWorkload(NONE, NONE, MAP)).toMatchObject({ present: false });
  });

  it('has each part of a workload that production has, and gives it the names of here', () => {
    const { operations: _, ...there } = whole('shop');
    expect(Object.keys(there).sort()).toEqual(Object.keys(workloadRestSchema.shape).sort());
    const value = joined(NONE, present(traceWorkload(whole('shop'))));
    const { operations: __, ...expected } = whole('test');
    expect(value).toMatchObject({ ...expected, sources: {} });
  });

  it('keeps what was recorded and pinned here beside that of production', () => {
    const here = present(traceWorkload(whole('test')));
    expect(joined(here, present(traceWorkload(whole('shop'))))).toMatchObject({
      transactionEntriesLeftOut: 14,
      pinnedPlans: whole('test').pinnedPlans,
      transactions: [transactions('test'), { ...transactions('test'), recordedHere: true }],
    });
    expect(joined(here, traced('shop', []))).toMatchObject({
      pinnedPlans: whole('test').pinnedPlans,
      transactions: [{ recordedHere: true }],
    });
    expect(joined(here, NONE)).toMatchObject({
      pinnedPlans: whole('test').pinnedPlans,
      transactions: [{ recordedHere: true }],
    });
  });

  it('knows an index that plans or hints of production name by its key, whatever its name is here', () => {
    const [hinted] = [operation('shop', 'a', 5)];
    const profiler = { ...hinted!.figures.profiler!, hints: { by_a: 5, '{ b: 1 }': 1, gone: 1 } };
    const indexes = [{ namespace: 'shop.orders', hint: 'by_a', by: 'an index filter' }] as const;
    const there = traceWorkload({
      ...workload('shop', [{ ...hinted!, figures: { profiler } }]),
      pinnedPlans: present({ indexes, rejected: [] }),
    });
    const piece = joinedWorkload(NONE, present(there), MAP, (_, name) => (name === 'by_a' ? '{ a: 1 }' : null));
    expect(piece).toMatchObject({
      value: {
        pinnedPlans: { value: { indexes: [{ namespace: 'test.orders', hint: '{ a: 1 }' }] } },
        operations: [{ figures: { profiler: { hints: { '{ a: 1 }': 5, '{ b: 1 }': 1, gone: 1 } } } }],
      },
    });
  });
});
