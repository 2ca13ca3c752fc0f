import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

// Outlives this process: standard input ends even with SIGKILL. It retries, because mongodb-memory-server lets a server
// write for up to 2 s more.
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

/** Creates a folder that is removed when this process ends, even by SIGKILL. `parent` must exist. */
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
