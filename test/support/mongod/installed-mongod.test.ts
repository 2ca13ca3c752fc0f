import { copyFile, mkdir, open, symlink, truncate, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { configuredMongod, findMongod, MongodNotFoundError, mongodOnPath } from './find-mongod.js';
import type { Mongod } from './mongod.js';

const noProgress = () => undefined;
const BYTES_OF_A_BROKEN_DOWNLOAD = 1_000_000;

let mongod: Mongod;
beforeAll(async () => {
  mongod = await findMongod();
});

/** Writes a file that is executable but no mongod. */
const unusableFiles: Record<string, { write: (path: string) => Promise<void>; reason: RegExp }> = {
  'a missing file': { write: async () => undefined, reason: /does not exist/ },
  'an empty file': {
    write: (path) => writeFile(path, '', { mode: 0o755 }),
    reason: /is not a mongod|cannot run on this machine/,
  },
  'a binary that was cut off': {
    write: async (path) => {
      await copyFile(mongod.path, path);
      await truncate(path, BYTES_OF_A_BROKEN_DOWNLOAD);
    },
    reason: /cannot run on this machine/,
  },
  'another program': { write: (path) => symlink(process.execPath, path), reason: /is not a mongod/ },
  'a file without the right to execute': {
    write: (path) => writeFile(path, 'text', { mode: 0o644 }),
    reason: /is not an executable file/,
  },
  'a folder': { write: async (path) => void (await mkdir(path)), reason: /is not an executable file/ },
};

describe('MONGOMS_SYSTEM_BINARY', () => {
  it('names the server that is used', async () => {
    const found = await configuredMongod({ MONGOMS_SYSTEM_BINARY: mongod.path }).find(noProgress);
    expect(found).toEqual({ path: mongod.path, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  it.each([{ environment: {} }, { environment: { MONGOMS_SYSTEM_BINARY: '' } }])(
    'is passed over where it is not set: $environment',
    async ({ environment }) => {
      const error = await configuredMongod(environment)
        .find(noProgress)
        .catch((thrown: unknown) => thrown);
      expect(error).toEqual(new Error('not set'));
      expect(error).not.toBeInstanceOf(MongodNotFoundError);
    },
  );

  it.each(Object.keys(unusableFiles))('ends the search with one line where it names %s', async (kind) => {
    const { write, reason } = unusableFiles[kind]!;
    const path = join(await temporaryFolder(), 'mongod');
    await write(path);
    const error = await findMongod(noProgress, [
      configuredMongod({ MONGOMS_SYSTEM_BINARY: path }),
      mongodOnPath({ PATH: dirname(mongod.path) }),
    ]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MongodNotFoundError);
    expect((error as Error).message).toMatch(/^MONGOMS_SYSTEM_BINARY names no usable mongod: .+ unset it\.$/);
    expect((error as Error).message).toMatch(reason);
    expect((error as Error).message).toContain(path);
  });
});

describe('PATH', () => {
  it('is searched folder by folder, past what cannot be used', async () => {
    const folder = await temporaryFolder();
    const folders = ['empty', 'broken', 'good'].map((name) => join(folder, name));
    for (const path of folders) await mkdir(path);
    await unusableFiles['a binary that was cut off']!.write(join(folder, 'broken', 'mongod'));
    await symlink(mongod.path, join(folder, 'good', 'mongod'));
    const found = await mongodOnPath({ PATH: folders.join(delimiter) }).find(noProgress);
    expect(found).toEqual({ path: join(folder, 'good', 'mongod'), version: mongod.version });
  });

  it.each([{ environment: {} }, { environment: { PATH: '' } }, { environment: { PATH: '/nowhere' } }])(
    'without a mongod says so: $environment',
    async ({ environment }) => {
      await expect(mongodOnPath(environment).find(noProgress)).rejects.toThrow('no mongod on it');
    },
  );

  it('passes over a release that is too old for the demo and the tests', async () => {
    const folder = await temporaryFolder();
    const script = await open(join(folder, 'mongod'), 'w', 0o755);
    await script.writeFile('#!/bin/sh\necho "db version v3.6.8"\n');
    await script.close();
    await expect(mongodOnPath({ PATH: folder }).find(noProgress)).rejects.toThrow(
      /is MongoDB 3\.6\.8, older than 6\.0$/,
    );
  });
});
