import { tmpdir } from 'node:os';
import { onTestFinished } from 'vitest';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';

/** An empty folder for the running test, removed after it. */
export async function temporaryFolder(finished = onTestFinished): Promise<string> {
  const folder = await createTemporaryFolder(tmpdir());
  finished(() => folder.remove());
  return folder.path;
}
