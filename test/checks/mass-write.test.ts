import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { massWrite } from '../../checks/mass-write.js';
import type { OperationFigures } from '../../src/check.js';
import type { OperationKind } from '../../src/workload/workload.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, type GivenWorkload, problemsIn } from '../support/checks/workload-builders.js';

const PAST = { at: { $lt: new Date(0) } };

const wrote = (
  kind: OperationKind,
  command: Document,
  figures: Partial<OperationFigures>,
  given: Partial<GivenWorkload> = {},
): GivenWorkload => ({
  documents: 1_000_000,
  recorded: [{ kind, command, plan: 'COLLSCAN', figures: { documentsReturned: null, ...figures } }],
  ...given,
});
const updated = (documentsWritten: number, executions = 10, given: Partial<GivenWorkload> = {}) =>
  wrote('update', { q: {}, u: { $set: { a: 1 } }, multi: true }, { executions, documentsWritten }, given);
const deleted = (q: Document, given: Partial<GivenWorkload> = {}) =>
  wrote('delete', { q, limit: 0 }, { executions: 10, documentsWritten: 4_000_000 }, given);
const spread = { tails: { documentsWritten: { worst: 300_000, steps: {} } } };

const codeOf = (given: GivenWorkload) => problemsIn(massWrite, given)[0]?.remedy.steps[0]?.code;

describe('mass-write', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['an update of many, again and again', updated(2_000_000), ['warning null']],
    ['an update of many, once a night', updated(2_000_000, 10, { days: 10 }), ['warning null']],
    ['an update of many, once', updated(500_000, 1), ['info null']],
    ['a delete of many', deleted(PAST), ['warning null']],
    [
      'one of which the largest had many',
      wrote(
        'update',
        { q: {}, u: { $set: { a: 1 } }, multi: true },
        { executions: 10, documentsWritten: 400_000, ...spread },
      ),
      ['warning null'],
    ],
    [
      'two of one collection as one',
      { ...deleted(PAST), recorded: [...deleted(PAST).recorded, ...updated(2_000_000).recorded] },
      ['warning null'],
    ],
    [
      'one that will write many',
      updated(10_000, 10, { documents: 1_000, expected: { documents: 1_000_000 } }),
      ['warning null'],
    ],
  ])('reports %s', (_, given, expected) => {
    expect(foundIn(massWrite, given)).toEqual(expected);
  });

  it.each<[string, GivenWorkload]>([
    [
      'many updates of one each',
      wrote('update', { q: { a: 1 }, u: { $set: { a: 1 } } }, { executions: 1e6, documentsWritten: 1e6 }),
    ],
    ['batches', updated(50_000)],
    ['inserts', wrote('insert', { insert: 'orders' }, { executions: 10, documentsWritten: 5_000_000 })],
    ['an update that matches many and changes none', updated(0)],
  ])('is silent on %s', (_, given) => {
    expect(foundIn(massWrite, given)).toEqual([]);
  });

  it('says how many, and lets a date expire them', () => {
    const [problem] = problemsIn(massWrite, deleted(PAST));
    expect(problem?.message).toBe(
      'delete by `at` ($lt): up to 400,000 documents in one operation (10 executions in 30 days). Each is an oplog entry of its own: secondaries lag, and other writes wait for the cache and the disk.',
    );
    expect(codeOf(deleted(PAST))).toContain('createIndex({ "at": 1 }, { "expireAfterSeconds": 1576800000 })');
    expect(codeOf(deleted(PAST, { indexes: [index({ at: 1 })] }))).toContain('"collMod"');
    expect(codeOf(deleted({ tenant: 7 }))).toBeUndefined();
    expect(codeOf(deleted({ at: { $gt: new Date(0) } }))).toBeUndefined();
  });
});
