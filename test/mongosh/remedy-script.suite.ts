// All of it is real: mongosh, the server, and the script.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMongosh } from '../../src/report/mongosh.js';
import { hostileFindings } from '../support/report/hostile-remedies.js';
import { reportOf } from '../support/report/sample-report.js';
import { startReplicaSet } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runMongosh } from './mongosh.js';

describe('the script of --format mongosh', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startReplicaSet();
    client = await new MongoClient(server.uri).connect();
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it('builds, guards and hides whatever the names, and does nothing else', async () => {
    const database = client.db('shop');
    const { names, findings, state } = hostileFindings(database, '');
    for (const name of names) await database.collection(name).createIndex({ old: 1 }, { name: 'old_1' });
    await database.collection('bystander').insertOne({ kept: true });
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'remedies.js'), renderMongosh(reportOf({ findings })));
    // In the database that a name that gets out would drop.
    const uri = server.uri.replace(/\/(?=\?|$)/, '/shop');
    expect(await runMongosh([uri, '--file', 'remedies.js'], folder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(Object.values(await state())).toEqual(
      names.map(() => ({ indexes: ['_id_', 'new_1', 'old_1 hidden'], isValidated: true })),
    );
    expect(await database.collection('bystander').countDocuments()).toBe(1);
  });
});
