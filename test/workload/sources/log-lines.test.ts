import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogLines } from '../../../src/workload/sources/log-file.js';
import { LogContext, slowQueryOf as readSlowQuery, type ReadLine } from '../../../src/workload/sources/slow-query.js';
import { otherLine, slowLine } from '../../support/workload/log-text.js';

const SEED = 20_261_121;
const FIND = slowLine({ find: 'orders', filter: { total: 5 } });

function slowQueryOf(line: string): ReadLine {
  return readSlowQuery(line, new LogContext());
}

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
    event: () => {},
    clientMetadata: () => {},
    connectionEnded: () => {},
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
    expect(read([otherLine(), FIND, otherLine(), FIND].join('\n'))).toMatchObject({
      slow: [FIND, FIND],
      unreadable: 0,
    });
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
    [
      'holds these words in a command',
      otherLine().replace('"attr":{', '"attr":{"cmd":{"find":"logs","filter":{"msg":"Slow query"}},'),
    ],
    [
      'tells of another event in the same bytes',
      otherLine().replace(
        '"attr":{',
        '"attr":{"type":"command","ns":"shop.logs","command":{"find":"logs","filter":{"msg":"Slow query"}},',
      ),
    ],
  ])('is not one that %s', (_what, line) => {
    expect(slowQueryOf(line)).toMatchObject({ at: Date.UTC(2026, 10, 21, 3, 28, 55, 116), execution: 'other' });
  });

  it.each([
    ['syslog', `Nov 21 03:28:55 host mongod[123]: ${FIND}`],
    ['a container', `2026-11-21T03:28:55.116Z stdout F ${FIND}`],
  ])('may stand behind what %s put before it', (_what, line) => {
    expect(slowQueryOf(line).execution).toMatchObject({
      recorded: { milliseconds: 120 },
      shape: { filter: { total: { $eq: '?number' } } },
    });
  });

  it.each(['TTLMonitor', 'ReplWriterWorker-3', 'range-deleter', 'migrateThread'])(
    'of the thread %s of the server itself is ignored',
    (thread) => {
      expect(slowQueryOf(FIND.replace('"conn2"', JSON.stringify(thread))).execution).toBe('ignored');
    },
  );

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
      { seed: SEED, numRuns: 800 },
    );
    expect([unreadable > 100, readable > 50]).toEqual([true, true]);
  });
});

/** A join by what each version documents of such lines; those of 6.0 are read from real servers in the live tests. */
const VERSIONS: readonly (readonly [version: string, line: string])[] = [
  [
    '4.4',
    '{"t":{"$date":"2021-03-01T10:00:00.123+00:00"},"s":"I",  "c":"COMMAND",  "id":51803,   "ctx":"conn12","msg":"Slow query","attr":{"type":"command","ns":"shop.orders","appName":"shop","command":COMMAND,"planSummary":"COLLSCAN","cursorid":1234567890123,"keysExamined":0,"docsExamined":2000,"hasSortStage":true,"numYields":2,"nreturned":101,"queryHash":"3B5A6A3C","planCacheKey":"3B5A6A3C","reslen":5000,"locks":{"Global":{"acquireCount":{"r":3}}},"storage":{},"protocol":"op_msg","durationMillis":150}}',
  ],
  [
    '5.0',
    '{"t":{"$date":"2022-03-01T10:00:00.123+00:00"},"s":"I",  "c":"COMMAND",  "id":51803,   "ctx":"conn12","msg":"Slow query","attr":{"type":"command","ns":"shop.orders","appName":"shop","command":COMMAND,"planSummary":"COLLSCAN","cursorid":1234567890123,"keysExamined":0,"docsExamined":2000,"hasSortStage":true,"numYields":2,"nreturned":101,"reslen":5000,"readConcern":{"level":"local","provenance":"implicitDefault"},"remote":"10.0.0.1:5000","protocol":"op_msg","durationMillis":150}}',
  ],
  [
    '7.0',
    '{"t":{"$date":"2024-03-01T10:00:00.123+00:00"},"s":"I",  "c":"COMMAND",  "id":51803,   "ctx":"conn12","msg":"Slow query","attr":{"type":"command","ns":"shop.orders","appName":"shop","command":COMMAND,"planSummary":"COLLSCAN","planningTimeMicros":300,"cursorid":1234567890123,"keysExamined":0,"docsExamined":2000,"hasSortStage":true,"numYields":2,"nreturned":101,"queryFramework":"sbe","reslen":5000,"cpuNanos":140000000,"remote":"10.0.0.1:5000","protocol":"op_msg","durationMillis":150}}',
  ],
  [
    '8.0',
    '{"t":{"$date":"2025-03-01T10:00:00.123+00:00"},"s":"I",  "c":"COMMAND",  "id":51803,   "svc":"S", "ctx":"conn12","msg":"Slow query","attr":{"type":"command","isFromUserConnection":true,"ns":"shop.orders","collectionType":"normal","appName":"shop","queryShapeHash":"CA3F","command":COMMAND,"planSummary":"COLLSCAN","planningTimeMicros":300,"cursorid":1234567890123,"keysExamined":0,"docsExamined":2000,"hasSortStage":true,"numYields":2,"nreturned":101,"planCacheShapeHash":"3B5A","queryFramework":"sbe","reslen":5000,"queues":{"execution":{"admissions":3}},"workingMillis":149,"durationMillis":150}}',
  ],
];

it.each(VERSIONS)('a line of %s tells of the same operation', (_version, line) => {
  const pipeline = [
    { $lookup: { from: 'customers', localField: 'customer', foreignField: 'key', as: 'customer' } },
    { $sort: { total: -1 } },
  ];
  const command = {
    aggregate: 'orders',
    pipeline,
    cursor: {},
    lsid: { id: { $uuid: '1f0e1a9c-1111-4a2b-9d6c-0123456789ab' } },
    $db: 'shop',
  };
  expect(
    slowQueryOf(line.replace('"command":COMMAND', () => `"command":${JSON.stringify(command)}`)).execution,
  ).toMatchObject({
    shape: {
      namespace: 'shop.orders',
      kind: 'aggregate',
      pipeline: [{ $lookup: { from: 'shop.customers', foreignField: 'key' } }, { $sort: { total: -1 } }],
    },
    recorded: {
      milliseconds: 150,
      documentsExamined: 2_000,
      documentsReturned: 101,
      responseBytes: 5_000,
      inMemorySorts: 1,
    },
    cursor: '1234567890123',
  });
});
