import { describe, expect, it } from 'vitest';
import { IndexChangeTally } from '../../../src/workload/operations/index-changes.js';
import { LogContext, slowQueryOf } from '../../../src/workload/sources/slow-query.js';

const AT = Date.parse('2026-11-27T18:30:38.487Z');

/** A command as the profiler of 6.0.5 records it, shortened. */
const entry = (command: object, seconds = 0, further: object = {}) => ({
  fields: { ns: 'shop.orders', command, appName: 'shop-api', ...further },
  operation: 'command',
  at: AT + 1_000 * seconds,
  milliseconds: 40,
  responseBytes: 0,
  user: '',
  truncated: false,
});
const built = (...names: readonly string[]) => ({
  createIndexes: 'orders',
  indexes: names.map((name) => ({ name, key: { a: 1 } })),
});
const dropped = (index: unknown) => ({ dropIndexes: 'orders', index });
const FAILED = { errName: 'DuplicateKey' };

function counts(entries: readonly ReturnType<typeof entry>[], since: number | null = null): string[] {
  const tally = new IndexChangeTally(since);
  const take = tally.place('profiler');
  for (const each of entries) take(each);
  return tally
    .summary()
    .map(({ index, builds, failed, drops }) => `${index}: ${builds} built, ${failed} failed, ${drops} dropped`);
}

describe('builds and drops of indexes', () => {
  it.each<[string, readonly ReturnType<typeof entry>[], string[]]>([
    [
      'builds of several at once',
      [entry(built('a_1', 'b_1')), entry(built('a_1'))],
      ['a_1: 2 built, 0 failed, 0 dropped', 'b_1: 1 built, 0 failed, 0 dropped'],
    ],
    [
      'drops by name and of several',
      [entry(dropped('a_1')), entry(built('a_1')), entry(dropped(['a_1', 'b_1']))],
      ['a_1: 1 built, 0 failed, 2 dropped'],
    ],
    ['drops of all', [entry(dropped('*')), entry(built('a_1'))], ['a_1: 1 built, 0 failed, 1 dropped']],
    ['builds that fail', [entry(built('a_1'), 0, FAILED)], ['a_1: 0 built, 1 failed, 0 dropped']],
    ['drops that fail', [entry(dropped('a_1'), 0, FAILED), entry(built('a_1'))], ['a_1: 1 built, 0 failed, 0 dropped']],
    [
      'no drop by key, other command, or index of the server',
      [entry(dropped({ a: 1 })), entry({ ping: 1 }), entry(built('a_1'), 0, { ns: 'config.chunks' })],
      [],
    ],
  ])('counts %s', (_, entries, expected) => {
    expect(counts(entries)).toEqual(expected);
  });

  it('leaves out what is older, and takes the most of any server', () => {
    expect(counts([entry(built('a_1'), -60), entry(built('a_1'))], AT)).toEqual(['a_1: 1 built, 0 failed, 0 dropped']);
    const tally = new IndexChangeTally();
    const [one, other] = [tally.place('profiler'), tally.place('recentLog')];
    for (const seconds of [0, 60]) one(entry(built('a_1'), seconds));
    other(entry(built('a_1')));
    expect(tally.summary()).toMatchObject([
      { source: 'profiler', builds: 2, from: AT, to: AT + 60_000, longestMs: 40 },
    ]);
  });

  it('reads them in a log, but for the thread that builds', () => {
    const tally = new IndexChangeTally();
    const context = new LogContext({ indexChanges: tally });
    for (const ctx of ['conn18', 'IndexBuildsCoordinatorMongod-2']) {
      const attr = { type: 'command', ns: 'shop.orders', command: built('a_1'), storage: {}, durationMillis: 700 };
      const line = {
        t: { $date: '2026-11-27T18:30:38.487+00:00' },
        s: 'I',
        c: 'COMMAND',
        id: 51803,
        ctx,
        msg: 'Slow query',
        attr,
      };
      slowQueryOf(JSON.stringify(line), context);
    }
    expect(tally.summary()).toMatchObject([{ index: 'a_1', source: 'logFile', builds: 1, longestMs: 700 }]);
  });
});
