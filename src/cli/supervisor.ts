import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { isExecutable } from '../files/package-root.js';
import { LONGEST_TIMER } from '../time-units.js';
import { SHOW_CURSOR, SIGNALS } from './interruption.js';
import { FOR_SUPERVISOR, NEWS_PIPE, SUPERVISED_BY, type Outcome, type SupervisorNews } from './run-news.js';

/** In ms, until a process has said what it does. It takes half a second; on a machine with forty times as much to do, 20 s. */
const GRACE_OF_START = 120_000;
const GRACE_AFTER_SIGNAL = 8_000;
/** In ms. A thread that is blocked in a system call keeps a process from exiting, whatever it was sent. */
const GRACE_AFTER_END = 2_000;
const FATAL_SIGNALS: Readonly<Record<string, string>> = {
  SIGABRT: 'it used up its memory, or crashed (SIGABRT)',
  SIGTRAP: 'it used up its memory, or crashed (SIGTRAP)',
  SIGKILL: 'it was killed (SIGKILL), as by a system that runs out of memory',
};

/** How a command ended, and what it had noted, a line each. */
export interface SupervisedEnd {
  readonly outcome: Outcome;
  readonly notes: readonly string[];
}

/**
 * Starts the command line again in a process of its own, which ends in time and with this one.
 * @throws an error of the system if that can't be started: unwatched, it might never end
 */
export function startedCommand({ argv, env, execArgv, execPath, pid }: NodeJS.Process): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, [...execArgv, ...argv.slice(isExecutable() ? 2 : 1)], {
      env: { ...env, [SUPERVISED_BY]: String(pid) },
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    });
    child.once('spawn', () => resolve(child));
    child.on('error', reject);
  });
}

/** Watches a process from its start on, and ends it when one of its limits has passed. Loads nothing meanwhile. */
export class Supervisor {
  readonly #limits = new Map<string, { readonly at: number; readonly why: string }>();
  readonly #notes: string[] = [];
  readonly #isClosed: Promise<void>;
  /** Ends the wait for what it wrote last, which may be read after its exit. */
  #close: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #outcome: Outcome | null = null;
  /** True once nothing is left but to report. */
  #isOver = false;

  /** @param graceOfStart in ms, until it has set a limit itself */
  constructor(
    private readonly child: ChildProcess,
    private readonly process: Pick<NodeJS.Process, 'on' | 'exit' | 'platform' | 'stderr'>,
    graceOfStart = GRACE_OF_START,
  ) {
    this.#limit('command', graceOfStart, `it had not begun after ${graceOfStart / 1_000} s`);
    this.#isClosed = new Promise((resolve) => (this.#close = resolve));
    child.once('close', () => this.#close());
    child.once('exit', (_, signal) => this.#finish(outcomeOf(signal)));
    this.#readNews(child.stdio[NEWS_PIPE] as Readable);
    this.#passSignalsOn();
  }

  async end(): Promise<SupervisedEnd> {
    await this.#isClosed;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const outcome = this.#outcome as Outcome;
    if (outcome.kind !== 'ended' && this.process.stderr.isTTY) this.process.stderr.write(SHOW_CURSOR);
    return { outcome, notes: this.#notes };
  }

  #readNews(pipe: Readable): void {
    let rest = '';
    pipe.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith(FOR_SUPERVISOR)) this.#take(JSON.parse(line.slice(1)) as SupervisorNews);
        else this.#notes.push(line);
      }
    });
    // A process that was killed may break it.
    pipe.on('error', () => undefined);
  }

  #take(news: SupervisorNews): void {
    if (news.kind === 'limit') return this.#limit(news.of, news.milliseconds, news.why);
    this.#outcome ??= news;
    setTimeout(() => this.#kill(news), GRACE_AFTER_END).unref();
  }

  #limit(of: string, milliseconds: number | null, why: string): void {
    const now = performance.now();
    if (milliseconds === null) this.#limits.delete(of);
    else this.#limits.set(of, { at: now + milliseconds, why });
    clearTimeout(this.#timer);
    const [first] = [...this.#limits.values()].sort((one, other) => one.at - other.at);
    if (first === undefined) return;
    const outcome = { kind: 'broken', why: first.why } as const;
    this.#timer = setTimeout(() => this.#kill(outcome), Math.min(first.at - now, LONGEST_TIMER));
  }

  #kill(outcome: Outcome): void {
    this.child.kill('SIGKILL');
    this.#finish(outcome);
  }

  /** Does not wait for an exit: a process that hangs in a file system has none. */
  #finish(outcome: Outcome): void {
    this.#outcome ??= outcome;
    setTimeout(this.#close, GRACE_AFTER_END).unref();
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
        this.#limit('signal', GRACE_AFTER_SIGNAL, `it had not ended ${GRACE_AFTER_SIGNAL / 1_000} s after ${signal}`);
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
