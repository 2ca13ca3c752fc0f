/** What is a difference of an index, and what is none. */
import { describe, expect, it } from 'vitest';
import { changedMessage, onlyMessage, sizesMessage } from '../../src/drift/drift.js';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { index } from '../support/checks/index-builders.js';
import { driftOf } from '../support/drift.js';

const KEY = { status: 1, at: -1 } as const;
const plain = index(KEY, { name: 'a' });
const changed = (options: Partial<IndexDescription>) => index(KEY, { name: 'a', ...options });
const messages = (before: readonly IndexDescription[], after: readonly IndexDescription[]) =>
  driftOf({ indexes: before }, { indexes: after }).differences.map(({ message }) => message);

describe('drift of indexes', () => {
  it.each<[string, IndexDescription, IndexDescription, what: string, old: string | null, new_: string | null]>([
    [
      'order',
      plain,
      index({ at: -1, status: 1 }, { name: 'a' }),
      'key',
      '{ status: 1, at: -1 }',
      '{ at: -1, status: 1 }',
    ],
    [
      'direction',
      plain,
      index({ status: 1, at: 1 }, { name: 'a' }),
      'key',
      '{ status: 1, at: -1 }',
      '{ status: 1, at: 1 }',
    ],
    [
      'kind',
      plain,
      index({ status: 'hashed', at: -1 }, { name: 'a' }),
      'key',
      '{ status: 1, at: -1 }',
      '{ status: "hashed", at: -1 }',
    ],
    ['unique', plain, changed({ unique: true }), 'unique', null, 'true'],
    ['sparse', changed({ sparse: true }), plain, 'sparse', 'true', null],
    ['hidden', plain, changed({ hidden: true }), 'hidden', null, 'true'],
    [
      'TTL',
      changed({ expireAfterSeconds: 60 }),
      changed({ expireAfterSeconds: 3600 }),
      'expireAfterSeconds',
      '60',
      '3600',
    ],
    [
      'TTL that is not a number',
      changed({ expireAfterSeconds: NaN }),
      changed({ expireAfterSeconds: 3600 }),
      'expireAfterSeconds',
      'NaN',
      '3600',
    ],
    [
      'partial filter',
      plain,
      changed({ partialFilterExpression: { total: { $gt: 5 } } }),
      'partialFilterExpression',
      null,
      '{ "total": { "$gt": "?number" } }',
    ],
    [
      'operator of a filter',
      changed({ partialFilterExpression: { total: { $gt: 5 } } }),
      changed({ partialFilterExpression: { total: { $gte: 5 } } }),
      'partialFilterExpression',
      '{ "total": { "$gt": "?number" } }',
      '{ "total": { "$gte": "?number" } }',
    ],
    [
      'boolean of a filter',
      changed({ partialFilterExpression: { open: true } }),
      changed({ partialFilterExpression: { open: false } }),
      'partialFilterExpression',
      '{ "open": true }',
      '{ "open": false }',
    ],
    ['collation', plain, changed({ collation: { locale: 'de' } }), 'collation', null, '{ "locale": "de" }'],
    [
      'strength',
      changed({ collation: { locale: 'de' } }),
      changed({ collation: { locale: 'de', strength: 2 } }),
      'collation',
      '{ "locale": "de" }',
      '{ "locale": "de", "strength": 2 }',
    ],
    [
      'wildcard projection',
      changed({ wildcardProjection: { a: 0 } }),
      changed({ wildcardProjection: { b: 0 } }),
      'wildcardProjection',
      '{ "a": 0 }',
      '{ "b": 0 }',
    ],
    ['weights', changed({ weights: { a: 1 } }), changed({ weights: { a: 3 } }), 'weights', '{ "a": 1 }', '{ "a": 3 }'],
    [
      'language',
      changed({ furtherOptions: { default_language: 'english' } }),
      changed({ furtherOptions: { default_language: 'german' } }),
      'default_language',
      null,
      'german',
    ],
  ])('tells another %s', (_, before, after, what, old, new_) => {
    const { differences } = driftOf({ indexes: [before] }, { indexes: [after] });
    expect(differences).toMatchObject([
      {
        subject: 'index',
        namespace: 'shop.orders',
        name: 'a',
        in: 'both',
        declared: true,
        changes: [{ what, old, new: new_ }],
      },
    ]);
  });

  it.each<[string, IndexDescription, IndexDescription]>([
    [
      'fields of a filter in another order',
      changed({ partialFilterExpression: { a: true, b: null } }),
      changed({ partialFilterExpression: { b: null, a: true } }),
    ],
    [
      'a collation with its defaults written out',
      changed({ collation: { locale: 'de' } }),
      changed({ collation: { locale: 'de', strength: 3, version: '57.1' } }),
    ],
    ['1 and 1.0 and any other positive number', plain, index({ status: 5, at: -1 }, { name: 'a' })],
    ['weights in another order', changed({ weights: { a: 1, b: 2 } }), changed({ weights: { b: 2, a: 1 } })],
    [
      'the default language',
      changed({ furtherOptions: { default_language: 'english', language_override: 'language' } }),
      plain,
    ],
    ['no number of seconds on both sides', changed({ expireAfterSeconds: NaN }), changed({ expireAfterSeconds: NaN })],
  ])('does not report %s', (_, before, after) => {
    expect(driftOf({ indexes: [before] }, { indexes: [after] })).toMatchObject({ differences: [], notCompared: [] });
  });

  it('names the side that alone has an index', () => {
    expect(messages([plain], [])).toEqual(['Index `a` `{ status: 1, at: -1 }` is only in old.jsonl.']);
    expect(messages([], [plain])).toEqual(['Index `a` `{ status: 1, at: -1 }` is only in new.jsonl.']);
  });

  it('tells two indexes that are the same but for their names as one that was renamed', () => {
    const renamed = index(KEY, { name: 'b' });
    expect(driftOf({ indexes: [plain] }, { indexes: [renamed] }).differences).toMatchObject([
      { in: 'both', changes: [{ what: 'name', old: 'a', new: 'b' }] },
    ]);
    const twin = index(KEY, { name: 'c', unique: true });
    expect(messages([plain], [twin, renamed])).toHaveLength(2);
  });

  it('says that values of filters are not compared, and which indexes are in build', () => {
    const of = (total: number) => changed({ partialFilterExpression: { total: { $gt: total } } });
    const { differences, notCompared } = driftOf({ indexes: [of(1)] }, { indexes: [of(2)] });
    expect(differences).toEqual([]);
    expect(notCompared).toMatchObject([{ subject: 'index', name: 'a', side: 'both', reason: 'not-kept' }]);
    const inBuild = driftOf({ indexes: [plain] }, { indexes: [changed({ building: true })] });
    expect(inBuild.differences).toEqual([]);
    expect(inBuild.notCompared).toMatchObject([
      { name: 'a', side: 'new', reason: 'in-build', detail: 'new.jsonl: the index is still being built.' },
    ]);
  });

  it('says that the order of fields is unknown if names of some are numbers', () => {
    const numbered = index({ b: 1, 7: 1 }, { name: 'a' });
    expect(driftOf({ indexes: [numbered] }, { indexes: [numbered] })).toMatchObject({
      differences: [],
      notCompared: [{ subject: 'index', name: 'a', reason: 'not-kept' }],
    });
  });
});

describe('what changed in one cluster', () => {
  const names = { old: 'the last run', new: 'this run', isOverTime: true } as const;

  it('is said by what happened, not by which run has it', () => {
    expect(onlyMessage('Index `a`', 'new', names)).toBe('Index `a`: added.');
    expect(onlyMessage('Index `a`', 'old', names)).toBe('Index `a`: removed.');
    const changes = [{ what: 'hidden', old: null, new: 'true' }];
    expect(changedMessage('Index `a`', changes, names)).toBe('Index `a`: hidden was not set, now `true`.');
    expect(sizesMessage('Size', [{ what: 'documents', old: '60', new: '90' }], names)).toBe(
      'Size: documents 60 before, 90 now.',
    );
  });
});
