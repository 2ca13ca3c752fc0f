import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND = join(packageRoot(), 'dist/bundle/cli.js');
/** A file that may not grow beyond 512 bytes, as on a disk that is full. */
const FULL = "trap '' XFSZ; ulimit -f 1";

describe.runIf(process.platform === 'linux')('stdout that is a file on a full disk', () => {
  it.each([[['checks']], [['role']], [['explain', 'unbounded-array']], [['--help']]])(
    'ends %j with 2, though the first bytes were taken',
    async (argv) => {
      const cwd = await temporaryFolder();
      const shell = `${FULL}; exec "$0" "$@" > out`;
      const { status, stderr } = spawnSync('/bin/sh', ['-c', shell, process.execPath, COMMAND, ...argv], {
        cwd,
        encoding: 'utf8',
      });
      expect(stderr).toBe('The output could not be written: it would be larger than files may be here.\n');
      expect(status).toBe(2);
      expect(readFileSync(join(cwd, 'out')).length).toBeGreaterThan(0);
    },
  );
});
