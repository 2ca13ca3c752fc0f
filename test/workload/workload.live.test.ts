import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/connect/connect.js';
import { isBefore } from '../../src/connect/server-version.js';
import { takeInventory } from '../../src/inventory/inventory.js';
import { collectWorkload } from '../../src/workload/collect-workload.js';
import { joinedFields } from '../../src/workload/joins/join.js';
import { averageOf, bestFigures } from '../../src/workload/operations/figures.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { FigureSource, Operation, OperationFigures, Workload } from '../../src/workload/workload.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { operationsByText, OTHERS, QUERIES } from '../support/workload/expected-workload.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';
import { joinInBatches, ORDERS, plantShop, runShop, SECRET } from '../support/workload/shop-workload.js';

const RUNS = 3;
const BATCHED = 'aggregate orders $lookup';

describe.each([
  { version: '6.0.5 or what the machine has', provide: () => findMongod(), args: [] },
  { version: '6.0.27', provide: findMongod6027, args: ['--setParameter', 'internalQueryStatsRateLimit=-1'] },
])('the workload of $version', ({ provide, args }) => {
  let server: LoggingServer;
  let connection: Connection;
  let database: Db;
  let workload: Workload;
  let operations: Map<string, Operation>;

  beforeAll(async () => {
    server = await startLoggingServer(await provide(), args);
    database = server.client.db('shop');
    // On a busy machine planting takes longer than 100 ms.
    await database.command({ profile: 0, slowms: 100_000 });
    await plantShop(database);
    await database.command({ profile: 2, slowms: -1 });
    for (let run = 0; run < RUNS; run += 1) await runShop(database, run);
    await database.command({ profile: 0, slowms: 100 });
    connection = await connect({ uri: server.uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
    workload = await collect(server.logPath);
    operations = operationsByText(workload, 'shop');
  });
  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  });

  async function collect(...logFiles: string[]): Promise<Workload> {
    const { databases, collections } = await takeInventory(connection.reader, () => true, 4);
    return collectWorkload(connection.reader, { databases, collections, logFiles });
  }

  const sources: FigureSource[] = ['profiler', 'recentLog', 'logFile'];

  it.each(sources)('holds each operation of the %s once per execution', (source) => {
    const executions = Object.fromEntries(
      [...QUERIES, ...OTHERS].map((text) => [text, figuresOf(text, source).executions]),
    );
    expect(executions).toEqual(Object.fromEntries([...QUERIES, ...OTHERS].map((text) => [text, RUNS])));
  });

  it('says of query stats whether there are any', async () => {
    const { queryStats } = workload.sources;
    const { version } = await server.client.db('admin').command({ buildInfo: 1 });
    // Measured: 6.0.5 does not know them, 6.0.27 and 7.0.28 do.
    const expected = isBefore(String(version), '6.0.27') ? 'unsupported' : 'present';
    expect(queryStats.present ? 'present' : queryStats.reason).toBe(expected);
  });

  it('holds nothing else of the database', () => {
    expect([...operations.keys()].sort()).toEqual([...QUERIES, ...OTHERS].sort());
  });

  it('holds what the operations cost', () => {
    const find = operations.get('find orders total+name') as Operation;
    expect(find.shape).toMatchObject({ filter: { name: { $regex: '?regex:prefix,i' } }, sort: { total: -1 } });
    expect(find.figures.profiler).toMatchObject({
      inMemorySorts: RUNS,
      planSummaries: { COLLSCAN: RUNS },
      keysExamined: 0,
      documentsReturned: 0,
    });
    expect(averageOf(find, 'documentsExamined')?.value).toBeCloseTo(ORDERS + 1, 0);
    expect(figuresOf('find orders customerId', 'profiler').longestLiteralArray).toBe(RUNS + 1);
    expect(figuresOf('insert orders', 'profiler').documentsWritten).toBe(RUNS);
    expect(bestFigures(find).figures.executions).toBe(RUNS);
  });

  it('holds an operation once whose command the log cut off, and the profiler did not', async () => {
    const lists = await database.createCollection('lists');
    const list = Array.from({ length: 2_000 }, (_, number) => number + 0.5);
    await database.command({ profile: 2, slowms: -1 });
    for (let run = 0; run < RUNS; run += 1) await lists.find({ number: { $in: list }, after: run }).toArray();
    await database.command({ profile: 0, slowms: 100 });
    const lines = (await readFile(server.logPath, 'utf8')).split('\n').filter((line) => line.includes(lists.namespace));
    expect(lines.some((line) => line.includes('"truncated":{"command"'))).toBe(true);
    const own = (await collect(server.logPath)).operations.filter(({ shape }) => shape.namespace === lists.namespace);
    expect(own.map(({ shape }) => [Object.keys(shape.filter ?? {}), shape.truncated])).toEqual([
      [['number', 'after'], undefined],
    ]);
    await lists.drop();
  });

  it('says what each source covers', () => {
    const { profiler, recentLog, logFile } = workload.sources;
    expect(profiler).toMatchObject({
      value: {
        parts: [{ database: 'shop', member: 'the server', coverage: { operations: 'none' }, bounded: false }],
        gaps: [],
      },
    });
    // Its lines are of operations faster than the threshold of today: they were recorded by another.
    expect(recentLog).toMatchObject({
      value: { parts: [{ coverage: { operations: 'part', slowMilliseconds: null, sampleRate: null } }] },
    });
    expect(logFile).toMatchObject({ value: { parts: [{ file: 'mongod.log', unreadable: 0 }] } });
    for (const source of [profiler, recentLog, logFile]) {
      const window = source.present ? source.value.parts[0]?.window : null;
      expect((window?.to ?? 0) - (window?.from ?? 0)).toBeGreaterThan(0);
    }
  });

  it('holds no value, no comment and no network address', () => {
    const text = JSON.stringify({ ...workload, sources: {} });
    expect(text).not.toContain(SECRET);
    expect(text).not.toMatch(/"(?:client|remote|addresses|comment|lsid)"/);
    expect(JSON.stringify(traceWorkload(workload).joinUses)).not.toContain(SECRET);
  });

  it('counts what the server counts', () => {
    const counters = workload.counters.present ? workload.counters.value : null;
    expect(counters?.stages['$lookup']).toBeGreaterThanOrEqual(RUNS);
    expect(counters?.operations['insert']).toBeGreaterThan(0);
    expect(counters?.window.from).toBeLessThan(counters?.window.to ?? 0);
  });

  it('shows every join, once per key', () => {
    const { joinUses, tracedOperations } = traceWorkload(workload);
    const fields = joinedFields(joinUses);
    expect(fields.map(({ namespace, path }) => [namespace, path])).toEqual([['shop.customers', 'key']]);
    const forms = new Set(fields[0]?.uses.map(({ join }) => join.form));
    expect(forms).toEqual(new Set(['fields', 'expression']));
    const joining = tracedOperations
      .filter(({ joins }) => joins.length > 0)
      .map(({ operation }) => operation.shape.namespace);
    expect(new Set(joining)).toEqual(new Set(['shop.orders', 'shop.boughtBy', 'shop.boughtByBusinesses']));
  });

  it('is the same from a gzipped log', async () => {
    const zipped = `${server.logPath}.gz`;
    await writeFile(zipped, gzipSync(await readFile(server.logPath)));
    const again = operationsByText(await collect(zipped), 'shop');
    for (const text of [...QUERIES, ...OTHERS]) expect(again.get(text)?.figures.logFile?.executions).toBe(RUNS);
  });

  it('takes the batches of an operation for part of it', async () => {
    await database.command({ profile: 2, slowms: -1 });
    await joinInBatches(database);
    await database.command({ profile: 0, slowms: 100 });
    const after = operationsByText(await collect(server.logPath), 'shop').get(BATCHED);
    for (const source of ['profiler', 'logFile', 'recentLog'] as const) {
      expect(after?.figures[source]).toMatchObject({ executions: 1, documentsReturned: ORDERS + RUNS });
    }
  });

  it('never holds what mongolint itself did', async () => {
    await database.command({ profile: 2, slowms: -1 });
    for (let time = 0; time < 3; time += 1) await collect();
    await connection.reader.aggregate('shop', 'orders', [{ $sample: { size: 5 } }]).toArray();
    await database.command({ profile: 0, slowms: 100 });
    const { operations: found } = await collect(server.logPath);
    const text = JSON.stringify(found);
    expect(text).not.toContain('$sample');
    expect(text).not.toContain('system.profile');
    expect(text).not.toContain('$collStats');
  });

  function figuresOf(text: string, source: FigureSource): OperationFigures {
    const figures = operations.get(text)?.figures[source];
    if (figures === undefined) throw new Error(`${source} has no "${text}", but ${[...operations.keys()].join(', ')}`);
    return figures;
  }
});
