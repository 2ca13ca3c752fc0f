import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.js';

/** Stands in for a system with as many threads as it allows: only root could lower that, and by how much differs by Node. */
const WITHOUT_THREADS = `data:text/javascript,${encodeURIComponent(`
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
threads.Worker = class {
  constructor() {
    throw Object.assign(new Error('Worker initialization failure: EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
  }
};
syncBuiltinESMExports();
`)}`;

it('without a thread for it, a run goes on unwatched', () => {
  const argv = ['mongodb://127.0.0.1:1', '--timeout', '500', '--no-progress'];
  const command = join(packageRoot(), 'dist/bundle/cli.js');
  const { status, stderr } = spawnSync(process.execPath, ['--import', WITHOUT_THREADS, command, ...argv], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^No usable server at 127\.0\.0\.1:1 within 500 ms: .*\n$/);
  expect(status).toBe(2);
});
