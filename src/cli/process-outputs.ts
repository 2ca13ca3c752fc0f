import { EXIT_CODES } from '../policy/exit-code.js';
import type { ReportOutput } from './report-outputs.js';

/** The outputs of a process: says if a report could not be written. */
export class ProcessOutputs {
  #isUnwritten = false;
  #isCutOff = false;
  /** A program may read it. */
  #isReportAsked: boolean;

  constructor(private readonly process: NodeJS.Process) {
    this.#isReportAsked = process.argv.some(isFormat);
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
        // Messages on stderr may be lost. EPIPE is a reader that has seen enough, as in `mongolint | head`.
        if (stream === process.stderr || this.#isUnwritten) return;
        if (code === 'EPIPE') return void (this.#isCutOff = true);
        this.#isUnwritten = true;
        process.stderr.write(`The report could not be written: ${message}\n`);
      });
    }
  }

  /** The reports of a run, wherever they were asked for. A table is for people, who may have seen enough. */
  announce(reports: readonly ReportOutput[]): void {
    if (reports.some(({ format, file }) => file === null && format !== 'table')) this.#isReportAsked = true;
  }

  /** Resolves once all is written, with the exit code that is right then. */
  async written(exitCode: number): Promise<number> {
    await written(this.process.stdout);
    await written(this.process.stderr);
    if (this.#isUnwritten) return EXIT_CODES.fault;
    // A program that wants a report may have crashed while it read: a part is not a pass.
    if (!this.#isCutOff || exitCode !== EXIT_CODES.clean || !this.#isReportAsked) return exitCode;
    this.process.stderr.write('The report could not be written: its reader left before the end.\n');
    await written(this.process.stderr);
    return EXIT_CODES.fault;
  }
}

function isFormat(argument: string): boolean {
  return /^--format\b/.test(argument);
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}
