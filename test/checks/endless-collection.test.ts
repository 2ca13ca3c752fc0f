import { describe, expect, it } from 'vitest';
import { endlessCollection } from '../../checks/endless-collection.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, type GivenWorkload, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
const dated = (path: string, days: number, further: Partial<FieldType> = {}): FieldType => ({
  path,
  types: path === '_id' ? { objectId: 100 } : { date: 100 },
  documents: 100,
  elementsPerArray: null,
  longestString: null,
  deciles: Array.from({ length: 9 }, (_, tenth) => NOW - ((8 - tenth) / 8) * days * DAY),
  ...further,
});

const INSERTS: Recorded = { kind: 'insert', command: { insert: 'orders' }, plan: 'none' };
const NEWEST: Recorded = { command: { filter: {}, sort: { at: -1 }, limit: 30 }, plan: 'IXSCAN { at: 1 }' };
const SINCE: Recorded = {
  command: { filter: { at: { $gte: new Date(NOW) } }, sort: { at: -1 }, limit: 30 },
  plan: 'IXSCAN { at: 1 }',
};
const log = (recorded: readonly Recorded[], further: Partial<GivenWorkload> = {}): GivenWorkload => ({
  documents: 50_000,
  fields: [dated('at', 400), dated('_id', 400)],
  recorded: [INSERTS, ...recorded],
  ...further,
});

describe('endless-collection', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['that nothing reads', log([]), ['info at']],
    ['of which readers see the newest', log([NEWEST, SINCE]), ['info at']],
    ['of gigabytes that nothing reads', log([], { bytes: 100_000 }), ['warning at']],
    ['of gigabytes, recorded for minutes', log([], { bytes: 100_000, days: 1 / 48 }), ['info at']],
    ['of gigabytes of which readers see the newest', log([NEWEST], { bytes: 100_000 }), ['info at']],
  ])('reports a log %s', (_, given, expected) => {
    expect(foundIn(endlessCollection, given)).toEqual(expected);
  });

  it.each<[string, GivenWorkload]>([
    ['whose documents are looked up', log([{ command: { filter: { customer: 7 } } }])],
    [
      'whose documents change',
      log([{ kind: 'update', command: { q: { at: { $lt: new Date() } }, u: { $set: { a: 1 } }, multi: true } }]),
    ],
    [
      'from which documents are deleted',
      log([{ kind: 'delete', command: { q: { at: { $lt: new Date(NOW) } }, limit: 0 } }]),
    ],
    ['that is read whole', log([{ command: { filter: {} } }])],
    ['with a TTL index', log([], { indexes: [index({ at: 1 }, { expireAfterSeconds: 3_600 })] })],
    ['whose only date is of another time', log([], { fields: [dated('born', 9_000), dated('_id', 400)] })],
    ['of a queue', log([{ kind: 'findAndModify', command: { query: {}, sort: { at: -1 }, remove: true } }])],
    ['of which the oldest are read', log([{ ...NEWEST, command: { filter: {}, sort: { at: 1 }, limit: 30 } }])],
    ['of two weeks', log([], { fields: [dated('at', 14), dated('_id', 14)] })],
    ['without a date, such as relations', log([], { fields: [dated('_id', 400)] })],
    ['of some thousand', log([], { documents: 9_000 })],
    ['of which nobody knows the age', log([], { fields: [dated('at', 400, { documents: 60 })] })],
    ['to which a person added something', { ...log([]), recorded: [{ ...INSERTS, figures: { executions: 3 } }] }],
    ['of which slow operations alone are recorded', { ...log([]), keeps: 'slow' }],
    ['to which nothing is added', { ...log([]), recorded: [NEWEST] }],
  ])('is silent on a collection %s', (_, given) => {
    expect(foundIn(endlessCollection, given)).toEqual([]);
  });

  it('says how it grows and for how long, and expires by its date', () => {
    const [problem] = problemsIn(endlessCollection, log([NEWEST]));
    expect(problem?.message).toBe(
      'shop.orders only grows: 1,000 recorded inserts (1,000 executions in 30 days), no update, no delete, and no index that expires documents. It holds 50,000 documents (9.5 MB), most of them written over 400 days. Recorded reads show the newest only.',
    );
    const codes = problem?.remedy.steps.flatMap(({ code }) => code ?? []) ?? [];
    expect(codes[0]).toContain('{ "expireAfterSeconds": 1576800000 }');
    expect(codes[1]).toContain('"expireAfterSeconds": 7776000');
  });
});
