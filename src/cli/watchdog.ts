import { spawn, type ChildProcess } from 'node:child_process';
import { isExecutable } from '../package-root.js';
import { LONGEST_TIMER } from '../time-units.js';
import { SHOW_CURSOR, SIGNALS } from './interruption.js';
import { WATCHED_BY, type Outcome, type RunNews } from './run-news.js';

/** In ms: how long a run may take to end by itself after `--max-time` or a signal, and to begin. */
const GRACE_AFTER_MAX_TIME = 4_000;
/** In ms: after `--max-time`, for a process that is not blocked. It judges and writes what it has read of many collections. */
const GRACE_OF_JUDGING = 30_000;
const GRACE_AFTER_SIGNAL = 8_000;
/** In ms. A thread that is blocked in a system call keeps a process from exiting. */
const GRACE_AFTER_END = 2_000;
const LONGEST_PREPARATION = 10 * 60 * 1_000;
const FATAL_SIGNALS: Readonly<Record<string, string>> = {
  SIGABRT: 'it used up its memory, or crashed (SIGABRT)',
  SIGTRAP: 'it used up its memory, or crashed (SIGTRAP)',
  SIGKILL: 'it was killed (SIGKILL), as by a system that runs out of memory',
};

/**
 * Runs the command line in a process of its own, which outlives neither its time nor this process. This one loads nothing
 * meanwhile.
 * @returns how it ended, and the file in which it kept what it found, if any
 * @throws an error of the system if that can't be started: unwatched, it might never end
 */
export async function watchCommand(
  process: NodeJS.Process,
): Promise<{ readonly outcome: Outcome; readonly spool: string | null }> {
  const child = await startedCommand(process);
  const watchdog = new Watchdog(child, process);
  const outcome = await watchdog.outcome();
  if (outcome.kind !== 'ended' && process.stderr.isTTY) process.stderr.write(SHOW_CURSOR);
  return { outcome, spool: watchdog.spool };
}

function startedCommand({ argv, env, execArgv, execPath, pid }: NodeJS.Process): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, [...execArgv, ...argv.slice(isExecutable() ? 2 : 1)], {
      env: { ...env, [WATCHED_BY]: String(pid) },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    child.once('spawn', () => resolve(child));
    child.on('error', reject);
  });
}

class Watchdog {
  /** The file in which the run keeps what it finds; null until there is one. */
  spool: string | null = null;
  /** By the place of a target that is under way, when it must have ended, in ms of the monotonic clock. */
  readonly #deadlines = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #reported: Outcome | null = null;
  /** True once nothing is left but to report. */
  #isOver = false;
  #end: (outcome: Outcome) => void = () => {};

  constructor(
    private readonly child: ChildProcess,
    private readonly process: NodeJS.Process,
  ) {}

  outcome(): Promise<Outcome> {
    const { child } = this;
    const outcome = new Promise<Outcome>((resolve) => {
      this.#end = (how) => {
        this.#isOver = true;
        resolve(how);
      };
    });
    this.#passSignalsOn();
    child.on('message', (news: RunNews) => this.#take(news));
    // What it sent last may be read after its exit.
    const isRead = new Promise((resolve) => child.once('disconnect', resolve));
    child.once('exit', (_, signal) => void isRead.then(() => this.#end(this.#reported ?? outcomeOf(signal))));
    return outcome;
  }

  #take(news: RunNews): void {
    const now = performance.now();
    if (news.kind === 'spool') this.spool = news.file;
    else if (news.kind === 'broken' || news.kind === 'ended') {
      this.#reported = news;
      setTimeout(() => this.#kill(news), GRACE_AFTER_END);
    } else if (news.kind === 'preparing')
      this.#allow(LONGEST_PREPARATION, 'its preparation took longer than 10 minutes');
    else if (news.kind === 'overtime' && this.#deadlines.size === 0) this.#allowAfterMaxTime(GRACE_OF_JUDGING);
    else {
      if (news.kind === 'target') this.#deadlines.set(news.of, now + news.maxTime + GRACE_AFTER_MAX_TIME);
      else if (news.kind === 'finished') this.#deadlines.delete(news.of);
      else if (this.#deadlines.has(news.of)) this.#deadlines.set(news.of, now + GRACE_OF_JUDGING);
      // After the last target, its own deadline is left for the writing of the reports.
      if (this.#deadlines.size > 0) this.#allowAfterMaxTime(Math.min(...this.#deadlines.values()) - now);
    }
  }

  #allowAfterMaxTime(milliseconds: number): void {
    this.#allow(milliseconds, 'it did not end after --max-time');
  }

  #allow(milliseconds: number, why: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#kill({ kind: 'broken', why }), Math.min(milliseconds, LONGEST_TIMER));
  }

  /** Does not wait for its exit: a process that hangs in a file system has none. */
  #kill(outcome: Outcome): void {
    this.child.kill('SIGKILL');
    this.#end(outcome);
  }

  #passSignalsOn(): void {
    const { process, child } = this;
    let isAsked = false;
    for (const [signal, exitCode] of Object.entries(SIGNALS)) {
      process.on(signal, () => {
        if (this.#isOver) process.exit(exitCode);
        if (isAsked) return this.#kill({ kind: 'stopped', exitCode });
        isAsked = true;
        // Windows would end it at once, and has asked it already.
        if (process.platform !== 'win32') child.kill(signal as NodeJS.Signals);
        const why = `it had not ended ${GRACE_AFTER_SIGNAL / 1_000} s after ${signal}`;
        setTimeout(() => this.#kill({ kind: 'broken', why }), GRACE_AFTER_SIGNAL);
      });
    }
  }
}

function outcomeOf(signal: NodeJS.Signals | null): Outcome {
  const exitCode = Object.entries(SIGNALS).find(([name]) => name === signal)?.[1];
  // A command does not listen to signals until it can report.
  if (exitCode !== undefined) return { kind: 'stopped', exitCode };
  return { kind: 'broken', why: FATAL_SIGNALS[signal ?? ''] ?? 'it ended early' };
}
