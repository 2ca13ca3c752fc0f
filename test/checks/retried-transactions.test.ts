import { describe, expect, it } from 'vitest';
import { failingOperations } from '../../checks/failing-operations.js';
import { retriedTransactions } from '../../checks/retried-transactions.js';
import { absent, present } from '../../src/presence.js';
import { countersOf, foundIn, judgeCluster, problemIn, type GivenCluster } from '../support/checks/joined-evidence.js';
import { foundIn as foundByQueries } from '../support/checks/workload-builders.js';

const NOW = Date.UTC(2026, 10, 21);
const counters = (aborted: number, committed: number): NonNullable<GivenCluster['counters']> =>
  present(countersOf({ from: NOW - 86_400_000, to: NOW }, { transactions: { aborted, committed } }));
/** Updates of one stock, some of which conflict. */
const of = (conflicts: number, executions: number, over: Partial<GivenCluster> = {}): GivenCluster => ({
  collections: { stock: {} },
  operations: [
    {
      on: 'stock',
      kind: 'update',
      command: { q: { _id: 1 }, u: { $inc: { left: -1 } } },
      figures: { executions, ...(conflicts > 0 && { errors: { WriteConflict: conflicts } }) },
    },
  ],
  ...over,
});

describe('retried-transactions', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['more conflicts than not', of(600, 860), ['warning shop.stock null']],
    ['one in five', of(200, 1_000), ['info shop.stock null']],
    ['one in twenty', of(200, 4_000), []],
    ['ninety', of(90, 120), []],
    ['in a log of slow operations', of(600, 600, { coverage: { operations: 'slow' } }), ['info shop.stock null']],
    ['on a collection that is not linted', of(600, 860, { collections: {} }), []],
    ['none', of(0, 5_000, { counters: counters(3, 900) }), []],
    ['aborted, and no write on record', of(0, 100, { counters: counters(815, 300) }), ['info * null']],
    ['aborted, and the writes on record', of(600, 860, { counters: counters(815, 300) }), ['warning shop.stock null']],
    ['aborted, one in a hundred', of(0, 100, { counters: counters(815, 90_000) }), []],
  ])('%s', (_, given, expected) => expect(foundIn(retriedTransactions, given)).toEqual(expected));

  it('names the write, its figures and what to do about a counter', () => {
    const { message, evidence, remedy } = problemIn(retriedTransactions, of(600, 860));
    expect(message).toBe(
      'Writes of transactions end in write conflicts: update by `_id` failed in 600 executions of 860, 70 %. Each conflict aborts its transaction, and the client repeats all of it.',
    );
    expect(evidence).toMatchObject({ source: 'profiler', failed: 600, executions: 860 });
    expect(remedy.steps.map(({ text }) => text).join(' ')).toContain('spread it over several documents');
  });

  it('says what the server counted if nothing else is known', () => {
    expect(problemIn(retriedTransactions, of(0, 100, { counters: counters(815, 300) })).message).toBe(
      "Of 1,115 transactions since the server's start 1 day ago, 815 were aborted, 73 %. No write of them is on record, so their collections are unknown.",
    );
  });

  it('says that nothing was recorded, instead of passing', () => {
    const off = absent('insufficient', 'the profiler is off.');
    const given = of(0, 1, { operations: [], sources: { profiler: off } });
    expect(judgeCluster(retriedTransactions, given)).toMatchObject([{ nothingJudged: true }]);
    const counted = judgeCluster(retriedTransactions, { ...given, counters: counters(0, 900) });
    expect(counted.map((verdict) => 'nothingJudged' in verdict)).toEqual([false]);
  });

  it('leaves nothing of it to failing-operations', () => {
    const failing = {
      command: { filter: { customer: 7 } },
      plan: 'IXSCAN { customer: 1 }',
      figures: { executions: 860, documentsExamined: 860, documentsReturned: 0, errors: { WriteConflict: 600 } },
    };
    expect(foundByQueries(failingOperations, { recorded: [failing], days: 30 })).toEqual([]);
  });
});
