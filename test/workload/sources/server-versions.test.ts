import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ClusterReader, Member } from '../../../src/connect/cluster-reader.js';
import {
  executionOf,
  isExecution,
  planSummaryShape,
  type Execution,
} from '../../../src/workload/operations/execution.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { readLogFiles } from '../../../src/workload/sources/log-file.js';
import { PROJECTION } from '../../../src/workload/sources/profiler.js';
import { readQueryStats } from '../../../src/workload/sources/query-stats.js';
import { LogContext, type ReadLine, slowQueryOf } from '../../../src/workload/sources/slow-query.js';
import type { OperationFigures } from '../../../src/workload/workload.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { RECORDED_KINDS } from '../../support/workload/recorded-entries.js';

// Stood in: servers of 8.x and 9.x, which can't be had here. Where each entry was found is told beside it.

type Line = NonNullable<(typeof RECORDED_KINDS)[number]['line']>;

function lineOf({ svc, msg = 'Slow query', attr }: Line, at = '2026-10-02T17:27:18.373+00:00', ctx = 'conn2'): string {
  const service = svc === undefined ? {} : { svc };
  return JSON.stringify({ t: { $date: at }, s: 'I', c: 'COMMAND', id: 51803, ...service, ctx, msg, attr });
}

const kinds = (of: 'line' | 'profile' | 'stats') =>
  RECORDED_KINDS.flatMap((each) =>
    each[of] === undefined ? [] : [[`${each.server}: ${each.kind}`, each[of], each.read] as const],
  );

async function statsOf(entries: readonly Document[]) {
  const raw = entries.map((entry) => BSON.serialize(entry));
  const cursor = {
    hasNext: async () => raw.length > 0,
    readBufferedDocuments: () => raw.splice(0),
    close: async () => undefined,
  };
  const reader = { capabilities: { engine: { name: 'MongoDB' } }, aggregateDatabaseRaw: () => cursor };
  const node: Member = { name: 'the primary', reader: reader as unknown as ClusterReader };
  return readQueryStats([node], new Map());
}

async function figuresOf(...lines: readonly string[]): Promise<readonly OperationFigures[]> {
  const path = join(await temporaryFolder(), 'mongod.log');
  await writeFile(path, `${lines.join('\n')}\n`);
  const { logFile } = await readLogFiles([path], () => false);
  return logFile.operations.map(({ figures }) => figures);
}

/** An execution with the figures that it has alone. */
function withFigures(read: ReadLine['execution']): unknown {
  if (typeof read === 'string' || !isExecution(read)) return read;
  const sum = new FiguresSum();
  sum.add(read);
  return { ...read, figures: sum.figures() };
}

function spillingEntry(more: Document): Execution {
  const fields = { ns: 'shop.orders', cursorid: 7, sortSpilledBytes: 9382614, peakTrackedMemBytes: 235929, ...more };
  const rest = { operation: 'command', at: 0, milliseconds: 1, responseBytes: 1, user: '', truncated: false };
  const read = executionOf({ fields, ...rest });
  if (!isExecution(read)) throw new Error(JSON.stringify(read));
  return read;
}

/** Sources: the manual of 9.0, "Database Profiler Output", `system.profile.op`; "$queryStats"; release notes of 8.0 and 9.0. */
const DOCUMENTED = {
  profile: 'command count distinct geoNear getMore group insert mapReduce query remove update bulkWrite msg',
  stats: 'find aggregate distinct insert update delete',
};

