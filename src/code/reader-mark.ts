/** Holds the id of the process that wants to know what the source says. */
export const READS_FOR = 'MONGOLINT_READS_SOURCE_FOR';

/** Whether a process was started to read source, and for nothing else. */
export function readsSource({ env, ppid }: NodeJS.Process): boolean {
  return env[READS_FOR] === String(ppid);
}
