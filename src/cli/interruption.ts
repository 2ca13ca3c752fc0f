import type { TextStream } from './io.js';

const TEXT = 'Interrupted: ending the current reads, then reporting what was found. Interrupt again to stop at once.\n';

/** With the exit codes that shells expect. */
export const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export const SHOW_CURSOR = '\u001B[?25h';

/**
 * Aborts at the first signal to end, so that a run reports what it has found. The second one is left to the process that
 * watches: a terminal sends its signals to all processes at once, so this one gets each twice.
 */
export function interruption(process: Pick<NodeJS.Process, 'on'>, stderr: TextStream): AbortSignal {
  const controller = new AbortController();
  for (const signal of Object.keys(SIGNALS)) {
    process.on(signal, () => {
      if (controller.signal.aborted) return;
      stderr.write(TEXT);
      controller.abort();
    });
  }
  return controller.signal;
}
