import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/files/package-root.js';

const run = promisify(execFile);

/** The version that the suite was written with. */
const VERSION = '2.12.0';

/** The script that starts mongosh; npm installs it at the first use, into the cache of the checkout. */
export async function findMongosh(): Promise<string> {
  const folder = join(packageRoot(), 'node_modules/.cache/mongolint/mongosh', VERSION);
  const script = join(folder, 'node_modules/mongosh/bin/mongosh.js');
  if (!existsSync(script)) {
    await mkdir(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `mongosh@${VERSION}`]);
  }
  return script;
}

/** How a run of mongosh ended. */
export interface ShellEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runMongosh(argv: readonly string[], folder: string): Promise<ShellEnd> {
  const script = await findMongosh();
  try {
    const { stdout, stderr } = await run(process.execPath, [script, '--quiet', ...argv], {
      cwd: folder,
      env: { ...process.env, HOME: folder },
    });
    return { exitCode: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, stdout, stderr };
  }
}
