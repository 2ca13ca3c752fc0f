import { EXIT_CODES } from '../policy/exit-code.js';

/** The outputs of a process: says if a report could not be written. */
export class ProcessOutputs {
  #isUnwritten = false;

  constructor(private readonly process: NodeJS.Process) {
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
        // EPIPE is a reader that has seen enough, as in `mongolint | head`. Messages on stderr may be lost.
        if (code === 'EPIPE' || stream === process.stderr || this.#isUnwritten) return;
        this.#isUnwritten = true;
        process.stderr.write(`The report could not be written: ${message}\n`);
      });
    }
  }

  /** Resolves once all is written, with the exit code that is right then. */
  async written(exitCode: number): Promise<number> {
    await written(this.process.stdout);
    await written(this.process.stderr);
    return this.#isUnwritten ? EXIT_CODES.fault : exitCode;
  }
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}
