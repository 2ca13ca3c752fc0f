import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.js';

/** Stand in for a system that starts no other process: one says so later, as if there were too many, one at once. */
const UNSTARTABLE = ['/nowhere/node', 'no\\0path'];

it.each(UNSTARTABLE)('if no process can be watched, nothing is run: it might never end (%j)', (node) => {
  const preload = `data:text/javascript,${encodeURIComponent(`process.execPath = '${node}';`)}`;
  const argv = ['mongodb://127.0.0.1:1', '--timeout', '500', '--no-progress'];
  const command = join(packageRoot(), 'dist/bundle/cli.js');
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, command, ...argv], { encoding: 'utf8' });
  expect(stderr).toMatch(/^mongolint can't run: (?:ENOENT|ERR_INVALID_ARG_VALUE)\.\n$/);
  expect(status).toBe(2);
});
