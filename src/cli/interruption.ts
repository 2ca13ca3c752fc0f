import type { MessagePort } from 'node:worker_threads';
import type { Order } from './handover.js';
import type { TextStream } from './io.js';

const TEXT = 'Interrupted: ending the current reads, then reporting what was found. Interrupt again to stop at once.\n';

/** Aborts once the supervisor passes a signal on, so that a run reports what it has found. */
export function orderedInterruption(port: MessagePort, stderr: TextStream): AbortSignal {
  const controller = new AbortController();
  port.on('message', ({ kind }: Order) => {
    if (kind !== 'interrupt' || controller.signal.aborted) return;
    stderr.write(TEXT);
    controller.abort();
  });
  return controller.signal;
}

/** As {@link orderedInterruption}, in a process without a supervisor. A second signal ends it at once. */
export function interruption(process: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(code);
      process.stderr.write(TEXT);
      controller.abort();
    });
  }
  return controller.signal;
}

/** With the exit codes that shells expect. */
export const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
