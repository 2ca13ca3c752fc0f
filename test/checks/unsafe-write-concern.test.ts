import { describe, expect, it } from 'vitest';
import { unsafeWriteConcern } from '../../checks/unsafe-write-concern.js';
import { acknowledgedBy } from '../../src/workload/operations/read-entry.js';
import { foundIn, judgeCluster, problemIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const client = (appName: string | null) => ({ appName, user: null, driver: null, executions: 200 });
/** Inserts of applications, each with a write concern of its own. */
const of = (...all: readonly (readonly [string | null, Record<string, number>])[]): GivenCluster => ({
  collections: { payments: {} },
  operations: all.map(([appName, writeConcerns], number) => ({
    on: 'payments',
    kind: 'findAndModify' as const,
    command: { query: { [`field${number}`]: 1 }, update: { $set: { a: 1 } } },
    figures: { executions: 200, writeConcerns, clients: [client(appName)] },
  })),
});

describe('unsafe-write-concern', () => {
  it.each<[string, GivenCluster, string[]]>([
    [
      'none acknowledged, beside a majority',
      of(['till', { 0: 200 }], ['web', { majority: 200 }]),
      ['warning shop.payments null'],
    ],
    ['none acknowledged at all', of(['till', { 0: 200 }]), ['info shop.payments null']],
    [
      'by one member, beside a majority',
      of(['till', { 1: 200 }], ['web', { majority: 200 }]),
      ['info shop.payments null'],
    ],
    ['by one member, as all others', of(['till', { 1: 200 }]), []],
    ['by one member, beside ten', of(['till', { 1: 200 }], ['web', { majority: 10 }]), []],
    ['ninety without an answer', of(['till', { 0: 90 }], ['web', { majority: 200 }]), []],
    ['all by a majority', of(['web', { majority: 200 }]), []],
    ['that do not say', { ...of(), operations: [{ on: 'payments', command: { filter: {} } }] }, []],
    ['on a collection that is not linted', { ...of(['till', { 0: 200 }]), collections: {} }, []],
  ])('writes %s', (_, given, expected) => expect(foundIn(unsafeWriteConcern, given)).toEqual(expected));

  it('names who asks for what', () => {
    const { message, evidence } = problemIn(
      unsafeWriteConcern,
      of(['till', { 0: 150 }], [null, { 0: 50 }], ['web', { majority: 200 }]),
    );
    expect(message).toBe(
      '200 writes asked for no answer (w: 0), by `till` and an application without appName: the application does not learn of duplicate keys, refused documents or a lost connection. 200 others to the same collection waited for a majority.',
    );
    expect(evidence).toMatchObject({ unacknowledged: 200, byMajority: 200, window: '400 writes' });
  });

  it('says that nothing was recorded, instead of passing', () => {
    const verdicts = judgeCluster(unsafeWriteConcern, { collections: {}, coverage: { operations: 'none' } });
    expect(verdicts.every((verdict) => 'notJudged' in verdict)).toBe(true);
  });
});

describe('the write concern of an entry', () => {
  const insert = { insert: 'payments' };
  it.each<[string, object, object, string | null]>([
    ['of the client', { w: 1, wtimeout: 0, provenance: 'clientSupplied' }, insert, '1'],
    ['of the client, none', { w: 0, provenance: 'clientSupplied' }, insert, '0'],
    ['of a server that says nothing of it', { w: 1 }, insert, '1'],
    [
      'by default, a majority',
      { w: 'majority', provenance: 'implicitDefault' },
      { findAndModify: 'payments' },
      'majority',
    ],
    ['by default, one', { w: 1, provenance: 'implicitDefault' }, insert, null],
    ['by a tag', { w: 'dc-east', provenance: 'clientSupplied' }, insert, null],
    ['within a transaction', { w: 'majority' }, { ...insert, autocommit: false }, null],
    ['of a read', { w: 'majority' }, { aggregate: 'payments' }, null],
  ])('%s', (_, writeConcern, command, expected) => {
    expect(acknowledgedBy({ writeConcern }, command)).toBe(expected);
  });
});
