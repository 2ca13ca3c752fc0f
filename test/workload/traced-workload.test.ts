import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { absent } from '../../src/presence.js';
import { joinedFields } from '../../src/workload/joins/join.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import { traceWorkload, type TracedWorkload } from '../../src/workload/traced-workload.js';
import type { Operation, OperationFigures, ResolvedView } from '../../src/workload/workload.js';
import { BY_FIELDS, byExpression, shaped, view } from '../support/joins/pipelines.js';

function aggregate(on: string, ...pipeline: Document[]): Operation {
  const figures = { profiler: new FiguresSum().figures() };
  return { shape: { namespace: `shop.${on}`, kind: 'aggregate', pipeline: shaped(pipeline) }, figures };
}

function find(on: string): Operation {
  return { shape: { namespace: `shop.${on}`, kind: 'find' }, figures: {} };
}

function workload(operations: readonly Operation[], views: readonly ResolvedView[] = []): TracedWorkload {
  const none = absent('insufficient', 'not read');
  return traceWorkload({
    operations,
    views,
    sources: { profiler: none, queryStats: none, logFile: none, recentLog: none, routerLog: none },
    counters: none,
  });
}

const bought = view('bought', 'orders', [BY_FIELDS]);

describe('joins of a workload', () => {
  it('are those of its operations, finds on views among them', () => {
    const operations = [aggregate('orders', BY_FIELDS, BY_FIELDS), find('bought'), find('orders')];
    const { tracedOperations } = workload(operations, [bought]);
    expect(tracedOperations.map(({ operation, joins }) => [operation.shape.namespace, joins.length])).toEqual([
      ['shop.orders', 2],
      ['shop.bought', 1],
      ['shop.orders', 0],
    ]);
  });

  it('are those of views too, unless operations on them tell of the same', () => {
    expect(workload([], [bought]).joinUses).toMatchObject([{ operation: null, view: { namespace: 'shop.bought' } }]);
    expect(workload([find('bought')], [bought]).joinUses).toMatchObject([
      { operation: { shape: { kind: 'find' } }, view: null },
    ]);
  });

  it('by the field that needs the index are one, whatever forms and sources tell of it', () => {
    const operations = [aggregate('orders', BY_FIELDS), aggregate('orders', byExpression({ $eq: ['$key', '$$id'] }))];
    const fields = joinedFields(workload(operations, [bought]).joinUses);
    expect(fields.map(({ namespace, path, uses: of }) => [namespace, path, of.length])).toEqual([
      ['shop.customers', 'key', 3],
    ]);
  });

  it('that no index can serve need none', () => {
    expect(joinedFields(workload([aggregate('orders', byExpression({ $in: ['$key', '$$id'] }))]).joinUses)).toEqual([]);
  });

  it('with several keys need an index on any of them', () => {
    const both = byExpression({ $and: [{ $eq: ['$key', '$$id'] }, { $eq: ['$shop', '$$id'] }] });
    const fields = joinedFields(workload([aggregate('orders', both)]).joinUses);
    expect(fields.map(({ path, uses }) => [path, uses.length])).toEqual([
      ['key', 1],
      ['shop', 1],
    ]);
  });

  it('carry the collation of their operation or view', () => {
    const collation = { locale: 'de' };
    const operation = aggregate('orders', BY_FIELDS);
    const { joinUses } = workload(
      [{ ...operation, shape: { ...operation.shape, collation } }],
      [{ ...bought, collation }],
    );
    expect(joinUses.map(({ join }) => join.collation)).toEqual([collation, collation]);
  });
});

/** A find on a collection or view of `shop`, as a source reads it. */
function findBy(on: string, command: Document): Operation {
  const read = { kind: 'find', namespace: `shop.${on}`, command, truncated: false } as const;
  return { shape: operationShape(read, literalPlaceholder), figures: {} };
}

function timed(milliseconds: number | null): OperationFigures {
  return { ...new FiguresSum().figures(), milliseconds };
}

describe('operations of a workload', () => {
  it('run on the collection behind their view, after its stages', () => {
    const [first] = workload([findBy('bought', { filter: { total: { $gt: 5 } } })], [bought]).tracedOperations;
    expect(first).toMatchObject({ view: { namespace: 'shop.bought' }, base: 'shop.orders' });
    expect(first?.stages.map((stage) => Object.keys(stage))).toEqual([['$lookup'], ['$match']]);
  });

  it('of a collection have no view, and a find is its filter, sort and projection', () => {
    const asked = findBy('orders', { filter: { total: 5 }, sort: { at: 1 }, projection: { total: 1 } });
    const [first] = workload([asked]).tracedOperations;
    const { filter, sort, projection } = asked.shape;
    expect(first).toMatchObject({ view: null, base: 'shop.orders', joins: [] });
    expect(first?.stages).toEqual([{ $match: filter }, { $sort: sort }, { $project: projection }]);
  });

  it('are timed together by source, which is null if it reports no times', () => {
    const { milliseconds } = workload([
      { ...find('orders'), figures: { profiler: timed(30), queryStats: timed(null), logFile: timed(0) } },
      { ...find('customers'), figures: { profiler: timed(12) } },
    ]);
    expect(milliseconds).toEqual({ profiler: 42, queryStats: null, logFile: 0, recentLog: null, routerLog: null });
  });

  it('stay as they are, so that what is derived can be derived again', () => {
    const { operations, views, sources, counters, ...derived } = workload([find('bought')], [bought]);
    const again = traceWorkload(JSON.parse(JSON.stringify({ operations, views, sources, counters })));
    expect(again).toMatchObject({ ...derived, viewsByNamespace: derived.viewsByNamespace });
  });
});
