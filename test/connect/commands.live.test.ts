import { type CommandStartedEvent, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertReadOnlyPipeline } from '../../src/connect/allowed-commands.js';
import type { Report } from '../../src/report/report.js';
import { useConnection } from '../support/connection.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

/** Reads, every one. Written out here and not imported, so that a command added to the code shows up in this test. */
const READS = new Set([
  'aggregate',
  'buildInfo',
  'connectionStatus',
  'count',
  'find',
  'getLog',
  'hello',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'planCacheListFilters',
  'profile',
  'replSetGetStatus',
  'serverStatus',
]);
/** The driver's own housekeeping, which takes no `maxTimeMS`: `getMore` inherits its cursor's. */
const HOUSEKEEPING = new Set(['endSessions', 'getMore', 'killCursors', 'ping']);

describe('the commands of a full run', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const started: CommandStartedEvent[] = [];
  let report: Report;

  beforeAll(async () => {
    await database.collection('few').insertMany([{ a: 1 }, { a: 2 }]);
    await database.collection('many').insertMany(Array.from({ length: 25_000 }, (_, number) => ({ number })));
    await database.collection('some').insertMany(Array.from({ length: 2_000 }, (_, number) => ({ number })));
    const filler = Buffer.alloc(1_000_000);
    await database.collection('heavy').insertMany(Array.from({ length: 80 }, () => ({ filler })));
    // One document that the sample is likely to miss, so that the search for it runs too.
    await database.collection('many').insertOne({ filler: Buffer.alloc(15_000_000) });
    await database.createCollection('view', { viewOn: 'few', pipeline: [] });
    await database.createCollection('readings', { timeseries: { timeField: 'at' } });
    report = await lintShared({
      include: [`${database.databaseName}.*`],
      sampleBytes: 20_000_000,
      onClient: (linting) => linting.on('commandStarted', (event) => started.push(event)),
    });
  });

  it('are reads on the allow-list', () => {
    expect(report.collections).toHaveLength(6);
    const names = new Set(started.map(({ commandName }) => commandName));
    expect([...names].filter((name) => !READS.has(name) && !HOUSEKEEPING.has(name))).toEqual([]);
    expect([...names]).toEqual(expect.arrayContaining(['aggregate', 'find', 'getMore', 'listCollections']));
  });

  it('ask for the settings of the profiler, and set none', () => {
    const asked = started
      .filter(({ commandName }) => commandName === 'profile')
      .map(({ command }) => command['profile'] as unknown);
    expect(new Set(asked)).toEqual(new Set([-1]));
    expect(
      started.filter(
        ({ commandName, command }) =>
          commandName === 'profile' && ('slowms' in command || 'sampleRate' in command || 'filter' in command),
      ),
    ).toEqual([]);
  });

  it('hold no stage that writes', () => {
    const pipelines = started.flatMap(({ command }) =>
      command['pipeline'] === undefined ? [] : [command['pipeline'] as Document[]],
    );
    expect(pipelines.length).toBeGreaterThan(0);
    expect(JSON.stringify(pipelines)).not.toMatch(/"\$(?:out|merge)"/);
  });

  it('carry maxTimeMS and a comment that names mongolint', () => {
    const reads = started.filter(({ commandName }) => READS.has(commandName));
    expect(reads.length).toBeGreaterThan(10);
    for (const { commandName, command } of reads) {
      expect({ commandName, ...command }).toMatchObject({
        commandName,
        comment: 'mongolint',
        maxTimeMS: expect.any(Number),
      });
    }
    const batches = started.filter(({ commandName }) => commandName === 'getMore');
    for (const { command } of batches) expect(command).toMatchObject({ comment: 'mongolint' });
  });

  // A view is not opened: its stages are not mongolint's.
  it('open no view', () => {
    const opened = started.filter(({ commandName, command }) => command[commandName] === 'view');
    expect(opened.map(({ commandName }) => commandName)).toEqual([]);
  });

  it('ask for a secondary first', () => {
    const reads = started.filter(
      ({ commandName, databaseName }) => commandName === 'find' && databaseName === database.databaseName,
    );
    expect(reads.length).toBeGreaterThan(0);
    for (const { command } of reads)
      expect(command['$readPreference']).toMatchObject({
        mode: expect.stringMatching(/^(?:secondary|primary)Preferred$/),
      });
  });
});

describe('the door to the server', () => {
  const connection = useConnection(sharedReplicaSetUri);

  it('names the client', async () => {
    expect(connection().client.options.appName).toBe('mongolint');
  });

  it.each(['insert', 'update', 'delete', 'drop', 'createIndexes', 'collMod', 'eval', 'killOp'])(
    'refuses %s',
    async (name) => {
      await expect(connection().reader.command('shop', { [name]: 'orders' })).rejects.toThrow('not on the list');
    },
  );

  it('refuses an aggregate without a pipeline that it can read', async () => {
    const command = { aggregate: 'orders', pipeline: { 0: { $out: 'copy' } }, cursor: {} };
    await expect(connection().reader.command('shop', command)).rejects.toThrow('never writes');
  });

  it.each<[string, Document[]]>([
    ['$out', [{ $match: {} }, { $out: 'copy' }]],
    ['$merge', [{ $merge: { into: 'copy' } }]],
    ['$merge in a $facet', [{ $facet: { copy: [{ $merge: 'copy' }] } }]],
    ['$out in a $lookup', [{ $lookup: { from: 'a', pipeline: [{ $out: 'copy' }], as: 'a' } }]],
    ['$out in a $unionWith', [{ $unionWith: { coll: 'a', pipeline: [{ $out: 'copy' }] } }]],
    ['$out in a stage that later servers have', [{ $rankFusion: { input: { pipelines: { a: [{ $out: 'copy' }] } } } }]],
    [
      '$merge at any depth',
      [{ $lookup: { from: 'a', pipeline: [{ $unionWith: { coll: 'b', pipeline: [{ $merge: 'copy' }] } }], as: 'a' } }],
    ],
    ['what is no stage', [null as unknown as Document]],
  ])('refuses %s', async (_, pipeline) => {
    await expect(connection().reader.command('shop', { aggregate: 'orders', pipeline, cursor: {} })).rejects.toThrow(
      'never writes',
    );
    expect(() => assertReadOnlyPipeline(pipeline)).toThrow('never writes');
    expect(() => connection().reader.aggregate('shop', 'orders', pipeline)).toThrow('never writes');
    expect(() => connection().reader.aggregateRaw('shop', 'orders', pipeline)).toThrow('never writes');
  });
});
