import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogLines } from '../../src/evidence/workload/log-lines.js';
import { slowQueryOf } from '../../src/evidence/workload/slow-query.js';
import { otherLine, slowLine } from './log-text.js';

const SEED = 20_261_121;
const FIND = slowLine({ find: 'orders', filter: { total: 5 } });

interface Read {
  slow: string[];
  unreadable: number;
  times: number[];
}

/** Reads a log in pieces of so many bytes. */
function read(log: Buffer | string, pieceBytes = 64 * 1024): Read {
  const found: Read = { slow: [], unreadable: 0, times: [] };
  const lines = new LogLines({
    slowQuery: (line) => found.slow.push(line),
    unreadable: () => (found.unreadable += 1),
    covers: (at) => found.times.push(at),
  });
  const bytes = Buffer.from(log);
  for (let start = 0; start < bytes.length; start += pieceBytes) lines.add(bytes.subarray(start, start + pieceBytes));
  lines.end();
  return found;
}

describe('lines of a log', () => {
  it('about slow operations are given, others are not', () => {
    expect(read([otherLine(), FIND, otherLine(), FIND].join('\n'))).toMatchObject({ slow: [FIND, FIND], unreadable: 0 });
  });

  it.each([1, 2, 7, 100, 1_000])('are the same in pieces of %i bytes', (pieceBytes) => {
    const log = [otherLine(), FIND, '', 'garbage', FIND, otherLine()].join('\r\n');
    const { slow, unreadable } = read(log, pieceBytes);
    expect({ slow, unreadable }).toEqual({ slow: [FIND, FIND], unreadable: 1 });
  });

  it('tell what time the log covers', () => {
    const log = [
      otherLine('2026-11-21T03:00:00.000+00:00'),
      FIND,
      'garbage',
      otherLine('2026-11-21T05:00:00.000+02:00'),
    ].join('\n');
    expect(Math.min(...read(log).times)).toBe(Date.UTC(2026, 10, 21, 3));
  });

  it.each<[string, string | Buffer]>([
    ['that were cut', otherLine().slice(0, 60)],
    ['of another program', 'Nov 21 03:28:55 host kernel: oom'],
    ['of servers before 4.4', '2019-11-21T03:28:55.116+0000 I COMMAND  [conn2] command shop.orders find 120ms'],
    ['that are binary', Buffer.from([0, 1, 2, 0xff, 0xfe])],
    ['of another structure', '{"level":"info"}'],
  ])('%s count as unreadable', (_what, line) => {
    const log = Buffer.concat([Buffer.from(`${FIND}\n`), Buffer.from(line), Buffer.from(`\n${FIND}\n`)]);
    expect(read(log)).toMatchObject({ slow: [FIND, FIND], unreadable: 1 });
  });

  it('without end are skipped, in bounded memory', () => {
    const endless = Buffer.alloc(20 * 1024 * 1024, 'x');
    const log = Buffer.concat([Buffer.from(`${FIND}\n`), endless, Buffer.from(`\n${FIND}`)]);
    expect(read(log)).toMatchObject({ slow: [FIND, FIND], unreadable: 1 });
  });

  it('without an end at the end of the log count once', () => {
    expect(read(`${FIND}\n${FIND.slice(0, 90)}`)).toMatchObject({ slow: [FIND], unreadable: 1 });
  });
});

describe('a line about a slow operation', () => {
  it.each([
    ['syslog', `Nov 21 03:28:55 host mongod[123]: ${FIND}`],
    ['a container', `2026-11-21T03:28:55.116Z stdout F ${FIND}`],
  ])('may stand behind what %s put before it', (_what, line) => {
    expect(slowQueryOf(line).execution).toMatchObject({
      milliseconds: 120,
      shape: { filter: { total: { $eq: '?number' } } },
    });
  });

  it('says what the server cut', () => {
    const cut = FIND.replace(
      /\}$/,
      ',"truncated":{"command":{"filter":{"x":{"type":"string","size":20005}}}},"size":{"command":20089}}',
    );
    expect(slowQueryOf(cut).execution).toMatchObject({ shape: { truncated: true } });
  });

  it.each([
    ['interleaved', `${FIND.slice(0, 150)}${FIND}`],
    ['doubled', FIND + FIND],
    ['cut', `${FIND.slice(0, 150)}}`],
    ['without attributes', FIND.replace('"attr"', '"other"')],
    ['without a time', FIND.replace('2026-11-21', 'someday')],
    [
      'nested without end',
      slowLine({ find: 'orders', filter: 'X' }).replace('"X"', `${'{"$and":['.repeat(50_000)}1${']}'.repeat(50_000)}`),
    ],
  ])('that is %s is unreadable', (_what, line) => {
    expect(slowQueryOf(line).execution).toBe('unreadable');
  });

  it('never throws, whatever bytes are changed in it', () => {
    const changes = fc.array(
      fc.tuple(
        fc.nat(FIND.length),
        fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('{', '}', '"', ',', '\0', '[')),
        fc.nat(40),
      ),
      { minLength: 1, maxLength: 6 },
    );
    let unreadable = 0;
    let readable = 0;
    fc.assert(
      fc.property(changes, (edits) => {
        let line = FIND;
        for (const [at, text, removed] of edits) line = line.slice(0, at) + text + line.slice(at + removed);
        const { slow, unreadable: skipped } = read(`${FIND}\n${line.replaceAll('\n', ' ')}\n${FIND}\n`);
        expect(slow.filter((found) => found === FIND).length).toBeGreaterThanOrEqual(2);
        const broken = slow.filter((found) => slowQueryOf(found).execution === 'unreadable').length;
        expect(broken + skipped).toBeLessThanOrEqual(1);
        if (broken + skipped === 1) unreadable += 1;
        else readable += 1;
      }),
      { seed: SEED, numRuns: 3_000 },
    );
    expect([unreadable > 100, readable > 100]).toEqual([true, true]);
  });
});
