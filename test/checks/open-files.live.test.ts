import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { tooManyCollections } from '../../checks/too-many-collections/check.js';
import { lint } from '../../src/lint/lint.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startStandalone } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Each has an index on `_id`: 860 files. */
const COLLECTIONS = 430;

/** What is said of a server whose process may have so many files open. */
async function saidOf(limit: number, collections = COLLECTIONS) {
  const mongod = await findMongod();
  const path = join(await temporaryFolder(), 'limited-mongod');
  await writeFile(path, `#!/bin/sh\nulimit -n ${limit}\nexec '${mongod.path}' "$@"\n`);
  await chmod(path, 0o755);
  const server = await startStandalone({ mongod: { ...mongod, path } });
  const client = new MongoClient(server.uri);
  try {
    const database = client.db('files');
    for (let number = 0; number < collections; number += 1) await database.createCollection(`c${number}x`);
    const { findings, skipped } = await lint({
      uri: server.uri,
      exclude: ['admin.*'],
      checks: [tooManyCollections],
      settings: { 'too-many-collections': { thresholds: { family: 10_000 } } },
    });
    expect(skipped).toEqual([]);
    return findings;
  } finally {
    await client.close();
    await server.stop();
  }
}

describe('the limit of files that a real server may have open', () => {
  it('is near with 430 collections and 1,024 files; a higher limit, or fewer collections, put that right', async () => {
    const [finding, ...others] = await saidOf(1_024);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      check: 'too-many-collections',
      severity: 'warning',
      evidence: { collections: COLLECTIONS, indexes: COLLECTIONS, files: 2 * COLLECTIONS, openFilesLimit: 1_024 },
    });
    expect(finding?.message).toContain('may have 1,024 files open at once');
    expect(await saidOf(4_096)).toEqual([]);
    expect(await saidOf(1_024, 100)).toEqual([]);
  });
});
