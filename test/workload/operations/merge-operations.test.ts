import { describe, expect, it } from 'vitest';
import { mergeOperations, type TalliedSources } from '../../../src/workload/collect-workload.js';
import { averageOf, bestFigures, FiguresSum } from '../../../src/workload/operations/figures.js';
import type { TalliedOperation } from '../../../src/workload/operations/operation-tally.js';
import { operationKey, operationShape } from '../../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder, serverPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import { addedFigures, queryStatsFigures } from '../../../src/workload/sources/query-stats.js';
import type { OperationFigures } from '../../../src/workload/workload.js';

const NOTHING: TalliedSources = { profiler: [], queryStats: [], logFile: [], recentLog: [], routerLog: [] };
const EMPTY = new FiguresSum().figures();

function tallied(filter: object, figures: Partial<OperationFigures>, literal = literalPlaceholder): TalliedOperation {
  const shape = operationShape(
    { kind: 'find', namespace: 'shop.orders', command: { filter }, truncated: false },
    literal,
  );
  return { shape, key: operationKey(shape), figures: { ...EMPTY, ...figures } };
}

function aggregated(pipeline: object[], truncated: boolean): TalliedOperation {
  const shape = operationShape(
    { kind: 'aggregate', namespace: 'shop.orders', command: { pipeline }, truncated },
    literalPlaceholder,
  );
  return { shape, key: operationKey(shape), figures: { ...EMPTY, executions: 50 } };
}

describe('operations of several sources', () => {
  it('are one where their shapes are, and their figures stay apart', () => {
    const operations = mergeOperations({
      ...NOTHING,
      profiler: [tallied({ a: 1 }, { executions: 3 })],
      recentLog: [tallied({ a: 2 }, { executions: 2 })],
      queryStats: [tallied({ a: { $eq: '?number' } }, { executions: 9 }, serverPlaceholder)],
    });
    expect(operations).toHaveLength(1);
    expect(operations[0]?.figures).toMatchObject({
      profiler: { executions: 3 },
      recentLog: { executions: 2 },
      queryStats: { executions: 9 },
    });
  });

  const cut = (filter: object, executions: number): TalliedOperation => {
    const whole = tallied(filter, { executions });
    const shape = { ...whole.shape, truncated: true as const };
    return { ...whole, shape, key: operationKey(shape) };
  };

  it.each<[string, TalliedOperation, number]>([
    ['not counted again if the profiler has them whole', cut({ a: 1 }, 3), 1],
    ['not either if their list is cut', cut({ a: 1, b: { $in: [] } }, 3), 1],
    ['kept if nothing is left of them', cut({}, 2), 2],
    ['kept if they compare in another way', cut({ a: { $in: [1, 2] } }, 3), 2],
    ['kept if they compare in one way more', cut({ a: { $eq: 1, $gt: 1 } }, 3), 2],
    ['kept if they ran more often', cut({ a: 1 }, 4), 2],
    ['kept if they ask for something else', cut({ c: 1 }, 3), 2],
  ])('that a log cut off are %s', (_, line, operations) => {
    const profiler = [tallied({ a: 1, b: { $in: [2, 3] } }, { executions: 3 })];
    for (const source of ['recentLog', 'logFile'] as const)
      expect(mergeOperations({ ...NOTHING, profiler, [source]: [line] })).toHaveLength(operations);
    expect(mergeOperations({ ...NOTHING, recentLog: [line] })).toHaveLength(1);
  });

  const $match = { state: 'open' };
  const $lookup = { from: 'customers', localField: 'customer', foreignField: '_id', as: 'joined' };

  it.each<[string, object[], number]>([
    ['not counted again if the profiler has their stages whole', [{ $match }, { $unwind: '$lines' }], 1],
    ['kept if they begin with another stage', [{ $geoNear: { near: [1, 2], distanceField: 'far' } }], 2],
    ['kept if they join', [{ $match }, { $lookup }], 2],
    ['kept if no condition is left of them', [{ $lookup }], 2],
  ])('that a log cut off are %s: aggregations', (_, pipeline, operations) => {
    const whole = [{ $match }, { $unwind: '$lines' }, { $group: { _id: '$lines.sku' } }];
    const sources = { ...NOTHING, profiler: [aggregated(whole, false)], logFile: [aggregated(pipeline, true)] };
    expect(mergeOperations(sources)).toHaveLength(operations);
  });

  const ofStats = tallied({ name: { $regex: '?string', $options: '?string' } }, { executions: 9 }, serverPlaceholder);

  it('whose regular expressions query stats do not tell are one where only one can be meant', () => {
    const operations = mergeOperations({
      ...NOTHING,
      profiler: [tallied({ name: /a/i }, { executions: 3 })],
      queryStats: [ofStats],
    });
    expect(operations).toMatchObject([
      { shape: { filter: { name: { $regex: '?regex:i' } } }, figures: { queryStats: { executions: 9 } } },
    ]);
  });

  it('whose regular expressions query stats do not tell stand alone where several can be meant', () => {
    const profiler = [tallied({ name: /a/i }, { executions: 3 }), tallied({ name: /^a/ }, { executions: 4 })];
    const operations = mergeOperations({ ...NOTHING, profiler, queryStats: [ofStats] });
    expect(operations.map(({ figures }) => Object.keys(figures))).toEqual([['profiler'], ['profiler'], ['queryStats']]);
    expect(operations[2]?.shape.filter).toEqual({ name: { $regex: '?regex:unknown' } });
  });
});

