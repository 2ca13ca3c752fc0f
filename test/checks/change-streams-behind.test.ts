import { describe, expect, it } from 'vitest';
import { changeStreamsBehind } from '../../checks/change-streams-behind.js';
import { absent, present } from '../../src/presence.js';
import type { ChangeStreams } from '../../src/workload/operations/change-stream-tally.js';
import { foundIn, judgeCluster, problemIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const HOUR = 3_600_000;
const of = (...all: readonly Partial<ChangeStreams>[]): GivenCluster => ({
  collections: { orders: {} },
  sources: { recentLog: present({ parts: [], gaps: [] }) },
  changeStreams: all.map((over) => ({
    namespace: 'shop.orders',
    appName: 'feed',
    source: 'recentLog',
    resumed: 1,
    furthestBehindMs: HOUR,
    lost: 0,
    unfiltered: true,
    ...over,
  })),
});

describe('change-streams-behind', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['lost', of({ lost: 3 }), ['warning shop.orders null']],
    ['an hour behind', of({}), []],
    ['13 hours behind', of({ furthestBehindMs: 13 * HOUR }), ['info shop.orders null']],
    ['lost, on a whole database', of({ namespace: null, lost: 1 }), ['warning * null']],
    ['lost, on a collection that is not linted', of({ namespace: 'shop.payments', lost: 1 }), []],
    ['none', of(), []],
  ])('%s', (_, given, expected) => expect(foundIn(changeStreamsBehind, given)).toEqual(expected));

  it('counts those of one log, names who opens them, and says what to do', () => {
    const { message, evidence, remedy } = problemIn(
      changeStreamsBehind,
      of(
        { lost: 3 },
        { source: 'logFile', lost: 7, resumed: 0 },
        { source: 'logFile', appName: null, lost: 1, resumed: 0 },
      ),
    );
    expect(message).toBe(
      '8 attempts to resume a change stream failed (ChangeStreamHistoryLost): the oplog no longer has the changes that it waits for, and they are never delivered. Opened by `feed` and an application without appName.',
    );
    expect(evidence).toMatchObject({ source: 'log file', changeStreamsLost: 8 });
    expect(remedy.steps.map(({ text }) => text).join(' ')).toContain('$match');
  });

  it('asks a stream that is filtered for no filter', () => {
    const { remedy } = problemIn(changeStreamsBehind, of({ lost: 1, unfiltered: false }));
    expect(remedy.steps.map(({ text }) => text).join(' ')).not.toContain('$match');
  });

  it('names three applications, counts the others, and says which streams were left out', () => {
    const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((appName) => ({ appName, lost: 1 }));
    expect(problemIn(changeStreamsBehind, of(...six)).message).toContain('Opened by `a`, `b`, `c` and 3 more.');
    const entriesLeftOut = { connections: 0, changeStreams: 1, indexChanges: 0 };
    expect(judgeCluster(changeStreamsBehind, { ...of(), entriesLeftOut })).toMatchObject([{ notJudged: 'bound' }]);
  });

  it('says that no log could be read, instead of passing', () => {
    const refused = absent('privilege', 'reading the recent log lines: not authorized.');
    expect(judgeCluster(changeStreamsBehind, { collections: {}, sources: { recentLog: refused } })).toEqual([
      { notJudged: 'privilege', detail: refused.detail, nothingJudged: true },
    ]);
  });
});
