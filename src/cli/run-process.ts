import { traceOf } from '../connect/shown-error.js';
import { fileFault, processFault } from '../file-fault.js';
import { EXIT_CODES } from '../policy/exit-code.js';
import { LONGEST_TIMER } from '../time-units.js';
import { interruption } from './interruption.js';
import { ProcessOutputs } from './process-outputs.js';
import { runCommandLine } from './program.js';
import type { RunNews } from './run-news.js';
import { lineOf } from './shown-errors.js';
import { keptLine, type RunNote, Spool } from './spool.js';

/** Runs the command line of this process, and ends it: a connection that is left open must not keep it. */
export function runProcess(process: NodeJS.Process): Promise<never> {
  return new RunProcess(process).run();
}

class RunProcess {
  #spool: Spool | null = null;
  #canKeep = true;
  /** True while the spool holds what no report holds. */
  #isUnreported = false;

  readonly #outputs: ProcessOutputs;

  constructor(private readonly process: NodeJS.Process) {
    this.#outputs = new ProcessOutputs(process);
  }

  async run(): Promise<never> {
    const { process } = this;
    const { argv, stdout, stderr, env } = process;
    // Node's own exit code for these is 1, which would look like findings.
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => void this.#breakOff(error));
    process.on('disconnect', () => this.#endWithoutWatch());
    const io = {
      stdout,
      stderr,
      env,
      cwd: () => process.cwd(),
      interruption: () => interruption(process, stderr),
      note: (note: RunNote) => this.#take(note),
    };
    let exitCode: number = EXIT_CODES.fault;
    try {
      exitCode = await runCommandLine(argv.slice(2), io);
    } catch (error) {
      stderr.write(`${lineOf(error)}\n`);
      if (isVerbose(process) && error instanceof Error) stderr.write(`${traceOf(error)}\n`);
    }
    return this.#end(await this.#outputs.written(exitCode));
  }

  #take(note: RunNote): void {
    if (note.kind === 'preparing') return void this.#tell(note);
    if (note.kind === 'reported') return void (this.#isUnreported = false);
    if (note.kind === 'settings') {
      this.#outputs.announce(note.settings.outputs);
      this.#openSpool();
    }
    if (note.kind === 'judged') this.#isUnreported = true;
    if (this.#canKeep) this.#keep((spool) => spool?.add(note));
    const { kind } = note;
    if (kind === 'target') {
      const { of, target } = note;
      void this.#tell({ kind, of, maxTime: target.maxTime });
      setTimeout(() => void this.#tell({ kind: 'overtime', of }), Math.min(target.maxTime, LONGEST_TIMER)).unref();
    }
    if (kind === 'finished') void this.#tell({ kind, of: note.of });
  }

  #openSpool(): void {
    this.#keep(() => {
      this.#spool = new Spool();
      void this.#tell({ kind: 'spool', file: this.#spool.file });
    });
  }

  /** A run goes on if what it finds can't be kept. */
  #keep(change: (spool: Spool | null) => void): void {
    try {
      change(this.#spool);
    } catch (error) {
      this.#canKeep = false;
      this.process.stderr.write(`If this run is killed, what it found is lost: ${fileFault(error)}.\n`);
    }
  }

  async #end(exitCode: number): Promise<never> {
    if (this.#isUnreported) this.#sayKept();
    else this.#keep((spool) => spool?.remove());
    await this.#tell({ kind: 'ended', exitCode });
    return this.process.exit(exitCode);
  }

  async #breakOff(error: unknown): Promise<never> {
    const { process } = this;
    const { stderr } = process;
    if (isVerbose(process) && error instanceof Error) stderr.write(`${traceOf(error)}\n`);
    const why = processFault(error) ?? `of a bug in mongolint (${nameOf(error)})`;
    await this.#tell({ kind: 'broken', why });
    return process.exit(EXIT_CODES.fault);
  }

  #endWithoutWatch(): never {
    this.#sayKept();
    return this.process.exit(EXIT_CODES.fault);
  }

  #sayKept(): void {
    if (this.#spool !== null && this.#isUnreported) this.process.stderr.write(keptLine(this.#spool.file));
  }

  /** Resolves once it is sent, or can't be: that the process that watches has ended is an event of its own. */
  #tell(news: RunNews): Promise<void> {
    return new Promise((resolve) => this.process.send?.(news, undefined, undefined, () => resolve()));
  }
}

function isVerbose({ argv }: NodeJS.Process): boolean {
  return argv.includes('--verbose');
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
