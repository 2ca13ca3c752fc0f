import { describe, expect, it } from 'vitest';
import { deepSkip } from '../../checks/deep-skip.js';
import { executionOf, isExecution } from '../../src/workload/operations/execution.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

const paged = (average: number, deepest = average, executions = 1_000): Recorded => ({
  command: { filter: {}, sort: { number: 1 }, skip: 5, limit: 20 },
  plan: 'IXSCAN { number: 1 }',
  figures: { executions, skips: { executions, documents: average * executions, deepest } },
});
const large = { documents: 5_000_000 };

const entry = (command: object, further: object = {}) =>
  executionOf({
    fields: { ns: 'shop.orders', command, ...further },
    operation: 'command',
    at: 1,
    milliseconds: 1,
    responseBytes: 1,
    user: '',
    truncated: false,
  });

describe('deep-skip', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['page 900', { ...large, recorded: [paged(18_000)] }, ['warning null']],
    ['page 50', { ...large, recorded: [paged(1_000)] }, ['warning null']],
    ['page 49, and page 50 once', { ...large, recorded: [paged(999, 1_000)] }, ['info null']],
    ['page 900 once, and the first else', { ...large, recorded: [paged(60, 18_000)] }, ['info null']],
    ['page 5,000 on average', { ...large, recorded: [paged(100_000)] }, ['warning null']],
    ['page 5,000 ten times a day', { ...large, recorded: [paged(100_000, 100_000, 20)] }, ['info null']],
    ['a million on average', { ...large, recorded: [paged(1_000_000)] }, ['error null']],
    [
      'two shapes of one collection',
      { ...large, recorded: [paged(700, 1_000), { ...paged(900, 1_000), command: { filter: { a: 1 }, skip: 5 } }] },
      ['info null'],
    ],
    ['page 50, now and then', { ...large, recorded: [paged(60, 1_000)] }, ['info null']],
    ['page 900, tried twice', { ...large, recorded: [paged(18_000, 18_000, 2)] }, []],
    ['the first pages', { ...large, recorded: [paged(60, 400)] }, []],
    ['no page', { ...large, recorded: [{ command: { filter: {} } }] }, []],
    [
      '500 of 2,000, of which two million are expected',
      { recorded: [paged(500)], documents: 2_000, expected: { documents: 2_000_000 } },
      ['warning null'],
    ],
  ])('%s', (_, given, expected) => {
    expect(foundIn(deepSkip, given)).toEqual(expected);
  });

  it('is too small to tell of 60 documents, half of which are skipped', () => {
    expect(judgeWorkload(deepSkip, { recorded: [paged(30)], documents: 60 })).toMatchObject([
      { notJudged: 'too-small' },
    ]);
  });

  const stepsOf = (command: Recorded['command'], fields?: readonly string[]) => {
    const recorded = [{ ...paged(18_000), command: { ...command, skip: 5 } }];
    return problemsIn(deepSkip, { ...large, recorded, ...(fields && { fields }) })[0]?.remedy.steps ?? [];
  };
  const codesOf = (command: Recorded['command']) => stepsOf(command).flatMap(({ code }) => code ?? []);
  const ORDERS = 'db.getSiblingDB("shop").orders';

  it.each<[string, Recorded['command'], string, string]>([
    [
      'the fields of the query, and by _id among equals',
      { filter: { shop: 7 }, sort: { placed: -1 } },
      '{ "shop": shopValue, $or: [{ "placed": { $lt: last["placed"] } }, { "placed": last["placed"], "_id": { $lt: last["_id"] } }] }',
      '{ "shop": 1, "placed": -1, "_id": -1 }',
    ],
    [
      'a nested field, which a document holds under two names',
      { filter: {}, sort: { 'address.city': 1, _id: 1 } },
      '{ $or: [{ "address.city": { $gt: last["address"]["city"] } }, { "address.city": last["address"]["city"], "_id": { $gt: last["_id"] } }] }',
      '{ "address.city": 1, "_id": 1 }',
    ],
    [
      'a field that has a condition already',
      { filter: { placed: { $gt: 5 } }, sort: { placed: 1, _id: 1 } },
      '{ $and: [{ "placed": { $gt: placedFrom } }, { $or: [{ "placed": { $gt: last["placed"] } }, { "placed": last["placed"], "_id": { $gt: last["_id"] } }] }] }',
      '{ "placed": 1, "_id": 1 }',
    ],
    [
      'a bound, within alternatives, none of which the index begins with',
      { filter: { $or: [{ shop: 7 }, { total: 3 }] }, sort: { placed: -1 } },
      '{ $and: [{ $or: [{ "shop": shopValue }, { "total": totalValue }] }, { "placed": { $lte: last["placed"] } }, { $or: [{ "placed": { $lt: last["placed"] } }, { "placed": last["placed"], "_id": { $lt: last["_id"] } }] }] }',
      '{ "placed": -1, "_id": -1 }',
    ],
  ])('pages on by %s', (_, command, filter, index) => {
    const [page, create] = codesOf(command);
    expect(page?.slice(0, page.indexOf('.sort('))).toBe(`${ORDERS}.find(${filter})`);
    expect(create).toBe(`${ORDERS}.createIndex(${index})`);
  });

  it('asks for one value of one type, unless all documents are known to have it', () => {
    const command = { filter: {}, sort: { placed: -1 } };
    expect(stepsOf(command)[0]?.text).toMatch(
      /^Check first that there is one value of one type in every document in `placed`\./,
    );
    expect(stepsOf(command, ['placed'])[0]?.text).toMatch(/^Ask for what follows/);
  });

  const textWith = (key: Record<string, number>) => {
    const recorded = { ...paged(18_000), command: { filter: { shop: 7 }, sort: { placed: -1 }, skip: 5 } };
    const index = { name: 'existing', key, unique: false, sparse: false, hidden: false, clustered: false };
    return JSON.stringify(problemsIn(deepSkip, { ...large, recorded: [recorded], indexes: [index] })[0]?.remedy.steps);
  };

  it('names the index that serves the order already, and those that a new one makes superfluous', () => {
    expect(textWith({ shop: 1, placed: -1, _id: -1, total: 1 })).toContain('`existing` serves that already');
    expect(textWith({ shop: 1, placed: -1 })).toMatch(/createIndex.*`existing` is then redundant/);
    expect(textWith({ placed: -1 })).not.toContain('existing');
  });
});

describe('what an entry of the profiler skips', () => {
  it.each([
    ['a find', { find: 'orders', filter: {}, skip: 400 }, 400],
    ['a find without', { find: 'orders', filter: {} }, undefined],
    ['a pipeline', { aggregate: 'orders', pipeline: [{ $sort: { a: 1 } }, { $skip: 70 }, { $limit: 5 }] }, 70],
    ['a skip in a log of Extended JSON', { find: 'orders', filter: {}, skip: { $numberLong: '12000' } }, 12_000],
    ['nonsense', { find: 'orders', filter: {}, skip: 'all' }, undefined],
  ])('%s', (_, command, skipped) => {
    const execution = entry(command);
    expect(isExecution(execution) && execution.recorded.skips?.documents).toBe(skipped);
  });
});
