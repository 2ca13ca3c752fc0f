import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { absent } from '../../../src/presence.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import type { Operation, ResolvedView, Workload } from '../../../src/workload/workload.js';
import { joinedFields, joinsOfOperations, joinUses } from '../../../src/workload/joins/workload-joins.js';
import { BY_FIELDS, byExpression, shaped, view } from '../../support/joins/pipelines.js';

function aggregate(on: string, ...pipeline: Document[]): Operation {
  const figures = { profiler: new FiguresSum().figures() };
  return { shape: { namespace: `shop.${on}`, kind: 'aggregate', pipeline: shaped(pipeline) }, figures };
}

function find(on: string): Operation {
  return { shape: { namespace: `shop.${on}`, kind: 'find' }, figures: {} };
}

function workload(operations: readonly Operation[], views: readonly ResolvedView[] = []): Workload {
  const none = absent('insufficient', 'not read');
  return {
    operations,
    views,
    sources: { profiler: none, queryStats: none, logFile: none, recentLog: none },
    counters: none,
  };
}

const bought = view('bought', 'orders', [BY_FIELDS]);

describe('joins of a workload', () => {
  it('are those of its operations, finds on views among them', () => {
    const found = joinsOfOperations(
      workload([aggregate('orders', BY_FIELDS, BY_FIELDS), find('bought'), find('orders')], [bought]),
    );
    expect(found.map(({ operation, joins }) => [operation.shape.namespace, joins.length])).toEqual([
      ['shop.orders', 2],
      ['shop.bought', 1],
    ]);
  });

  it('are those of views too, unless operations on them tell of the same', () => {
    expect(joinUses(workload([], [bought]))).toMatchObject([{ operation: null, view: { namespace: 'shop.bought' } }]);
    expect(joinUses(workload([find('bought')], [bought]))).toMatchObject([
      { operation: { shape: { kind: 'find' } }, view: null },
    ]);
  });

  it('by the field that needs the index are one, whatever forms and sources tell of it', () => {
    const uses = joinUses(
      workload(
        [aggregate('orders', BY_FIELDS), aggregate('orders', byExpression({ $eq: ['$key', '$$id'] }))],
        [bought],
      ),
    );
    const fields = joinedFields(uses);
    expect(fields.map(({ namespace, path, uses: of }) => [namespace, path, of.length])).toEqual([
      ['shop.customers', 'key', 3],
    ]);
  });

  it('that no index can serve need none', () => {
    expect(joinedFields(joinUses(workload([aggregate('orders', byExpression({ $in: ['$key', '$$id'] }))])))).toEqual(
      [],
    );
  });

  it('with several keys need an index on any of them', () => {
    const both = byExpression({ $and: [{ $eq: ['$key', '$$id'] }, { $eq: ['$shop', '$$id'] }] });
    const fields = joinedFields(joinUses(workload([aggregate('orders', both)])));
    expect(fields.map(({ path, uses }) => [path, uses.length])).toEqual([
      ['key', 1],
      ['shop', 1],
    ]);
  });

  it('carry the collation of their operation or view', () => {
    const collation = { locale: 'de' };
    const operation = aggregate('orders', BY_FIELDS);
    const uses = joinUses(
      workload([{ ...operation, shape: { ...operation.shape, collation } }], [{ ...bought, collation }]),
    );
    expect(uses.map(({ join }) => join.collation)).toEqual([collation, collation]);
  });
});
