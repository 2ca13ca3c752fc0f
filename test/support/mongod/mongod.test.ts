import { copyFile, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { findMongod } from './find-mongod.js';
import { type Mongod, verifyMongod } from './mongod.js';

let mongod: Mongod;
beforeAll(async () => {
  mongod = await findMongod();
});

/** A copy of a real mongod that is open for writing. */
async function copyUnderWay(): Promise<{ path: string; writer: FileHandle }> {
  const path = join(await temporaryFolder(), 'mongod');
  await copyFile(mongod.path, path);
  const writer = await open(path, 'r+');
  onTestFinished(() => writer.close());
  return { path, writer };
}

// Only Linux refuses to run a file that is open for writing.
describe.runIf(process.platform === 'linux')('verifyMongod, of a binary that is open for writing', () => {
  it('waits until it is closed', async () => {
    const { path, writer } = await copyUnderWay();
    const verified = verifyMongod(path);
    setTimeout(() => void writer.close(), 300);
    expect(await verified).toEqual({ path, version: mongod.version });
  });

  it('says so where it stays open', async () => {
    const { path } = await copyUnderWay();
    await expect(verifyMongod(path)).rejects.toThrow(`${path} is being written to by another process`);
  });
});
