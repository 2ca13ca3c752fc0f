import { describe, expect, it } from 'vitest';
import { TransactionTally, type Transactions } from '../../../src/workload/operations/transaction-tally.js';
import { LogContext, slowQueryOf } from '../../../src/workload/sources/slow-query.js';

const AT = Date.parse('2026-11-27T18:30:38.487Z');
const lsid = { id: { $uuid: '023e9f22-01d0-40ee-9f5f-36c5c270b074' } };
const line = (message: string, seconds: number, attr: object) =>
  JSON.stringify({
    t: { $date: new Date(AT + 1_000 * seconds).toISOString().replace('Z', '+00:00') },
    s: 'I',
    c: message === 'transaction' ? 'TXN' : 'COMMAND',
    id: 51802,
    ctx: 'conn2',
    msg: message,
    attr,
  });
/** As mongod 6.0.5 wrote it, shortened. */
const ended = (over: object = {}) =>
  line('transaction', 0, {
    parameters: { lsid, txnNumber: 1, txnRetryCounter: 0, autocommit: false },
    readTimestamp: 'Timestamp(0, 0)',
    docsExamined: 1500,
    ninserted: 1500,
    keysInserted: 1500,
    terminationCause: 'committed',
    timeActiveMicros: 11_004,
    timeInactiveMicros: 309_426,
    wasPrepared: false,
    durationMillis: 320,
    ...over,
  });
const statement = (name: string, seconds: number, ninserted: number, over: object = {}) =>
  line('Slow query', seconds, {
    type: 'command',
    ns: `shop.${name}`,
    command: { insert: name, ordered: true, lsid, txnNumber: 1, autocommit: false, $db: 'shop', ...over },
    ninserted,
    storage: {},
    durationMillis: 100,
  });

function summary(lines: readonly string[], since: number | null = null): readonly Partial<Transactions>[] {
  const tally = new TransactionTally(since);
  const context = new LogContext({ transactions: tally });
  for (const each of lines) slowQueryOf(each, context);
  return tally.summary();
}

describe('transactions of a log', () => {
  it.each<[string, readonly string[], readonly Partial<Transactions>[]]>([
    ['the line of a whole one', [ended()], [{ namespace: null, mostDocuments: 1500, longestMs: 320, idleMs: 309.426 }]],
    [
      'its statements, too',
      [statement('stock', -0.2, 400), statement('orders', -0.1, 1000), ended()],
      [{ namespace: 'shop.orders', others: ['shop.stock'], mostDocuments: 1500, longestMs: 320, executions: 1 }],
    ],
    [
      'statements alone: at the least',
      [statement('orders', -40, 10), statement('orders', -10, 20)],
      [{ namespace: 'shop.orders', others: [], mostDocuments: 30, longestMs: 30_100, idleMs: null }],
    ],
    [
      'another one of the session',
      [statement('orders', 0, 10), statement('orders', 1, 700, { txnNumber: 2 })],
      [{ namespace: 'shop.orders', executions: 2, mostDocuments: 700, longestMs: 100 }],
    ],
    ['retryable writes are none', [statement('orders', 0, 5000, { autocommit: undefined })], []],
    ['of a damaged line nothing is known', [line('transaction', 0, { parameters: 7 })], []],
    [
      'an aborted one wrote nothing',
      [ended({ ninserted: undefined, terminationCause: 'aborted', durationMillis: 61_000 })],
      [{ namespace: null, mostDocuments: 0, longestMs: 61_000 }],
    ],
  ])('%s', (_, lines, expected) => {
    expect(summary(lines)).toEqual(expected.map((each) => expect.objectContaining(each)));
  });

  it('that ended before a time are left out', () => {
    expect(summary([ended()], AT + 1)).toEqual([]);
    expect(summary([ended()], AT)).toHaveLength(1);
  });

  it('beyond as many as are held are counted by their entries', () => {
    const tally = new TransactionTally();
    const shape = { namespace: 'shop.orders' };
    const record = (transaction: string) =>
      tally.statement('profiler', { transaction, at: AT, recorded: { milliseconds: 1, documentsWritten: 1 }, shape });
    for (let number = 0; number < 20_000; number += 1) record(String(number));
    expect(tally.leftOut).toBe(0);
    for (const further of ['further', 'further', '0']) record(further);
    expect(tally.leftOut).toBe(2);
    expect(tally.summary()).toMatchObject([{ executions: 20_000, mostDocuments: 2 }]);
  });
});
