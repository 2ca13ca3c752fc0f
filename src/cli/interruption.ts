/** The exit codes that shells expect after these signals. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Catches signals, so that a run reports what it has found: Kubernetes sends SIGTERM half a minute before it kills a job.
 * A second signal ends the process at once.
 */
export function interruption(process: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(code);
      process.stderr.write(
        'Interrupted: waiting for the current reads, then reporting what was found. Interrupt again to stop at once.\n',
      );
      controller.abort();
    });
  }
  return controller.signal;
}
