import { Long, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { executionOf, type Execution, type NoExecution } from '../../../src/workload/operations/execution.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';

const FIND = { find: 'orders', filter: { total: 5 } };

/** An entry of the profiler, as it is read. */
function entry(
  fields: Document,
  changes: { operation?: string; user?: string; driver?: string; truncated?: boolean } = {},
): Execution | NoExecution {
  return executionOf({
    fields: { ns: 'shop.orders', command: FIND, ...fields },
    operation: 'command',
    at: 0,
    milliseconds: 5,
    responseBytes: 10,
    user: '',
    truncated: false,
    ...changes,
  });
}

function figuresOf(...executions: Execution[]): object {
  const sum = new FiguresSum();
  for (const execution of executions) sum.add(execution);
  return sum.figures();
}

describe('an entry counts as', () => {
  it.each<[string, Document, string, object]>([
    ['aggregate', { aggregate: 'orders', pipeline: [] }, 'command', { kind: 'aggregate', pipeline: [] }],
    ['aggregate that writes', { aggregate: 'orders', pipeline: [{ $out: 'x' }] }, 'insert', { kind: 'aggregate' }],
    ['find', FIND, 'query', { kind: 'find', filter: { total: { $eq: '?number' } } }],
    ['count', { count: 'orders', query: {} }, 'command', { kind: 'count' }],
    ['distinct', { distinct: 'orders', key: 'a' }, 'command', { kind: 'distinct', distinctField: 'a' }],
    ['update', { q: {}, u: {}, multi: false }, 'update', { kind: 'update' }],
    ['delete', { q: {}, limit: 1 }, 'remove', { kind: 'delete' }],
    ['findAndModify', { findAndModify: 'orders', query: {} }, 'command', { kind: 'findAndModify' }],
    ['findAndModify under its old name', { findandmodify: 'orders', query: {} }, 'command', { kind: 'findAndModify' }],
    ['insert', { insert: 'orders', documents: [{ a: 1 }] }, 'insert', { kind: 'insert' }],
    [
      'a truncated aggregate',
      { $truncated: '{ aggregate: "orders", pipeline: [ { $match: { secret' },
      'command',
      { kind: 'aggregate', truncated: true, pipeline: [] },
    ],
    ['a truncated update', { $truncated: '{ q: { secret' }, 'update', { kind: 'update', truncated: true }],
    ['a truncated insert, whose shape is whole', { $truncated: '{ insert: "orders"' }, 'insert', { kind: 'insert' }],
  ])('%s', (_what, command, operation, shape) => {
    expect(entry({ command }, { operation })).toMatchObject({ shape: { namespace: 'shop.orders', ...shape } });
  });

  it.each<[string, Document]>([
    [
      'the envelope of updates, whose statements have entries of their own',
      { command: { update: 'orders', updates: [] } },
    ],
    ['what a $merge writes', { command: { q: {}, u: {}, upsertSupplied: false } }],
    ['explain', { command: { explain: FIND } }],
    ['other commands', { command: { listCollections: 1 } }],
    ['a batch of which nothing else is told', { command: { getMore: 5 } }],
    ['mongolint itself', { appName: 'mongolint' }],
    ['mongolint itself under the name of another', { command: { ...FIND, comment: 'mongolint' } }],
    ['other members of the set', { appName: 'NetworkInterfaceTL-ReplicaSetMonitor' }],
    ['reads that a primary repeats on its secondaries', { command: { ...FIND, mirrored: true } }],
    ['agents', { appName: 'MongoDB Automation Module v12' }],
    ['tools', { appName: 'mongodump' }],
    ['the oplog', { ns: 'local.oplog.rs' }],
    ['admin', { ns: 'admin.system.users' }],
    ['system collections', { ns: 'shop.system.views' }],
    ['commands on a database', { ns: 'shop.$cmd.aggregate' }],
  ])('none: %s', (_what, fields) => {
    expect(entry(fields, { operation: 'update' === fields['op'] ? 'update' : 'command' })).toBe('ignored');
  });

  it('none: connections of the server, which name a driver and no application', () => {
    expect(entry({}, { driver: 'NetworkInterfaceTL-MirrorMaestro 6.0.5' })).toBe('ignored');
    expect(entry({}, { driver: 'nodejs 7.0.0' })).not.toBe('ignored');
  });

  it('none: the user of the cluster', () => {
    expect(entry({}, { user: '__system@local' })).toBe('ignored');
  });

  it.each<[string, Document]>([
    ['no namespace', { ns: undefined }],
    ['a command that is no document', { command: 'find' }],
    ['no command', { command: null }],
  ])('unreadable: %s', (_what, fields) => {
    expect(entry(fields)).toBe('unreadable');
  });

  it('unreadable: no time', () => {
    expect(
      executionOf({
        fields: { ns: 'a.b', command: FIND },
        operation: 'query',
        at: Number.NaN,
        milliseconds: 1,
        responseBytes: 1,
        user: '',
        truncated: false,
      }),
    ).toBe('unreadable');
  });
});

describe('figures of an entry', () => {
  it.each([
    ['number', 7],
    ['long', Long.fromNumber(7)],
    ['extended JSON', { $numberLong: '7' }],
  ])('are read from a %s', (_type, docsExamined) => {
    expect(entry({ docsExamined })).toHaveProperty('recorded', expect.objectContaining({ documentsExamined: 7 }));
  });

  it.each([
    ['IXSCAN { total: 1, at: -1 }', 'IXSCAN { total: 1, at: -1 }'],
    ['IXSCAN { scores.65f1c0ffee65f1c0ffee65f1: 1 }', 'IXSCAN { scores.*: 1 }'],
    ['COLLSCAN', 'COLLSCAN'],
  ])('name the plan %s', (planSummary, kept) => {
    expect(entry({ planSummary })).toMatchObject({ recorded: { planSummaries: { [kept]: 1 } } });
  });

  it('count what was written', () => {
    expect(entry({ command: { q: {}, u: {} }, nModified: 2, nUpserted: 1 }, { operation: 'update' })).toMatchObject({
      recorded: { documentsWritten: 3 },
    });
  });
});

describe('batches', () => {
  const first = entry({ cursorid: 77, docsExamined: 100, nreturned: 50 }) as Execution;
  const next = entry(
    {
      command: { getMore: 77, collection: 'orders' },
      originatingCommand: FIND,
      cursorid: 77,
      docsExamined: 40,
      nreturned: 20,
    },
    { operation: 'getmore' },
  ) as Execution;

  it('are of the same shape as their operation', () => {
    expect(next.key).toBe(first.key);
  });

  it.each<[string, Execution[], object]>([
    [
      'add to their operation',
      [first, next, next],
      { executions: 1, documentsExamined: 180, documentsReturned: 90, milliseconds: 15 },
    ],
    ['in any order', [next, next, first], { executions: 1, documentsExamined: 180 }],
    [
      'count as one where their beginning was too fast to be recorded',
      [next, next],
      { executions: 1, documentsExamined: 80 },
    ],
    ['of other cursors count as others', [first, next, { ...next, cursor: '78' }], { executions: 2 }],
    [
      'say where figures are unknown',
      [entry({ cursorid: 77 }) as Execution],
      { documentsExamined: null, documentsWritten: null },
    ],
    [
      'keep the largest',
      [first, { ...first, recorded: { ...first.recorded, slowestMilliseconds: 90, largestResponseBytes: 500 } }],
      { slowestMilliseconds: 90, largestResponseBytes: 500 },
    ],
  ])('%s', (_what, executions, expected) => {
    expect(figuresOf(...executions)).toMatchObject(expected);
  });

  it('keep a bounded number of plans', () => {
    const plans = Array.from(
      { length: 50 },
      (_, number) => entry({ planSummary: `IXSCAN { a${number}: 1 }` }) as Execution,
    );
    const { planSummaries } = figuresOf(...plans) as { planSummaries: Record<string, number> };
    expect(Object.keys(planSummaries)).toHaveLength(21);
    expect(planSummaries['other']).toBe(30);
  });
});
