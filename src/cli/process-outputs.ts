import { fstatSync, fsyncSync, writeSync } from 'node:fs';
import { fileFault } from '../files/file-fault.js';
import { EXIT_CODES } from '../policy/exit-code.js';
import type { TextStream } from './io.js';
import type { ReportOutput } from './report-outputs.js';

/** What a file system says that could not keep what it had taken; others are not asked for that. */
const UNKEPT: ReadonlySet<unknown> = new Set(['EDQUOT', 'EIO', 'ENOSPC']);

/** The outputs of a process: says if something could not be written. */
export class ProcessOutputs {
  readonly stdout: TextStream;
  readonly stderr: NodeJS.WriteStream;
  /** Stdout is a file, whose stream would take a part of a text for the whole on a disk that fills. */
  readonly #isFile: boolean;
  #isUnwritten = false;
  #isCutOff = false;
  /** A program may read it. */
  #isReportAsked: boolean;

  constructor({ stdout, stderr, argv }: NodeJS.Process) {
    this.#isReportAsked = argv.some(isFormat);
    this.#isFile = isFile(stdout.fd);
    this.stderr = stderr;
    // Messages on stderr may be lost.
    stderr.on('error', () => undefined);
    stdout.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
    this.stdout = this.#isFile ? { write: (text) => this.#writeAll(stdout.fd, text) } : stdout;
  }

  /** The reports of a run, wherever they were asked for. A table is for people, who may have seen enough. */
  announce(reports: readonly ReportOutput[]): void {
    if (reports.some(({ format, file }) => file === null && format !== 'table')) this.#isReportAsked = true;
  }

  /** Resolves once all is written, with the exit code that is right then. */
  async written(exitCode: number): Promise<number> {
    if (this.#isFile) this.#attempt(() => fsyncSync(1), UNKEPT);
    else await written(this.stdout as NodeJS.WriteStream);
    await written(this.stderr);
    if (this.#isUnwritten) return EXIT_CODES.fault;
    // A program that wants a report may have crashed while it read: a part is not a pass.
    if (!this.#isCutOff || exitCode !== EXIT_CODES.clean || !this.#isReportAsked) return exitCode;
    this.stderr.write('The report could not be written: its reader left before the end.\n');
    await written(this.stderr);
    return EXIT_CODES.fault;
  }

  #writeAll(descriptor: number, text: string): void {
    const bytes = Buffer.from(text);
    this.#attempt(() => {
      for (let done = 0; done < bytes.length && !this.#isUnwritten;) done += writeSync(descriptor, bytes, done);
    });
  }

  #attempt(write: () => void, faults?: typeof UNKEPT): void {
    try {
      write();
    } catch (error) {
      const fault = error as NodeJS.ErrnoException;
      if (faults === undefined || faults.has(fault.code)) this.#fail(fault);
    }
  }

  #fail(error: NodeJS.ErrnoException): void {
    // A reader that has seen enough, as in `mongolint | head`.
    if (error.code === 'EPIPE') return void (this.#isCutOff = true);
    if (this.#isUnwritten) return;
    this.#isUnwritten = true;
    this.stderr.write(`The output could not be written: ${fileFault(error)}.\n`);
  }
}

function isFormat(argument: string): boolean {
  return /^--format\b/.test(argument);
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}