describe('the figures to judge by', () => {
  const operation = mergeOperations({
    ...NOTHING,
    profiler: [tallied({ a: 1 }, { executions: 10, documentsExamined: 1_000, milliseconds: 50 })],
    queryStats: [tallied({ a: 1 }, { executions: 100, milliseconds: 300 })],
    logFile: [tallied({ a: 1 }, { executions: 10, documentsExamined: 9_000 })],
  })[0];

  it('are those of the source that knows most', () => {
    expect(bestFigures(operation!)).toMatchObject({ source: 'queryStats', figures: { executions: 100 } });
  });

  it('are averaged within one source', () => {
    expect(averageOf(operation!, 'milliseconds')).toEqual({ value: 3, source: 'queryStats' });
    expect(averageOf(operation!, 'documentsExamined')).toEqual({ value: 100, source: 'profiler' });
    expect(averageOf(operation!, 'documentsWritten')).toBeNull();
  });
});

describe('figures of query stats', () => {
  const from = new Date(1_000);
  const to = new Date(2_000);
  const ends = { firstSeenTimestamp: from, latestSeenTimestamp: to };

  it.each<[string, object, object]>([
    [
      '6.0',
      { execCount: 4, totalExecMicros: { sum: 8_000, max: 5_000 }, docsReturned: { sum: 12 }, ...ends },
      { documentsExamined: null, inMemorySorts: null, diskUses: null },
    ],
    [
      '8.0',
      {
        execCount: 4,
        totalExecMicros: { sum: 8_000, max: 5_000 },
        docsReturned: { sum: 12 },
        docsExamined: { sum: 40 },
        hasSortStage: { true: 3, false: 1 },
        usedDisk: { true: 1 },
        ...ends,
      },
      { documentsExamined: 40, inMemorySorts: 3, diskUses: 1 },
    ],
    [
      '8.1, in sections',
      {
        execCount: 4,
        totalExecMicros: { sum: 8_000, max: 5_000 },
        ...ends,
        queryExec: { docsReturned: { sum: 12 }, docsExamined: { sum: 40 } },
        queryPlanner: { hasSortStage: { true: 3 } },
      },
      { documentsExamined: 40, inMemorySorts: 3 },
    ],
  ])('of %s', (_version, metrics, expected) => {
    const common = {
      executions: 4,
      milliseconds: 8,
      slowestMilliseconds: 5,
      documentsReturned: 12,
      window: { from: 1_000, to: 2_000 },
    };
    expect(queryStatsFigures(metrics)).toMatchObject({ ...common, ...expected });
  });

  it.each([[undefined], [null], [5], ['x'], [{}], [{ execCount: 0 }], [{ execCount: 'many' }]])(
    'are none in %j',
    (metrics) => {
      expect(queryStatsFigures(metrics)).toBeNull();
    },
  );

  it('of one shape and several clients add up, and stay unknown if one of them is', () => {
    const one = queryStatsFigures({
      execCount: 4,
      totalExecMicros: { sum: 8_000, max: 5_000 },
      ...ends,
    }) as OperationFigures;
    const other = queryStatsFigures({
      execCount: 1,
      totalExecMicros: { sum: 9_000, max: 9_000 },
      docsReturned: { sum: 2 },
    }) as OperationFigures;
    expect(addedFigures(one, other)).toMatchObject({
      executions: 5,
      milliseconds: 17,
      slowestMilliseconds: 9,
      documentsReturned: null,
      window: { from: 1_000, to: 2_000 },
    });
  });
});
