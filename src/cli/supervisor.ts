import { Worker } from 'node:worker_threads';
import { OPTION_LIST } from '../lint/options.js';
import { EXIT_CODES } from '../policy/exit-code.js';
import type { Handover, Order, RunStart } from './handover.js';
import { SIGNALS } from './interruption.js';
import { spelledFlag } from './option-flag.js';
import { ProcessOutputs } from './process-outputs.js';
import { shapeOf } from './thread-output.js';

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

/** True if the arguments ask for a run on clusters, judged or collected, which is worth a supervisor. */
export function isLintRun(argv: readonly string[]): boolean {
  const withValue = new Set(OPTION_LIST.filter(([, { type }]) => type !== 'switch').map(([name]) => spelledFlag(name)));
  const argument = argv.find((each, index) => !each.startsWith('-') && !withValue.has(argv[index - 1] ?? ''));
  return !argv.some((each) => ANSWERED.has(each)) && !UNSUPERVISED_COMMANDS.has(argument ?? '');
}

/**
 * Runs the command in a thread of its own, ends that in time even if it is blocked or uses up its memory, and then reports
 * what was found. Ends the process. A process of its own would also outlive a kill by the system, but needs 50 MB more.
 */
export async function superviseRun(process: NodeJS.Process): Promise<void> {
  const run = startedRun(process);
  if (run === null) {
    const { runProcess } = await import('./run-process.js');
    return runProcess(process);
  }
  const outputs = new ProcessOutputs(process);
  return outputs.end(await new SupervisedRun(run, process).exitCode());
}

/** Null if the system has no thread left for a run, which then goes on without being watched. */
function startedRun({ argv, stdout, stderr }: NodeJS.Process): Worker | null {
  const workerData: RunStart = {
    argv: argv.slice(2),
    outputs: { stdout: shapeOf(stdout), stderr: shapeOf(stderr) },
  };
  try {
    return new Worker(new URL('./run-thread.js', import.meta.url), { workerData });
  } catch (error) {
    if (errorCode(error) === 'ERR_WORKER_INIT_FAILED') return null;
    throw error;
  }
}

class SupervisedRun {
  #handed: Handover[] = [];
  /** By the place of a target that is under way, when it must have ended, in ms of the monotonic clock. */
  readonly #deadlines = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  /** True once nothing is left but to write and to exit. */
  #isOver = false;
  #ended: (outcome: number | string) => void = () => {};

  constructor(
    private readonly run: Worker,
    private readonly process: NodeJS.Process,
  ) {}

  async exitCode(): Promise<number> {
    this.#endAfter(LONGEST_PREPARATION, 'its preparation took longer than 10 minutes');
    this.#listen();
    const outcome = await this.#outcome();
    clearTimeout(this.#timer);
    return typeof outcome === 'number' ? outcome : this.#reportInstead(outcome);
  }

  /** The run's own exit code, or why it has none. */
  #outcome(): Promise<number | string> {
    return new Promise((resolve) => {
      this.#ended = (outcome) => {
        this.#isOver = true;
        resolve(outcome);
      };
      this.run.on('message', (messages: readonly Handover[]) => messages.forEach((message) => this.#take(message)));
      this.run.on('error', (error) => this.#ended(faultOf(error)));
      this.run.on('exit', () => this.#ended('it ended early'));
    });
  }

  #take(message: Handover): void {
    if (message.kind === 'written') return void this.process[message.to].write(message.text);
    if (message.kind === 'ended') return this.#ended(message.exitCode);
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
    this.#timer = setTimeout(() => this.#stop(why), Math.min(milliseconds, LONGEST_TIMER));
  }

  #stop(why: string): void {
    this.#ended(why);
    this.run.removeAllListeners('message');
    void this.run.terminate();
  }

  #listen(): void {
    let isAsked = false;
    for (const [signal, exitCode] of Object.entries(SIGNALS)) {
      this.process.on(signal, () => {
        if (isAsked || this.#handed.length === 0 || this.#isOver) this.process.exit(exitCode);
        isAsked = true;
        this.#order({ kind: 'interrupt' });
        this.#endAfter(GRACE_AFTER_SIGNAL, `it had not ended ${GRACE_AFTER_SIGNAL / 1_000} s after ${signal}`);
      });
    }
    const { stdout, stderr } = this.process;
    stderr.on('resize', () => {
      this.#order({ kind: 'resize', columns: { stdout: stdout.columns, stderr: stderr.columns } });
    });
  }

  #order(order: Order): void {
    this.run.postMessage(order);
  }

  async #reportInstead(why: string): Promise<number> {
    const { stdout, stderr, env } = this.process;
    if (stderr.isTTY) stderr.write(SHOW_CURSOR);
    const { reportUnfinishedRun } = await import('./unfinished-run.js');
    await reportUnfinishedRun(this.#handed, why, { stdout, stderr, env, cwd: () => this.process.cwd() });
    return EXIT_CODES.fault;
  }
}

function faultOf(error: unknown): string {
  if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') return 'it used up its memory';
  return `of a bug in mongolint (${error instanceof Error ? error.name : typeof error})`;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
