import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upgradeTo8 } from '../../checks/upgrade-to-8.js';
import { upgradeTo9 } from '../../checks/upgrade-to-9.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedReplicaSetUri, sharedServerVersion } from '../support/database.js';
import { element, int32, object, string } from '../support/documents/bson-bytes.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Inserts bytes that no driver would write, by OP_MSG: drivers make null of undefined. */
async function insertBytes(
  uri: string,
  database: string,
  collection: string,
  documents: readonly number[][],
): Promise<void> {
  const list = documents.map((one, at) => element(0x03, String(at), one));
  const body = object(
    element(0x02, 'insert', string(collection)),
    element(0x04, 'documents', object(...list)),
    element(0x02, '$db', string(database)),
  );
  const [, host = '', port = ''] = /^mongodb:\/\/([^:/]+):(\d+)/.exec(uri) ?? [];
  const message = Buffer.from([
    ...int32(16 + 5 + body.length),
    ...int32(1),
    ...int32(0),
    ...int32(2013),
    ...int32(0),
    0,
    ...body,
  ]);
  const socket = connectSocket(Number(port), host);
  const answered = new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject));
  socket.write(message);
  await answered;
  socket.end();
}

const name = (type: number, value: number[] = []) => object(element(type, 'name', value));
const at = new Date(0);
const RANKED = [{ $setWindowFields: { sortBy: { score: 1 }, output: { place: { $rank: {} } } } }];
const range = { step: 1, unit: 'hour', bounds: 'full' };
const DENSIFIED = [{ $densify: { field: 'at', partitionByFields: ['at.zone'], range } }];
const MAJOR = Number.parseInt(sharedServerVersion(), 10);
const [isBefore8, isBefore9] = [MAJOR < 8, MAJOR < 9];

describe('what an upgrade changes, before it is made', () => {
  const uri = sharedReplicaSetUri();
  const client = new MongoClient(uri);
  afterAll(() => client.close());
  const database = freshDatabase(client);
  const count = (collection: string, filter: Document) => database.collection(collection).countDocuments(filter);
  const pathsFor = async (release: '8.0' | '9.0') => {
    const report = await lint({
      uri,
      include: [`${database.databaseName}.*`],
      checks: [upgradeTo8, upgradeTo9],
      for: release,
    });
    return report.findings.map(({ check, severity, path }) => `${check} ${severity} ${path}`).toSorted();
  };

  beforeAll(async () => {
    const { databaseName } = database;
    const people = [name(0x0a), name(0x06), name(0x02, string('Ada'))];
    await insertBytes(uri, databaseName, 'people', people);
    await database.collection('carts').insertMany([{ a: [1] }, { a: [] }, { a: [{ b: 1 }] }, { o: { b: 1 } }]);
    await database.collection('games').insertMany([{ score: null, at }, { at }, { score: 1, at }]);
    await recordOperations(database, async () => {
      await database.collection('people').find({ name: null }).toArray();
      await database.collection('people').find({ name: 'Ada' }).toArray();
      await database.collection('carts').find({ 'a.b': null }).toArray();
      await database.collection('carts').find({ 'o.b': null }).toArray();
      await database.collection('games').aggregate(RANKED).toArray();
      await database
        .collection('games')
        .aggregate(DENSIFIED)
        .toArray()
        .catch(() => null);
      await database.collection('carts').updateMany({ 'a.b': { $ne: null } }, { $set: { seen: true } });
    });
  });

  it('is what the compatibility pages say of this release', async () => {
    expect(await count('people', { name: null })).toBe(isBefore8 ? 2 : 1);
    expect(await count('people', { name: { $type: 6 } })).toBe(1);
    expect(await count('carts', { 'a.b': null })).toBe(isBefore9 ? 1 : 3);
    expect(await count('carts', { 'a.b': { $exists: false } })).toBe(3);
    const places = (await database.collection('games').aggregate(RANKED).toArray()).map(({ place }) => place);
    expect(places).toEqual(isBefore8 ? [1, 2, 3] : [1, 1, 3]);
    const densified = database.collection('games').aggregate(DENSIFIED).toArray();
    // Since 8.1: the version is not asked for so exactly here.
    if (isBefore8) await densified;
    else await densified.catch(() => null);
  });

  it('is found without the server, in an evidence file that is judged for a release', async () => {
    const file = join(await temporaryFolder(), 'evidence.jsonl');
    const include = ['--include', `${database.databaseName}.*`];
    const collected = await runCaptured(['collect', ...include, '--output', file, '--no-config'], { MONGODB_URI: uri });
    expect([collected.exitCode, collected.stderr.includes('Error')]).toEqual([0, false]);
    const only = ['upgrade-to-8', 'upgrade-to-9'].flatMap((id) => ['--check', id]);
    for (const release of ['8.0', '9.0'] as const) {
      const asked = ['judge', file, '--for', release, ...only, '--format', 'json', '--no-config'];
      const { stdout, stderr, exitCode } = await runCaptured([...asked, '--fail-on', 'never']);
      expect([exitCode, stderr]).toEqual([0, '']);
      const { findings, cautions = [] } = JSON.parse(stdout) as Report;
      expect(cautions.some((text) => text.includes('must go through 7.0'))).toBe(MAJOR < 7);
      const found = findings.map(({ check, severity, path }) => `${check} ${severity} ${path}`);
      expect(found.toSorted()).toEqual(await pathsFor(release));
    }
  });

  it('is found for the operations and documents that it is about, and is gone after the remedy', async () => {
    const to8 = isBefore8 ? ['upgrade-to-8 warning name', 'upgrade-to-8 warning score'] : [];
    const to9 = isBefore9 ? ['upgrade-to-9 error $densify', 'upgrade-to-9 error a.b'] : [];
    expect(await pathsFor('8.0')).toEqual(to8);
    expect(await pathsFor('9.0')).toEqual([...to8, ...to9]);
    await database.collection('people').updateMany({ name: { $type: 6 } }, [{ $set: { name: null } }]);
    await database.collection('carts').deleteMany({ $or: [{ a: [] }, { a: 1 }] });
    await database.collection('games').updateMany({ score: { $exists: false } }, { $set: { score: null } });
    expect(await pathsFor('9.0')).toEqual(isBefore9 ? ['upgrade-to-9 error $densify'] : []);
  });
});
