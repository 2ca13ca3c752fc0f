import { writeSync } from 'node:fs';
import { EXIT_CODES } from '../policy/exit-code.js';
import { LONGEST_TIMER } from '../time-units.js';
import { interruption } from './interruption.js';
import { ProcessOutputs } from './process-outputs.js';
import { runCommandLine } from './program.js';
import { FOR_SUPERVISOR, NEWS_PIPE, type RunNote, type SupervisorNews, type TimeLimit } from './run-news.js';

/** In ms: how long a run may take to end by itself after `--max-time`. */
const GRACE_AFTER_MAX_TIME = 4_000;
/** In ms: after `--max-time`, for a process that is not blocked. It judges and writes what it has read of many collections. */
const GRACE_OF_JUDGING = 30_000;
/** In ms. */
const LOOKS_FOR_PARENT_EVERY = 500;

/** Runs the command line of this process, and ends it: a connection that is left open must not keep it. */
export class RunProcess {
  readonly #outputs: ProcessOutputs;
  /** The positions of the targets under way. */
  readonly #underWay = new Set<number>();

  /** @param supervise runs the command in another process, which this one watches, and ends this one; null in that other one */
  constructor(
    private readonly process: NodeJS.Process,
    private readonly supervise: (() => Promise<never>) | null,
  ) {
    this.#outputs = new ProcessOutputs(process);
  }

  async run(): Promise<never> {
    const { process, supervise } = this;
    const { argv, env } = process;
    const { stdout, stderr } = this.#outputs;
    // Node's own exit code for these is 1, which would look like findings.
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => void this.#breakOff(error));
    if (supervise === null) await endWithParent(process);
    const io = {
      stdout,
      stderr,
      env,
      cwd: () => process.cwd(),
      interruption: () => interruption(process, stderr),
      note: (note: RunNote | TimeLimit) => this.#take(note),
      ...(supervise !== null && { beforeForeignCode: supervise }),
    };
    let exitCode: number = EXIT_CODES.fault;
    try {
      exitCode = await runCommandLine(argv.slice(2), io);
    } catch (error) {
      // What words them knows the driver's errors, which take long to load.
      const { lineOf, explanationOf } = await import('./shown-errors.js');
      stderr.write(`${lineOf(error)}\n${explanationOf(error, argv)}`);
    }
    exitCode = await this.#outputs.written(exitCode);
    this.#tell({ kind: 'ended', exitCode });
    return process.exit(exitCode);
  }

  #take(note: RunNote | TimeLimit): void {
    if (note.kind === 'limit') return this.#tell(note);
    if (note.kind === 'settings') this.#outputs.announce(note.settings.outputs);
    this.#send(JSON.stringify(note.kind === 'judged' ? withoutOperations(note) : note));
    if (note.kind === 'target') this.#begin(note.of, note.target.maxTime);
    if (note.kind !== 'finished') return;
    this.#underWay.delete(note.of);
    this.#limit(`target ${note.of}`, null);
  }

  #begin(of: number, maxTime: number): void {
    this.#underWay.add(of);
    this.#limit('command', null);
    this.#limit(`target ${of}`, maxTime + GRACE_AFTER_MAX_TIME);
    const allowMore = () => this.#underWay.has(of) && this.#limit(`target ${of}`, GRACE_OF_JUDGING);
    setTimeout(allowMore, Math.min(maxTime, LONGEST_TIMER)).unref();
  }

  #limit(of: string, milliseconds: number | null, why = 'it did not end after --max-time'): void {
    this.#tell({ kind: 'limit', of, milliseconds, why });
  }

  async #breakOff(error: unknown): Promise<void> {
    const { process } = this;
    try {
      const { explanationOf, lineOf, whyOf } = await import('./shown-errors.js');
      process.stderr.write(explanationOf(error, process.argv));
      this.#tell({ kind: 'broken', why: whyOf(error) });
      if (this.supervise !== null) process.stderr.write(`${lineOf(error)}\n`);
    } finally {
      process.exit(EXIT_CODES.fault);
    }
  }

  #tell(news: SupervisorNews): void {
    this.#send(`${FOR_SUPERVISOR}${JSON.stringify(news)}`);
  }

  /** Returns once the other process has it: this one may be blocked, or killed, by what it does next. */
  #send(line: string): void {
    if (this.supervise !== null) return;
    const bytes = Buffer.from(`${line}\n`);
    try {
      for (let sent = 0; sent < bytes.length;) sent += writeSync(NEWS_PIPE, bytes, sent);
    } catch (error) {
      // It was killed, and this process is ended next.
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
  }
}

/**
 * By a thread of its own, since this one may be blocked. On Windows, the system ends a process with its parent. If the
 * working directory was deleted, no thread starts, and the command ends at once.
 */
async function endWithParent({ ppid, cwd }: NodeJS.Process): Promise<void> {
  try {
    cwd();
  } catch {
    return;
  }
  const watch = `setInterval(() => process.ppid === ${ppid} || process.kill(process.pid, 'SIGKILL'), ${LOOKS_FOR_PARENT_EVERY})`;
  const { Worker } = await import('node:worker_threads');
  new Worker(watch, { eval: true, execArgv: [], env: {} }).unref();
}

/** A report holds no more of the operations of findings than their messages tell. */
function withoutOperations({ part, ...note }: Extract<RunNote, { readonly kind: 'judged' }>) {
  const findings = part.findings.map(({ operations: _operations, ...finding }) => finding);
  return { ...note, part: { ...part, findings } };
}
