import { describe, expect, it } from 'vitest';
import { computedValue } from '../../checks/computed-value.js';
import { problemsIn, type GivenWorkload, type Recorded } from '../support/checks/workload-builders.js';

const DAY = 24 * 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 10, 21);
const BY_STATUS = { $group: { _id: '$status', total: { $sum: '$total' } } };

const ofCustomer = { $match: { customer: 7 } };

/** Within two days. */
const grouped = (executions: number, documents = 20_000, pipeline: readonly object[] = [BY_STATUS]): Recorded => ({
  kind: 'aggregate',
  command: { pipeline },
  figures: { executions, documentsExamined: documents * executions, documentsReturned: 4 * executions },
});
/** Of what an index finds, without a document. */
const onKeys = (keys: number): Recorded => ({
  ...grouped(4_000, 0, [ofCustomer, BY_STATUS]),
  plan: 'IXSCAN { customer: 1, status: 1 }',
  figures: { executions: 4_000, documentsExamined: 0, keysExamined: 4_000 * keys, documentsReturned: 16_000 },
});
const written = (executions: number): Recorded => ({
  kind: 'update',
  command: { q: { number: 7 }, u: { $set: { a: 1 } } },
  figures: { executions, documentsExamined: executions, documentsReturned: executions },
});
const found20 = (match: object, ...behind: readonly object[]): Recorded => ({
  ...grouped(4_000, 20_000, [match, BY_STATUS, ...behind]),
  plan: 'IXSCAN { customer: 1 }',
});
const of = (...recorded: Recorded[]): GivenWorkload => ({ documents: 20_000, days: 2, recorded });

const found = (given: GivenWorkload) =>
  problemsIn(computedValue, given).map(({ severity, confidence, path }) => `${severity} ${confidence} ${path}`);

describe('computed-value', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['2,000 times a day, and never written', of(grouped(4_000)), ['warning medium null']],
    ['with few writes', of(grouped(4_000), written(400)), ['warning medium null']],
    ['with many writes', of(grouped(4_000), written(401)), ['warning medium null']],
    ['500 times a day', of(grouped(1_000)), ['warning medium null']],
    ['ten times a day', of(grouped(20)), ['info medium null']],
    ['tried twice', of(grouped(2)), []],
    [
      'for many results',
      of({ ...grouped(1_000), figures: { ...grouped(1_000).figures, documentsReturned: 2_001_000 } }),
      [],
    ],
    ['of a thousand that change', of(grouped(4_000, 1_200), written(900)), ['warning medium null']],
    ['of a thousand that change, ten times a day', of(grouped(20, 1_200), written(900)), ['info medium null']],
    ['of keys alone', of(onKeys(9_000), written(9_000)), ['warning medium null']],
    ['of keys that take no longer than 900 documents', of(onKeys(2_700), written(9_000)), []],
    ['of few documents', of(grouped(4_000, 900)), []],
    [
      'of few documents, a tenth of all that is examined',
      { ...of(grouped(4_000, 900)), elsewhere: 0 },
      ['warning medium null'],
    ],
    ['of so few that nobody notices', { ...of(grouped(4_000, 400)), elsewhere: 0 }, []],
    ['in buckets', of(grouped(4_000, 20_000, [{ $sortByCount: '$status' }])), ['warning medium null']],
    ['of what an index finds, for the first few', of(found20(ofCustomer, { $limit: 5 })), ['warning medium null']],
    ['of what an index finds, with many writes', of(found20(ofCustomer), written(9_000)), ['warning medium null']],
    ['of what a scan finds, which is another fault', of(grouped(4_000, 20_000, [ofCustomer, BY_STATUS])), []],
    ['of what a pattern finds, which is another fault', of(found20({ $match: { customer: /x/i } })), []],
    ['of the newest documents', of(grouped(4_000, 20_000, [{ $sort: { _id: -1 } }, { $limit: 50 }, BY_STATUS])), []],
    ['a count, which is another fault', of(grouped(4_000, 20_000, [{ $group: { _id: null, n: { $sum: 1 } } }])), []],
    [
      'a sum of all',
      of(grouped(4_000, 20_000, [{ $group: { _id: null, n: { $sum: '$total' } } }])),
      ['warning medium null'],
    ],
    ['nothing grouped', of(grouped(4_000, 20_000, [{ $project: { a: 1 } }])), []],
    [
      'two values of one collection',
      of(grouped(4_000), grouped(4_000, 20_000, [{ $sortByCount: '$a' }])),
      ['warning medium null'],
    ],
  ])('%s', (_, given, expected) => expect(found(given)).toEqual(expected));

  it('counts other pipelines of the collection, and names them', () => {
    const [problem] = problemsIn(computedValue, of(grouped(4_000), grouped(4_000, 20_000, [{ $sortByCount: '$a' }])));
    expect(problem?.message).toContain(' 1 other pipeline is like it.');
    expect(problem?.evidence['queries']).toHaveLength(2);
  });

  it('knows of no writes if slow operations alone were recorded', () => {
    const part = {
      database: 'shop',
      member: 'the primary',
      coverage: { operations: 'slow', slowMilliseconds: 100, sampleRate: 1 },
      window: { from: NOW - 2 * DAY, to: NOW },
      entries: 4_000,
      ignored: 0,
      unreadable: 0,
      bounded: false,
    } as const;
    const profiler = { present: true, value: { parts: [part], gaps: [] } } as const;
    expect(found({ ...of(grouped(4_000)), profiler })).toEqual(['info low null']);
  });
});
