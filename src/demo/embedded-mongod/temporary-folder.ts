import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** A folder that is removed at the latest when this process ends, even by SIGKILL. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Outlives this process and waits for the end of its standard input, which even SIGKILL brings. It begins again after each
 * failure: a server may write for up to 2 s more, until mongodb-memory-server ends it.
 */
const REMOVAL_SCRIPT = `
function remove(attempts) {
  try {
    require('node:fs').rmSync(process.argv[1], { recursive: true, force: true });
  } catch (error) {
    if (attempts === 0) throw error;
    setTimeout(remove, 200, attempts - 1);
  }
}
process.stdin.resume().on('end', () => remove(50));
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
  (removal.stdin as Socket).unref();
  // If somebody kills that process, `remove` still works.
  removal.on('error', () => undefined);
  removal.stdin.on('error', () => undefined);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      removal.kill('SIGKILL');
    },
  };
}
