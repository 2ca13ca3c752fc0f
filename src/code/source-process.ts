import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { fileFault } from '../files/file-fault.js';
import { isExecutable, packageRoot } from '../files/package-root.js';
import { LintError } from '../lint-error.js';
import type { CodeSelection, KeptModule } from './read-code.js';
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
  /** Paths with what an editor holds of them. */
  readonly texts: readonly (readonly [string, string])[];
}

type News =
  | { readonly kind: 'begun' }
  /** What is being done with a file; null once all of them are done with. */
  | { readonly kind: 'step'; readonly path: string | null }
  | { readonly kind: 'stuck' }
  | { readonly kind: 'refused'; readonly message: string }
  /** How long the answer is that stands on stdout. */
  | { readonly kind: 'understood'; readonly bytes: number };

/** How a reading ended. */
interface Ending {
  /** What was understood, serialized; null if it did not get so far. */
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
  const reader = new SourceReader(until);
  return new Promise((resolve, reject) => {
    const code = reader.read(folders, new Map(), () => resolve({ code })).finally(() => reader.end());
    code.catch((error: unknown) => (error instanceof SourceRefusal ? reject(error) : resolve({ code })));
  });
}

/** Reads source in another process, which keeps what it parsed: the next reading parses only what has changed. */
export class SourceReader {
  #process: ReadingProcess | null = null;
  readonly #leftOut = new Map<string, string>();

  /** @param until ends it */
  constructor(private readonly until: AbortSignal) {}

  /**
   * One reading at a time.
   *
   * @param texts what an editor holds, by path
   * @throws LintError if there is no source, or no parser, or reading fails as a whole
   */
  async read(
    folders: readonly SourceSelection[],
    texts: ReadonlyMap<string, string>,
    onBegun: () => void = () => {},
  ): Promise<UnderstoodCode> {
    for (;;) {
      if (this.#process?.hasEnded !== false) this.#process = new ReadingProcess(this.until);
      const request = { folders, leftOut: [...this.#leftOut], texts: [...texts] };
      const { understood, refusal, path, why } = await this.#process.ask(request, onBegun);
      if (understood !== null) return deserialize(understood) as UnderstoodCode;
      if (refusal !== null) throw new SourceRefusal(refusal);
      if (path === null || this.#leftOut.has(path)) throw new LintError(`The source could not be read: ${why}.`);
      this.#leftOut.set(path, why);
    }
  }

  /** A file that was left out is read again: it has changed. */
  retry(path: string): void {
    this.#leftOut.delete(path);
  }

  end(): void {
    this.#process?.end();
    this.#process = null;
  }
}

class ReadingProcess {
  readonly #child: ChildProcess;
  #fault: string | null = null;

  constructor(private readonly until: AbortSignal) {
    const command = isExecutable() ? [] : [join(packageRoot(), 'dist/bundle/cli.js')];
    this.#child = spawn(process.execPath, command, {
      env: { ...process.env, [READS_FOR]: String(process.pid) },
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
      signal: until,
      killSignal: 'SIGKILL',
    });
    this.#child.on('error', (error) => {
      this.#fault = until.aborted ? String(until.reason?.message ?? until.reason) : fileFault(error);
    });
    // It may have ended before.
    this.#child.stdin?.on('error', () => {});
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  end(): void {
    this.#child.stdin?.end();
  }

  ask(request: Request, onBegun: () => void): Promise<Ending> {
    const { until } = this;
    const child = this.#child;
    const lines = createInterface({ input: child.stdio[NEWS] as Readable });
    let [path, refusal]: [string | null, string | null] = [null, null];
    let expected = Infinity;
    let bytes = 0;
    const chunks: Buffer[] = [];
    return new Promise((resolve) => {
      const end = (understood: Buffer | null, why: string) => {
        lines.close();
        child.stdout?.off('data', take);
        child.off('close', close);
        resolve({ understood, refusal, path: until.aborted ? null : path, why });
      };
      const endIfWhole = () => bytes >= expected && end(Buffer.concat(chunks), '');
      const take = (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MOST_BYTES) child.kill('SIGKILL');
        endIfWhole();
      };
      const close = (code: number | null, signal: string | null) => {
        const tooLarge = bytes > MOST_BYTES ? 'what it says is larger than 256 MB' : null;
        end(null, this.#fault ?? tooLarge ?? endedBy(code, signal));
      };
      child.stdout?.on('data', take);
      child.on('close', close);
      lines.on('line', (line) => {
        const news = newsIn(line);
        if (news?.kind === 'begun') onBegun();
        if (news?.kind === 'step') path = news.path;
        if (news?.kind === 'stuck') this.#fault = `it took longer than ${LONGEST_STEP} s`;
        if (news?.kind === 'understood') expected = news.bytes;
        if (news?.kind === 'refused') {
          refusal = news.message;
          end(null, '');
        }
        endIfWhole();
      });
      child.stdin?.write(`${JSON.stringify(request)}\n`);
    });
  }
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
  const { readCode } = await import('./read-code.js');
  /** By folder, for as long as this process lasts. */
  const kept = new Map<string, Map<string, KeptModule>>();
  const keptOf = (dir: string) => {
    const known = kept.get(dir) ?? new Map<string, KeptModule>();
    kept.set(dir, known);
    return known;
  };
  for await (const line of createInterface({ input: stdin })) {
    const { folders, leftOut, texts } = JSON.parse(line) as Request;
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
    const edited = new Map(texts);
    try {
      const read = await Promise.all(
        folders.map(({ dir, ...selection }) => readCode(dir, selection, watch, { texts: edited, kept: keptOf(dir) })),
      );
      tell({ kind: 'step', path: null });
      steps[0] = 0;
      const understood = serialize(joined(read));
      tell({ kind: 'understood', bytes: understood.length });
      await promisify((bytes: Buffer, done: () => void) => stdout.write(bytes, done))(understood);
    } catch (error) {
      if (!(error instanceof LintError)) throw error;
      tell({ kind: 'refused', message: error.message });
    }
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