describe('each kind of entry that servers record is understood or counted', () => {
  it.each(Object.entries(DOCUMENTED))('each that the documentation names has an entry here: %s', (of, names) => {
    const known = RECORDED_KINDS.flatMap(({ profile, stats }): unknown[] =>
      of === 'stats'
        ? [stats?.['key'].queryShape.command]
        : [profile?.['op'], ...Object.keys(profile?.['command'] ?? {}).slice(0, 1)],
    );
    const lowerCase = new Set(known.map((name) => String(name).toLowerCase()));
    expect(names.split(' ').filter((name) => !lowerCase.has(name.toLowerCase()))).toEqual([]);
  });

  it.each(kinds('line'))('in the log, %s', (_kind, line, read) => {
    const { execution } = slowQueryOf(lineOf(line as Line), new LogContext());
    expect([withFigures(execution)]).toMatchObject([read]);
  });

  it.each(kinds('profile'))('in the profiler, %s', (_kind, fields, expected) => {
    const entry = fields as Document;
    const read = executionOf({
      fields: entry,
      operation: entry['op'],
      at: 0,
      milliseconds: entry['millis'],
      responseBytes: entry['responseLength'],
      user: '',
      truncated: false,
    });
    expect([withFigures(read)]).toMatchObject([expected]);
  });

  it.each([...kinds('profile'), ...kinds('line')])('all that is read of it is asked for: %s', (_kind, given) => {
    const asked = new Set<PropertyKey>();
    const fields = new Proxy<Document>((given as Document)['attr'] ?? given, {
      get: (entry, name) => {
        asked.add(name);
        return entry[String(name)] as unknown;
      },
    });
    const rest = { operation: 'command', at: 0, milliseconds: 5, responseBytes: 5, user: '', truncated: false };
    executionOf({ fields, ...rest });
    expect([...asked].filter((name) => !(name in PROJECTION))).toEqual([]);
  });

  const stats = kinds('stats').map(([kind, entry, read]) => {
    const { notUnderstood, ...operation } = read as Document;
    const unknown = typeof notUnderstood === 'string';
    return {
      kind,
      entry: entry as Document,
      operations: unknown ? [] : [operation],
      unknown: { ...(unknown && { [notUnderstood]: 1 }) },
    };
  });

  it.each(stats)('in the query stats, $kind', async ({ entry, operations, unknown }) => {
    const read = await statsOf([entry]);
    expect(read.operations).toMatchObject(operations);
    const [part] = read.source.present ? read.source.value.parts : [];
    expect(part?.notUnderstood ?? {}).toEqual(unknown);
  });

  it('in the query stats: writes are sampled at a rate of their own, so they are a part', async () => {
    const { source } = await statsOf(kinds('stats').map(([, entry]) => entry as Document));
    expect(source).toMatchObject({ value: { parts: [{ entries: 7, coverage: { operations: 'part' } }] } });
  });
});

describe('a plan of 8.0', () => {
  it.each([
    ['EXPRESS_IXSCAN { _id: 1 },EXPRESS_UPDATE', 'EXPRESS_IXSCAN { _id: 1 },EXPRESS_UPDATE'],
    [
      'EXPRESS_IXSCAN { scores.65f1c0ffee65f1c0ffee65f1: 1 },EXPRESS_DELETE',
      'EXPRESS_IXSCAN { scores.*: 1 },EXPRESS_DELETE',
    ],
    ['EXPRESS_CLUSTERED_IXSCAN,EXPRESS_UPDATE', 'EXPRESS_CLUSTERED_IXSCAN,EXPRESS_UPDATE'],
  ])('%s keeps no name that is data', (summary, kept) => {
    expect(planSummaryShape(summary)).toBe(kept);
  });
});

describe('a bulkWrite', () => {
  const [insert, update] = [
    { insert: 0, document: { a: 1 } },
    { update: 1, filter: { a: 1 }, updateMods: { $set: { b: 2 } } },
  ];
  const nsInfo = [{ ns: 'shop.orders' }, { ns: 'shop.items' }];
  const command = { bulkWrite: 1, ops: [insert, update, update], nsInfo };
  const top = (more: Document = {}): Line => ({
    svc: 'R',
    attr: {
      type: 'command',
      ns: 'admin.$cmd',
      appName: 'shop',
      command: { ...command, ...more },
      locks: {},
      durationMillis: 120,
    },
  });

  it('of mongos counts each statement once, and knows no time of it', async () => {
    const path = join(await temporaryFolder(), 'mongos.log');
    await writeFile(path, `${lineOf(top())}\n`);
    const { routerLog } = await readLogFiles([path], () => false);
    expect(routerLog.operations.map(({ shape, figures }) => [shape.namespace, shape.kind, figures.executions])).toEqual(
      [
        ['shop.orders', 'insert', 1],
        ['shop.items', 'update', 2],
      ],
    );
    expect(routerLog.operations[0]?.figures.milliseconds).toBeNull();
  });

  it('of mongos whose namespaces the log cut off is left out, and nothing is made up', () => {
    const { nsInfo: _, ...cut } = command;
    const line = {
      svc: 'R',
      attr: { type: 'command', ns: 'admin.$cmd', command: cut, locks: {}, durationMillis: 120 },
    };
    expect(slowQueryOf(lineOf(line), new LogContext()).execution).toBe('ignored');
  });

  it('of mongod counts by its statements alone', async () => {
    const path = join(await temporaryFolder(), 'mongod.log');
    const statement = {
      attr: {
        type: 'bulkWrite',
        ns: 'shop.items',
        command: update,
        docsExamined: 9,
        nModified: 1,
        locks: { Global: {} },
        durationMillis: 110,
      },
    };
    const { attr } = top();
    const lines = [lineOf(statement), lineOf({ attr: { ...attr, locks: { Global: {} } } })];
    await writeFile(path, `${lines.join('\n')}\n`);
    const { logFile } = await readLogFiles([path], () => false);
    expect(logFile.operations).toMatchObject([
      { shape: { namespace: 'shop.items', kind: 'update' }, figures: { executions: 1, documentsExamined: 9 } },
    ]);
  });
});

