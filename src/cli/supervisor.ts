import { fork, type ChildProcess } from 'node:child_process';
import { EXIT_CODES } from '../policy/exit-code.js';
import type { Handover, Order } from './handover.js';
import { SIGNALS } from './interruption.js';
import { spelledFlag } from './option-flag.js';
import { OPTION_LIST } from '../lint/options.js';

/** For the supervised process: its supervisor's id. */
const SUPERVISED_BY = 'MONGOLINT_SUPERVISED_BY';
/** Those that read no cluster as a run does. A test holds them against the commands that there are. */
export const UNSUPERVISED_COMMANDS: ReadonlySet<string> = new Set(
  'demo init checks explain role shard-key judge report compare completion help'.split(' '),
);
const ANSWERED = new Set(['--help', '-h', '--version', '-V']);
/** In ms: how long a run may take to end by itself after `--max-time` or a signal, and to begin. */
const GRACE_AFTER_MAX_TIME = 4_000;
const GRACE_AFTER_SIGNAL = 8_000;
const LONGEST_PREPARATION = 10 * 60 * 1_000;
const LONGEST_TIMER = 2 ** 31 - 1;
const SHOW_CURSOR = '\u001B[?25h';

/** True in a process that has a supervisor; what it starts itself has none. */
export function isSupervised(process: NodeJS.Process): boolean {
  const supervisor = process.env[SUPERVISED_BY];
  delete process.env[SUPERVISED_BY];
  return process.send !== undefined && supervisor === String(process.ppid);
}

/** True if the arguments ask for a run on clusters, judged or collected, which is worth a supervisor. */
export function isLintRun(argv: readonly string[]): boolean {
  const withValue = new Set(OPTION_LIST.filter(([, { type }]) => type !== 'switch').map(([name]) => spelledFlag(name)));
  const argument = argv.find((each, index) => !each.startsWith('-') && !withValue.has(argv[index - 1] ?? ''));
  return !argv.some((each) => ANSWERED.has(each)) && !UNSUPERVISED_COMMANDS.has(argument ?? '');
}
/**
 * Runs the command in a process of its own, ends that in time even if it is blocked, and then reports what was found. A
 * thread would not do: one that uses up its memory takes its whole process with it.
 *
 * @returns the exit code; null if no process could be started
 */
export async function superviseRun(process: NodeJS.Process): Promise<number | null> {
  const run = startRun(process);
  if (run === null) return null;
  return new SupervisedRun(run, process).exitCode();
}

function startRun({ argv, env, execArgv, pid }: NodeJS.Process): ChildProcess | null {
  try {
    return fork(argv[1] as string, argv.slice(2), {
      env: { ...env, [SUPERVISED_BY]: String(pid) },
      execArgv,
      serialization: 'advanced',
    });
  } catch {
    return null;
  }
}

class SupervisedRun {
  #handed: Handover[] = [];
  /** By the place of a target that is under way, when it must have ended, in ms of the monotonic clock. */
  readonly #deadlines = new Map<number, number>();
  #why: string | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: ChildProcess,
    private readonly process: NodeJS.Process,
  ) {}

  async exitCode(): Promise<number | null> {
    this.#endAfter(LONGEST_PREPARATION, 'its preparation took longer than 10 minutes');
    this.run.on('message', (messages: readonly Handover[]) => messages.forEach((message) => this.#take(message)));
    const stopListening = this.#listenToSignals();
    const ended = await this.#end();
    clearTimeout(this.#timer);
    stopListening();
    if (ended === null) return null;
    const own = this.#handed.find((message) => message.kind === 'ended');
    return own?.exitCode ?? this.#reportInstead(ended.signal);
  }

  // What the process handed over last may arrive after its end is known.
  #end(): Promise<{ readonly signal: string | null } | null> {
    return new Promise((resolve) => {
      this.run.on('exit', (_, signal) => {
        if (this.run.connected) this.run.on('disconnect', () => resolve({ signal }));
        else resolve({ signal });
      });
      this.run.on('error', () => void (this.run.pid === undefined && resolve(null)));
    });
  }

  #take(message: Handover): void {
    // What was judged of a target is in its report.
    if (message.kind === 'finished')
      this.#handed = this.#handed.filter((other) => other.kind !== 'judged' || other.of !== message.of);
    this.#handed.push(message);
    const now = performance.now();
    if (message.kind === 'target') this.#deadlines.set(message.of, now + message.target.maxTime + GRACE_AFTER_MAX_TIME);
    else if (message.kind === 'finished') this.#deadlines.delete(message.of);
    else return;
    // After the last target, its own deadline is left for the writing of the reports.
    if (this.#deadlines.size === 0) return;
    const next = Math.min(...this.#deadlines.values());
    this.#endAfter(next - now, `it had not ended ${GRACE_AFTER_MAX_TIME / 1_000} s after --max-time`);
  }

  #endAfter(milliseconds: number, why: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#why = why;
        this.run.kill('SIGKILL');
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
  }

  #listenToSignals(): () => void {
    let isAsked = false;
    const listeners = Object.entries(SIGNALS).map(([signal, exitCode]) => {
      const listener = (): void => {
        if (isAsked || this.#handed.length === 0) {
          this.run.kill('SIGKILL');
          this.process.exit(exitCode);
        }
        isAsked = true;
        this.run.send({ kind: 'interrupt' } satisfies Order, () => {});
        this.#endAfter(GRACE_AFTER_SIGNAL, `it had not ended ${GRACE_AFTER_SIGNAL / 1_000} s after ${signal}`);
      };
      this.process.on(signal, listener);
      return () => void this.process.off(signal, listener);
    });
    return () => listeners.forEach((stop) => stop());
  }

  async #reportInstead(signal: string | null): Promise<number> {
    const { stdout, stderr, env } = this.process;
    if (stderr.isTTY) stderr.write(SHOW_CURSOR);
    const why = this.#why ?? (signal === null ? 'its process ended early' : `its process was ended by ${signal}`);
    const { reportUnfinishedRun } = await import('./unfinished-run.js');
    await reportUnfinishedRun(this.#handed, why, { stdout, stderr, env, cwd: () => this.process.cwd() });
    return EXIT_CODES.fault;
  }
}
