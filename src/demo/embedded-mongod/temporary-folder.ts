import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** A folder that is removed at the latest when this process ends, however it ends. */
export interface TemporaryFolder {
  readonly path: string;
  /** Has a further folder removed with this one, should the process end before `remove`. */
  includeFolder(path: string): void;
  /** Has a process that writes into the folder killed, should this process end before that one and before `remove`. */
  includeProcess(child: ChildProcess): void;
  /** Removes the folder now. The processes and folders included are then the caller's again. */
  remove(): Promise<void>;
}

/**
 * What outlives this process: it waits for the end of its standard input, which comes with the end of this process even on
 * SIGKILL, when no handler here can run. Retries, because a killed server may still be writing for a moment.
 */
const REMOVAL_SCRIPT = `
const folders = [process.argv[1]];
const processes = new Set();
require('node:readline').createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { folder, started, ended } = JSON.parse(line);
    if (folder !== undefined) folders.push(folder);
    if (started !== undefined) processes.add(started);
    processes.delete(ended);
  })
  .on('close', () => {
    for (const id of processes) {
      try { process.kill(id, 'SIGKILL'); } catch (error) { if (error.code !== 'ESRCH') throw error; }
    }
    for (const folder of folders) {
      require('node:fs').rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  });
`;

/** Creates an empty folder with a unique name in the folder `parent`, which must exist. */
export async function createTemporaryFolder(parent: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, 'mongolint-'));
  const removal = spawn(process.execPath, ['-e', REMOVAL_SCRIPT, path], {
    // Its own process group: the Ctrl-C that ends this process must not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  removal.unref();
  const input = removal.stdin as Socket;
  input.unref();
  // Somebody may kill that process; `remove` still works then, so this is no reason to fail.
  removal.on('error', () => undefined);
  input.on('error', () => undefined);
  const tell = (fact: { folder: string } | { started: number | undefined } | { ended: number | undefined }) =>
    void input.write(`${JSON.stringify(fact)}\n`);
  return {
    path,
    includeFolder: (folder) => tell({ folder }),
    includeProcess(child) {
      tell({ started: child.pid });
      // Its id may be given to another process from then on.
      child.once('exit', () => tell({ ended: child.pid }));
    },
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      removal.kill('SIGKILL');
    },
  };
}