/** Source: slowprog-9.0.2.log and mongod-9.0.2.log of saqibameen86/mdbkit, tests/fixtures/real. */
describe('an operation in progress (8.3, id 1794200)', () => {
  const attr = {
    type: 'command',
    isFromUserConnection: true,
    ns: 't.c',
    appName: 'mongosh 2.12.0',
    command: { find: 'c', filter: { $where: 'sleep(3000); return true' }, limit: 1, $db: 't' },
    opid: 15366,
    planSummary: 'COLLSCAN',
    planningTimeMicros: 1746,
    queryFramework: 'classic',
    locks: { Global: { acquireCount: { r: 3 } } },
    workingMillis: 6998,
    durationMillis: 6998,
  };
  const running = lineOf({ msg: 'Slow in-progress query', attr });
  const ended = lineOf({ attr: { ...attr, docsExamined: 1, nreturned: 1, durationMillis: 6999 } });
  const other = lineOf({
    attr: { ...attr, command: { find: 'c', filter: { a: 1 } }, docsExamined: 5, durationMillis: 300 },
  });

  it('counts by its end if that is logged', async () => {
    const [figures, ...more] = await figuresOf(running, ended);
    expect(more).toEqual([]);
    expect(figures).toMatchObject({ executions: 1, milliseconds: 6999, documentsExamined: 1 });
    expect(figures?.unfinished).toBeUndefined();
  });

  it('counts by itself if its end is not, and what it examined is unknown', async () => {
    expect(await figuresOf(running)).toMatchObject([
      {
        executions: 1,
        milliseconds: 6998,
        documentsExamined: null,
        planSummaries: { COLLSCAN: 1 },
        unfinished: { executions: 1, longestMs: 6998 },
      },
    ]);
  });

  it('has not ended well if its connection goes on with another one', async () => {
    const [first, second] = await figuresOf(running, other);
    expect([first, second].map((figures) => figures?.unfinished?.executions ?? 0).toSorted()).toEqual([0, 1]);
  });

  it('leaves the figures of those that ended as they are', async () => {
    const later = lineOf(
      { msg: 'Slow in-progress query', attr: { ...attr, durationMillis: 60_000 } },
      undefined,
      'conn3',
    );
    expect(await figuresOf(running, ended, later)).toMatchObject([
      {
        executions: 1,
        milliseconds: 6999,
        slowestMilliseconds: 60_000,
        documentsExamined: 1,
        unfinished: { executions: 1 },
      },
    ]);
  });
});

describe('what a stage spilled', () => {
  it('is told again with each later batch, and counts once', () => {
    const find = { find: 'orders', filter: {}, sort: { total: -1 } };
    const sum = new FiguresSum();
    sum.add(spillingEntry({ command: find, usedDisk: true }));
    sum.add(spillingEntry({ command: { getMore: 7 }, originatingCommand: find, usedDisk: true }));
    expect(sum.figures()).toMatchObject({
      executions: 1,
      diskUses: 1,
      spills: { sort: 9382614 },
      peakMemoryBytes: 235929,
    });
  });
});
