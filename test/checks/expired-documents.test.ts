import { describe, expect, it } from 'vitest';
import { expiredDocuments } from '../../checks/expired-documents.js';
import type { CollectionReads, PathProfile } from '../../src/check.js';
import { judge, pathProfile, problem, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';
import { readsOf } from '../support/workload/reads.js';

const SAMPLED = 1_000;
/** A field of all sampled documents, so many of whose dates were past a month ago. */
const dates = (path: string, monthPast: number, rest: Partial<PathProfile> = {}): PathProfile =>
  pathProfile({
    path,
    occurrences: SAMPLED,
    documents: SAMPLED,
    types: { date: SAMPLED },
    values: { dates: { count: SAMPLED, min: 1.6e12, max: 1.9e12, monthPast } },
    ...rest,
  });
const sessions = (paths: readonly PathProfile[], rest: Given = {}): Given => ({
  indexes: [ID_INDEX],
  storage: { count: 2_000_000 },
  ...rest,
  paths,
});
const reading = (...finds: readonly object[]) =>
  readsOf(finds.map((filter) => ({ find: { filter } }))) as CollectionReads;
const UNEXPIRED = reading({ user: 7, expiresAt: { $gt: new Date() } }, { expiresAt: { $gte: new Date() } });
const ANY = reading({ user: 7 }, { expiresAt: { $gt: new Date() } });
const DELETED = readsOf([{ find: { filter: { user: 7 } } }, { kind: 'delete', find: { q: { user: 7 } } }]);

const codes = (given: Given) =>
  problem(expiredDocuments, given).remedy.steps.flatMap(({ code }) => (code === undefined ? [] : [code]));

describe('documents that expired and stay', () => {
  it.each<[string, Given, [severity: string, confidence: string, says: string]]>([
    [
      'of which nothing is recorded',
      sessions([dates('expiresAt', 900)]),
      ['info', 'low', '90 % of the documents expired a month ago or more by `expiresAt`'],
    ],
    [
      'which no query asks for',
      sessions([dates('expiresAt', 900)], { reads: UNEXPIRED }),
      ['warning', 'medium', 'only for documents that have not expired.'],
    ],
    [
      'which queries ask for, too',
      sessions([dates('expiresAt', 900)], { reads: ANY }),
      ['info', 'low', 'Recorded reads return them too'],
    ],
    [
      'which are to be deleted',
      sessions([dates('purge_after', 900)]),
      ['warning', 'medium', 'Its name says that they are to be deleted.'],
    ],
    [
      'beside a TTL index on a date that few of them have',
      sessions([dates('expiresAt', 900), dates('deletedAt', 0, { documents: 300, types: { date: 300 } })], {
        indexes: [ID_INDEX, index({ deletedAt: 1 }, { expireAfterSeconds: 60 })],
      }),
      ['info', 'low', 'no TTL index deletes them'],
    ],
    [
      'which are half a million',
      sessions([dates('ttl', 900)], { storage: { count: 500_000 } }),
      ['info', 'medium', 'are to be deleted.'],
    ],
    [
      'which are few here',
      sessions([dates('ttl', 900)], {
        storage: { count: SAMPLED },
        collection: { expected: { documents: 5_000_000, from: 'expect' } },
      }),
      ['warning', 'medium', '5,000,000 expected.'],
    ],
    [
      'some of which never expire',
      sessions([dates('meta.expires', 700, { types: { date: 750, null: 250 } })]),
      ['info', 'low', '`meta.expires`'],
    ],
  ])('%s', (_, given, [severity, confidence, says]) => {
    const found = problem(expiredDocuments, given);
    expect(found).toMatchObject({ severity, confidence });
    expect(found.message).toContain(says);
    expect(found.remedy.commands).toBeUndefined();
  });

  it('are removed in steps, and by the index that is there', () => {
    const collection = 'db.getSiblingDB("shop").products';
    const made = codes(sessions([dates('expiresAt', 900)]));
    expect(made).toEqual([
      `${collection}.createIndex({ "expiresAt": 1 })`,
      `${collection}.deleteMany({ "expiresAt": { "$lt": until } })`,
      'db.getSiblingDB("shop").runCommand({ "collMod": "products", "index": { "keyPattern": { "expiresAt": 1 }, "expireAfterSeconds": 0 } })',
    ]);
    const there = codes(sessions([dates('expiresAt', 900)], { indexes: [ID_INDEX, index({ expiresAt: -1 })] }));
    expect(there).toHaveLength(2);
    expect(there[1]).toContain('"keyPattern": { "expiresAt": -1 }');
    const partial = index({ expiresAt: 1 }, { partialFilterExpression: { a: 1 } });
    expect(codes(sessions([dates('expiresAt', 900)], { indexes: [ID_INDEX, partial] }))).toHaveLength(3);
  });
});

describe('documents that are no finding', () => {
  const expired = [dates('expiresAt', 900)];
  it.each<[string, Given]>([
    ['less than half expired', sessions([dates('expiresAt', 480)])],
    // Drawn at random, the share of all may be less.
    ['half expired by chance', sessions([dates('expiresAt', 520)])],
    ['a TTL index', sessions(expired, { indexes: [index({ expiresAt: 1 }, { expireAfterSeconds: 60 })] })],
    [
      'one on another date of every document',
      sessions([...expired, dates('at', 0)], { indexes: [index({ at: 1 }, { expireAfterSeconds: 60 })] }),
    ],
    ['capped', sessions(expired, { collection: { capped: { sizeBytes: 1 } } })],
    ['expiring as a whole', sessions(expired, { collection: { clustered: true, expireAfterSeconds: 60 } })],
    ['deletes recorded', sessions(expired, { reads: DELETED as CollectionReads })],
    ['a query for past dates', sessions(expired, { reads: reading({ expiresAt: { $lt: new Date() } }) })],
    ['a date of something else', sessions([dates('orderedAt', 900), dates('expiryDate', 900)])],
    ['a date of deletion, which is a soft delete', sessions([dates('deletedAt', 900)])],
    ['dates as text', sessions([dates('expiresAt', 0, { types: { string: SAMPLED }, values: {} })])],
    ['dates within arrays', sessions([dates('tokens[].expiresAt', 900)])],
  ])('%s', (_, given) => {
    expect(judge(expiredDocuments, given)).toEqual([]);
  });

  it('are too small to tell by 900', () => {
    expect(judge(expiredDocuments, sessions(expired, { storage: { count: 900 } }))).toMatchObject([
      { notJudged: 'too-small', detail: expect.stringContaining('Kept beyond `expiresAt`') },
    ]);
  });

  it('are not judged by an evidence file that does not count past dates', () => {
    const old = dates('expiresAt', 0, { values: { dates: { count: SAMPLED, min: 0, max: 1 } } });
    expect(judge(expiredDocuments, sessions([old]))).toMatchObject([
      { notJudged: 'insufficient', nothingJudged: true },
    ]);
    expect(judge(expiredDocuments, sessions([{ ...old, path: 'at' }]))).toEqual([]);
  });
});
