import { describe, expect, it } from 'vitest';
import type { Skipped } from '../../src/finding.js';
import { skippedGroups } from '../../src/report/skipped.js';

const unread = (check: string, namespace: string): Skipped => ({
  check,
  namespace,
  reason: 'privilege',
  evidence: 'documents',
  detail: `reading documents of ${namespace}: not authorized.`,
});
const young = (namespace: string, names: string): Skipped => ({
  check: 'unused-index',
  namespace,
  reason: 'insufficient',
  detail: `whether ${names} can go: counted since today.`,
});
const ofCluster = (check: string, detail: string): Skipped => ({ check, reason: 'privilege', detail });

describe('skippedGroups', () => {
  it('says once what holds for several collections and checks', () => {
    const skipped = ['a.b', 'a.c'].flatMap((namespace) => [
      unread('deep-nesting', namespace),
      unread('bloated-document', namespace),
    ]);
    expect(skippedGroups(skipped)).toEqual([
      {
        reason: 'privilege',
        checks: ['bloated-document', 'deep-nesting'],
        namespaces: ['a.b', 'a.c'],
        count: 2,
        details: ['reading documents of a.b: not authorized.'],
      },
    ]);
  });

  it('takes what differs in names and figures alone for the same', () => {
    const groups = skippedGroups([
      young('a.b', '`x_1`'),
      young('a.c', '`y_1`, `z_1`'),
      young('a.d', '`y_1`, `z_1`, 20 others'),
    ]);
    expect(groups.map(({ namespaces }) => namespaces)).toEqual([['a.b', 'a.c', 'a.d']]);
  });

  it('goes by what is missing, not by its wording', () => {
    const groups = skippedGroups([
      { ...unread('deep-nesting', 'a.b'), detail: 'one wording.' },
      { ...unread('deep-nesting', 'a.c'), detail: 'quite another one.' },
      { ...unread('deep-nesting', 'a.d'), evidence: 'storage', detail: 'one wording.' },
    ]);
    expect(groups.map(({ namespaces, details }) => [namespaces, details])).toEqual([
      [['a.b', 'a.c'], ['one wording.']],
      [['a.d'], ['one wording.']],
    ]);
  });

  it('counts the namespaces that a written report does not name', () => {
    const { namespace, ...rest } = unread('deep-nesting', 'a.b');
    const [group] = skippedGroups([{ ...rest, namespaces: [String(namespace), 'a.c'], count: 200 }]);
    expect(group).toMatchObject({ namespaces: ['a.b', 'a.c'], count: 200 });
  });

  it('says of each check only what keeps that check from judging', () => {
    const groups = skippedGroups([
      ofCluster('*', 'listing'),
      ofCluster('heavy-lookup', 'profiler'),
      ofCluster('collection-scan', 'profiler'),
      ofCluster('heavy-lookup', 'counters'),
    ]);
    expect(groups.map(({ checks, details }) => [checks, details])).toEqual([
      [['*'], ['listing']],
      [['collection-scan', 'heavy-lookup'], ['profiler']],
      [['heavy-lookup'], ['counters']],
    ]);
  });
});
