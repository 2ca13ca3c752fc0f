import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { packageRoot } from '../../../src/files/package-root.js';

/** What came of a run of the built command. */
export interface ProcessResult {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** In ms, from the start of the process to its end. */
  readonly elapsed: number;
  /** True if it had to be killed: it did not end within its limit and the time that is granted beyond. */
  readonly wasKilled: boolean;
}

export interface RunOptions {
  readonly uri: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Limits;
}

/** In ms, of a run: `--max-time`, and `--timeout` of each command. */
export interface Limits {
  readonly maxTime: number;
  readonly timeout: number;
}

/** Of a run that has a process of its own. */
export interface ProcessOptions extends RunOptions {
  /** Stdout and stderr, if they are not to be read. */
  readonly stdio?: StdioOptions;
  readonly cwd?: string;
  /** The whole command line, in place of that of `lint`. */
  readonly argv?: readonly string[];
  /** Called with the process while it runs. */
  readonly meanwhile?: (linter: ChildProcess) => void | Promise<void>;
}

/** A run that nothing keeps waiting takes 1 to 2 s; twelve at once on a busy machine took more than 60 s. */
export const LIMITS: Limits = { maxTime: 180_000, timeout: 20_000 };
/** Of runs that wait for what does not come. With 5 s, a machine of load 40 was too late to connect. */
export const SHORT_LIMITS: Limits = { maxTime: 40_000, timeout: 12_000 };
/** How long a run may last beyond `--max-time`, in ms: those that wait for a busy machine took up to 21 s, others never end. */
export const GRACE = 120_000;

/** Most of a run's time is spent on starting: more at once would only delay each other. */
const AT_ONCE = pLimit(2);

/** Runs the built command on a server, and kills it if it does not end in time. */
export function runLinter(options: ProcessOptions): Promise<ProcessResult> {
  return AT_ONCE(() => run(options));
}

/** The arguments of every run. */
export function boundsOf({ maxTime, timeout }: Limits): string[] {
  return ['--max-time', String(maxTime), '--timeout', String(timeout), '--format', 'json'];
}

async function run(options: ProcessOptions): Promise<ProcessResult> {
  const command = join(packageRoot(), 'dist/bundle/cli.js');
  if (!existsSync(command)) throw new Error('This test runs the built command: npm run build.');
  const { uri, args = [], env = {}, limits = LIMITS, stdio = ['ignore', 'pipe', 'pipe'], cwd } = options;
  const { argv = [...boundsOf(limits), ...args] } = options;
  const started = performance.now();
  const linter = spawn(process.execPath, [command, ...argv], {
    env: { PATH: process.env['PATH'] ?? '', MONGODB_URI: uri, ...env },
    stdio,
    ...(cwd !== undefined && { cwd }),
  });
  const exit = new Promise<[number | null, NodeJS.Signals | null, number]>((resolve) => {
    linter.on('exit', (code, signal) => resolve([code, signal, performance.now() - started]));
  });
  let wasKilled = false;
  const killing = setTimeout(() => (wasKilled = linter.kill('SIGKILL')), limits.maxTime + GRACE);
  const written = Promise.all([textOf(linter.stdout), textOf(linter.stderr)]);
  const meanwhile = options.meanwhile?.(linter);
  const [code, signal, elapsed] = await exit;
  clearTimeout(killing);
  const [stdout, stderr] = await written;
  await meanwhile;
  return { code, signal, stdout, stderr, elapsed, wasKilled };
}

/** A stream that this process destroys has none. */
async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? '' : text(stream).catch(() => '');
}
