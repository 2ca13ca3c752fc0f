import type { TextStream } from './io.js';

const TEXT = 'Interrupted: ending the current reads, then reporting what was found. Interrupt again to stop at once.\n';

/** With the exit codes that shells expect. */
export const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export const SHOW_CURSOR = '\u001B[?25h';

/**
 * Aborts at the first signal to end, so that a run reports what it has found.
 *
 * @param again called with the exit code for each signal after that. A terminal sends its signals to all processes at once,
 * so one that is watched gets each twice, and leaves the second to the process that watches.
 */
export function interruption(
  process: Pick<NodeJS.Process, 'on'>,
  stderr: TextStream,
  again: (exitCode: number) => void,
): AbortSignal {
  const controller = new AbortController();
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (controller.signal.aborted) return again(exitCode);
      stderr.write(TEXT);
      controller.abort();
    });
  }
  return controller.signal;
}
