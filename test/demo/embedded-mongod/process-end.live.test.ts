import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { packageRoot } from '../../../src/files/package-root.js';
import { runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BUILT_MODULE = join(packageRoot(), 'dist/src/demo/embedded-mongod/embedded-mongod.js');
const CLEAN_UP_LIMIT_MS = 120_000;

/** Starts a server in a process of its own, which throws or exits when it is told to. Resolves once the server answers. */
async function startInChildProcess(temporary: string): Promise<{ child: ChildProcess; uri: string }> {
  if (!existsSync(BUILT_MODULE)) throw new Error('This test runs the built code: first run "npm run build".');
  const script = `
    process.stdin.once('data', (wish) => {
      if (wish.toString() === 'throw') throw new Error('fault');
      process.exit();
    });
    import(${JSON.stringify(pathToFileURL(BUILT_MODULE).href)})
      .then(({ startEmbeddedMongod }) => startEmbeddedMongod(() => undefined))
      .then(({ uri }) => console.log(uri));`;
  const environment = { ...process.env, TMPDIR: temporary };
  const child = spawn(process.execPath, ['-e', script], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const uri = await new Promise<string>((resolveUri) => {
    createInterface({ input: child.stdout }).once('line', resolveUri);
  });
  return { child, uri };
}

describe('a process with an embedded mongod', () => {
  it.each<{ how: string; end: (child: ChildProcess) => unknown }>([
    { how: 'ends by SIGINT', end: (child) => child.kill('SIGINT') },
    { how: 'ends by SIGTERM', end: (child) => child.kill('SIGTERM') },
    { how: 'is killed', end: (child) => child.kill('SIGKILL') },
    { how: 'throws', end: (child) => child.stdin?.write('throw') },
    { how: 'exits without stopping the server', end: (child) => child.stdin?.write('exit') },
  ])('that $how leaves neither the server nor its data behind', async ({ end }) => {
    const folder = await temporaryFolder();
    const { child, uri } = await startInChildProcess(folder);
    expect(await runCommand(uri, { ping: 1 })).toMatchObject({ ok: 1 });
    expect(await readdir(folder)).toHaveLength(1);
    end(child);
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), {
      timeout: CLEAN_UP_LIMIT_MS,
      interval: 100,
    });
    // A connection that the killed server had yet to accept is reset, a later one refused.
    const answer = (): Promise<unknown> => runCommand(`${uri}&serverSelectionTimeoutMS=500`, { ping: 1 });
    await vi.waitFor(() => expect(answer()).rejects.toThrow('ECONNREFUSED'), {
      timeout: CLEAN_UP_LIMIT_MS,
      interval: 100,
    });
  });
});
