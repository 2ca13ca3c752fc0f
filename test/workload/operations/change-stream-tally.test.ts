import { describe, expect, it } from 'vitest';
import { ChangeStreamTally, type ChangeStreams } from '../../../src/workload/operations/change-stream-tally.js';
import { LogContext, slowQueryOf } from '../../../src/workload/sources/slow-query.js';

const AT = Date.parse('2026-11-29T15:25:48.372Z');
/** Made at 2026-11-29T15:21:33Z. */
const TOKEN = { _data: '826B0C42FD0000003D2B022C0100296E5A1004E1890BF2FF984E9489D5EECF4C96F63846645F696400646B0C42FD' };
const line = (msg: string, attr: object) =>
  JSON.stringify({
    t: { $date: '2026-11-29T15:25:48.372+00:00' },
    s: 'W',
    c: 'COMMAND',
    id: 1,
    ctx: 'conn702',
    msg,
    attr,
  });
const watch = (stream: object, ...stages: object[]) => ({
  aggregate: 'orders',
  pipeline: [{ $changeStream: stream }, ...stages],
  cursor: {},
  $db: 'shop',
});
/** As mongod 6.0.5 writes them, shortened. */
const lost = (cmd: object, codeName = 'ChangeStreamHistoryLost') =>
  line('Aggregate command executor error', { error: { code: 286, codeName, errmsg: '' }, stats: {}, cmd });
const slow = (command: object, over: object = {}) =>
  line('Slow query', { type: 'command', ns: 'shop.orders', appName: 'feed', command, durationMillis: 300, ...over });

function summary(lines: readonly string[], since: number | null = null): readonly ChangeStreams[] {
  const changeStreams = new ChangeStreamTally(since);
  const context = new LogContext({ changeStreams });
  context.drivers.add(
    line('client metadata', {
      remote: '10.0.0.1:1',
      doc: { application: { name: 'feed' }, driver: { name: 'nodejs' } },
    }),
  );
  for (const each of lines) slowQueryOf(each, context);
  return changeStreams.summary();
}

const FEED = { namespace: 'shop.orders', appName: 'feed', source: 'logFile' as const };

describe('change streams of a log', () => {
  it.each<[string, readonly string[], readonly Partial<ChangeStreams>[]]>([
    [
      'lost twice',
      [lost(watch({ resumeAfter: TOKEN })), lost(watch({ resumeAfter: TOKEN }))],
      [{ ...FEED, lost: 2, unfiltered: true }],
    ],
    ['resumed', [slow(watch({ resumeAfter: TOKEN }))], [{ ...FEED, lost: 0, resumed: 1, furthestBehindMs: 255_372 }]],
    [
      'begun at a time',
      [
        slow(
          watch({ startAtOperationTime: { $timestamp: { t: AT / 1_000 - 0.372 - 60, i: 1 } } }, { $match: { a: 1 } }),
        ),
      ],
      [{ ...FEED, resumed: 1, furthestBehindMs: 60_372, unfiltered: false }],
    ],
    ['lost while it was read', [lost({ getMore: 7, collection: 'orders', $db: 'shop' })], [{ ...FEED, lost: 1 }]],
    ['of a whole database', [lost({ ...watch({}), aggregate: 1 })], [{ namespace: null, lost: 1 }]],
    ['begun now', [slow(watch({}))], []],
    ['that failed otherwise', [lost(watch({}), 'Interrupted')], []],
    ['and another aggregate', [slow({ aggregate: 'orders', pipeline: [{ $match: {} }], $db: 'shop' })], []],
    ['with a token of another form', [slow(watch({ resumeAfter: { _data: 'abc' } }))], []],
    ['further batches of it', [slow({ getMore: 7 }, { originatingCommand: watch({ resumeAfter: TOKEN }) })], []],
  ])('one %s', (_, lines, expected) => {
    expect(summary(lines)).toMatchObject(expected);
    expect(summary(lines)).toHaveLength(expected.length);
  });

  it('are left out if that was before the time that is asked for', () => {
    expect(summary([lost(watch({}))], AT + 1)).toEqual([]);
  });
});
