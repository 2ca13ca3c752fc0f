import { describe, expect, it } from 'vitest';
import { openTransactions } from '../../checks/open-transactions.js';
import { absent } from '../../src/presence.js';
import type { RecordedTransactions } from '../../src/workload/workload.js';
import { foundIn, judgeCluster, problemIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const AT = Date.UTC(2026, 10, 21);
const of = (...all: readonly Partial<RecordedTransactions>[]): GivenCluster => ({
  collections: { orders: {} },
  transactions: all.map((over) => ({
    namespace: 'shop.orders',
    others: [],
    sources: ['logFile'],
    executions: 12,
    from: AT,
    to: AT,
    mostDocuments: 20,
    longestMs: 50,
    idleMs: 10,
    ...over,
  })),
});

describe('open-transactions', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['of 4,000 documents', of({ mostDocuments: 4_000 }), ['warning shop.orders null']],
    ['of 1,000 documents', of({ mostDocuments: 1_000 }), []],
    ['of 40 s', of({ longestMs: 40_000 }), ['warning shop.orders null']],
    ['of 29 s', of({ longestMs: 29_000 }), []],
    ['of which no statement was recorded', of({ namespace: null, longestMs: 61_000 }), ['warning * null']],
    ['on a collection that is not linted', of({ namespace: 'shop.payments', mostDocuments: 4_000 }), []],
    ['none recorded', { collections: {} }, []],
  ])('%s', (_, given, expected) => expect(foundIn(openTransactions, given)).toEqual(expected));

  it('says what was left out of the recorded transactions', () => {
    const verdicts = judgeCluster(openTransactions, { ...of({}), transactionEntriesLeftOut: 1_200 });
    expect(verdicts).toEqual([
      {
        notJudged: 'bound',
        detail:
          'more than 20,000 transactions were recorded; 1,200 entries of further ones were left out. Leave out older ones with --since.',
      },
    ]);
  });

  it('says that nothing was recorded, instead of passing', () => {
    const off = absent('insufficient', 'the profiler is off.');
    const verdicts = judgeCluster(openTransactions, { collections: {}, sources: { profiler: off } });
    expect(verdicts).toMatchObject([{ notJudged: 'insufficient', nothingJudged: true }]);
  });

  it('says whether it was recorded here, and reports those of production if both are large', () => {
    const here = { mostDocuments: 4_000, recordedHere: true } as const;
    expect(problemIn(openTransactions, of({}, here)).evidence).toMatchObject({
      window: '12 transactions from 2026-11-21 to 2026-11-21, here',
      figuresFrom: 'here',
    });
    const { evidence } = problemIn(openTransactions, of({ mostDocuments: 5_000 }, here));
    expect(evidence).toMatchObject({ mostDocuments: 5_000 });
    expect(evidence).not.toHaveProperty('figuresFrom');
  });

  it('says what to do first: not to wait within it', () => {
    const waiting = problemIn(openTransactions, of({ longestMs: 40_000, idleMs: 39_000, others: ['shop.stock'] }));
    expect(waiting.message).toBe(
      'The longest was open for 40 s, of which it waited 39 s for its client; after 60 s the server aborts it, unless set otherwise. ' +
        '12 transactions were recorded. They also write to `shop.stock`.',
    );
    expect(waiting.remedy.steps[0]?.text).toContain('Call other services');
    const [first] = problemIn(openTransactions, of({ mostDocuments: 4_000, longestMs: 40_000, idleMs: 10 })).remedy
      .steps;
    expect(first?.text).toContain('transactions of up to 1,000 documents');
  });
});
