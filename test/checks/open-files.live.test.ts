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

const FEW_COLLECTIONS = 100;
const LIMIT = 1_024;

/** What is said of a server whose process may have so many files open, with few collections and with many. */
async function saidOfFewAndMany() {
  const mongod = await findMongod();
  const path = join(await temporaryFolder(), 'limited-mongod');
  await writeFile(path, `#!/bin/sh\nulimit -n ${LIMIT}\nexec '${mongod.path}' "$@"\n`);
  await chmod(path, 0o755);
  const server = await startStandalone({ mongod: { ...mongod, path } });
  const client = new MongoClient(server.uri);
  try {
    const database = client.db('files');
    const said = [];
    let created = 0;
    for (const collections of [FEW_COLLECTIONS, COLLECTIONS]) {
      for (; created < collections; created += 1) await database.createCollection(`c${created}x`);
      const { findings, skipped } = await lint({
        uri: server.uri,
        exclude: ['admin.*'],
        checks: [tooManyCollections],
        settings: { 'too-many-collections': { thresholds: { family: 10_000 } } },
      });
      expect(skipped).toEqual([]);
      said.push(findings);
    }
    return said;
  } finally {
    await client.close();
    await server.stop();
  }
}

describe('the limit of files that a real server may have open', () => {
  it('is near with 430 collections and 1,024 files, and not with 100', async () => {
    const [few, many] = await saidOfFewAndMany();
    expect(few).toEqual([]);
    const [finding, ...others] = many ?? [];
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      check: 'too-many-collections',
      severity: 'warning',
      evidence: { collections: COLLECTIONS, indexes: COLLECTIONS, files: 2 * COLLECTIONS, openFilesLimit: LIMIT },
    });
    expect(finding?.message).toContain('may have 1,024 files open at once');
  });
});
