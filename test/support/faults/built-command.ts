import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../../src/files/package-root.js';
import type { ProcessResult } from './linter-process.js';

/** In ms: far more than a command takes that nothing keeps, on a busy machine too. */
const PATIENCE = 600_000;

export const BUILT_COMMAND = join(packageRoot(), 'dist/bundle/cli.js');

/** The file of a folder whose runs a busy machine does not keep from their end. */
export const PATIENT = { 'mongolint.config.yaml': 'maxTime: 30min\ntimeout: 5min\n' };

export interface BuiltCommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of Node. */
  readonly node?: readonly string[];
  /** Shell code that runs before the command, in its process. */
  readonly shell?: string;
  readonly meanwhile?: (command: ChildProcess) => void | Promise<void>;
  /** In ms: after it, the command and what it started are killed. */
  readonly patience?: number;
}

/** Runs the built command as it is given, and kills it if it does not end. */
export async function runBuilt(argv: readonly string[], options: BuiltCommandOptions): Promise<ProcessResult> {
  const { cwd, env = {}, node = [], shell = ':', patience = PATIENCE } = options;
  const started = performance.now();
  const command = spawn(
    '/bin/sh',
    ['-c', `${shell}; exec "$0" "$@"`, process.execPath, ...node, BUILT_COMMAND, ...argv],
    {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that the process that it watches is killed with it.
      detached: true,
    },
  );
  let wasKilled = false;
  const killing = setTimeout(() => {
    wasKilled = true;
    process.kill(-(command.pid as number), 'SIGKILL');
  }, patience);
  const exit = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    command.on('exit', (code, signal) => resolve([code, signal]));
  });
  const written = Promise.all([text(command.stdout), text(command.stderr)]);
  await options.meanwhile?.(command);
  const [code, signal] = await exit;
  const [stdout, stderr] = await written;
  clearTimeout(killing);
  return { code, signal, stdout, stderr, elapsed: performance.now() - started, wasKilled };
}
