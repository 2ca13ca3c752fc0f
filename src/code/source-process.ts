import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { fileFault } from '../files/file-fault.js';
import { isExecutable, packageRoot } from '../files/package-root.js';
import { LintError } from '../lint-error.js';
import type { CodeSelection } from './read-code.js';
import { READS_FOR } from './reader-mark.js';
import { joined, type UnderstoodCode } from './understood-code.js';

/** In the process that reads: where it says how far it is, a line of JSON each. */
const NEWS = 3;

/** In s without a step. A file of 2 MB takes one or two. */
const LONGEST_STEP = 60;

/** Bytes of what is understood. */
const MOST_BYTES = 256 * 1024 * 1024;

/** A folder to read, and what of it. */
export interface SourceSelection extends CodeSelection {
  readonly dir: string;
}

interface Request {
  readonly folders: readonly SourceSelection[];
  /** Paths with why they are left out. */
  readonly leftOut: readonly (readonly [string, string])[];
}

type News =
  | { readonly kind: 'begun' }
  /** What is being done with a file; null once all of them are done with. */
  | { readonly kind: 'step'; readonly path: string | null }
  | { readonly kind: 'stuck' }
  | { readonly kind: 'refused'; readonly message: string };

/** How a process ended that read source. */
interface Ending {
  /** What it understood, serialized; null if it did not get so far. */
  readonly understood: Buffer | null;
  readonly refusal: string | null;
  readonly path: string | null;
  readonly why: string;
}

/** Nothing can be read, as it is asked for. */
class SourceRefusal extends LintError {}

/**
 * Begins to read source in a process of its own, whose memory and stack it may use up. A file that ends the process, or keeps
 * it for a minute, is left out with its reason, and the others are read again.
 *
 * @param until ends it
 * @returns once it is known that there is something to read; the promise in it is rejected if reading fails as a whole
 * @throws LintError if there is no source, or no parser
 */
export async function beginReading(
  folders: readonly SourceSelection[],
  until: AbortSignal,
): Promise<{ readonly code: Promise<UnderstoodCode> }> {
  return new Promise((resolve, reject) => {
    const code = readApart(folders, until, () => resolve({ code }));
    code.catch((error: unknown) => (error instanceof SourceRefusal ? reject(error) : resolve({ code })));
  });
}

async function readApart(
  folders: readonly SourceSelection[],
  until: AbortSignal,
  onBegun: () => void,
): Promise<UnderstoodCode> {
  const leftOut = new Map<string, string>();
  for (;;) {
    const { understood, refusal, path, why } = await attempt({ folders, leftOut: [...leftOut] }, until, onBegun);
    if (understood !== null) return deserialize(understood) as UnderstoodCode;
    if (refusal !== null) throw new SourceRefusal(refusal);
    if (path === null || leftOut.has(path)) throw new LintError(`The source could not be read: ${why}.`);
    leftOut.set(path, why);
  }
}

function attempt(request: Request, until: AbortSignal, onBegun: () => void): Promise<Ending> {
  const command = isExecutable() ? [] : [join(packageRoot(), 'dist/bundle/cli.js')];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, [READS_FOR]: String(process.pid) },
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    signal: until,
    killSignal: 'SIGKILL',
  });
  let [path, refusal, fault]: [string | null, string | null, string | null] = [null, null, null];
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) child.kill('SIGKILL');
  });
  createInterface({ input: child.stdio[NEWS] as Readable }).on('line', (line) => {
    const news = newsIn(line);
    if (news?.kind === 'begun') onBegun();
    if (news?.kind === 'step') path = news.path;
    if (news?.kind === 'stuck') fault = `it took longer than ${LONGEST_STEP} s`;
    if (news?.kind === 'refused') refusal = news.message;
  });
  // It may have ended before.
  child.stdin?.on('error', () => {});
  child.stdin?.end(JSON.stringify(request));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      fault = until.aborted ? String(until.reason?.message ?? until.reason) : fileFault(error);
    });
    child.once('close', (code, signal) => {
      const understood = code === 0 && refusal === null ? Buffer.concat(chunks) : null;
      const tooLarge = bytes > MOST_BYTES ? 'what it says is larger than 256 MB' : null;
      resolve({
        understood,
        refusal,
        path: until.aborted ? null : path,
        why: fault ?? tooLarge ?? endedBy(code, signal),
      });
    });
  });
}

/** Null for a line that the end of the process has cut. */
function newsIn(line: string): News | null {
  try {
    return JSON.parse(line) as News;
  } catch {
    return null;
  }
}

function endedBy(code: number | null, signal: string | null): string {
  if (signal === 'SIGSEGV' || signal === 'SIGBUS') return 'its expressions are nested too deeply for the parser';
  if (signal === 'SIGABRT' || signal === 'SIGTRAP') return 'it takes more memory than there is';
  return `the process that read it ended (${signal ?? code})`;
}

/** Reads what stdin asks for, and writes to stdout what is understood of it. */
export async function serveSource({ stdin, stdout, ppid }: NodeJS.Process): Promise<void> {
  const tell = (news: News) => writeSync(NEWS, `${JSON.stringify(news)}\n`);
  // The process that asks decides when this one is to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  const steps = new Int32Array(new SharedArrayBuffer(4));
  const guard = new Worker(GUARD, { eval: true, workerData: { steps, ppid, longest: LONGEST_STEP, news: NEWS } });
  guard.unref();
  const { folders, leftOut } = (await json(stdin)) as Request;
  const { readCode } = await import('./read-code.js');
  let waiting = folders.length;
  const listed = new EventEmitter();
  const watch = {
    leftOut: new Map(leftOut),
    // One folder after the other from here on, since nothing waits any more.
    async begun() {
      waiting -= 1;
      if (waiting > 0) return void (await once(listed, 'all'));
      tell({ kind: 'begun' });
      listed.emit('all');
    },
    step(path: string) {
      steps[0] = (steps[0] as number) + 1;
      tell({ kind: 'step', path });
    },
  };
  try {
    const read = await Promise.all(folders.map(({ dir, ...selection }) => readCode(dir, selection, watch)));
    tell({ kind: 'step', path: null });
    steps[0] = 0;
    await promisify((bytes: Buffer, done: () => void) => stdout.write(bytes, done))(serialize(joined(read)));
  } catch (error) {
    if (!(error instanceof LintError)) throw error;
    tell({ kind: 'refused', message: error.message });
  }
  process.exit();
}

/** Runs in a thread of its own: ends the process that is stuck, or whose parent has gone. */
const GUARD = `
  const { steps, ppid, longest, news } = require('node:worker_threads').workerData;
  let [seen, idle] = [0, 0];
  setInterval(() => {
    idle = steps[0] === seen && seen > 0 ? idle + 1 : 0;
    seen = steps[0];
    if (idle >= longest) require('node:fs').writeSync(news, '{"kind":"stuck"}\\n');
    if (idle >= longest || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
  }, 1000);`;
