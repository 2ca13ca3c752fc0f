import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** The variable with the name of a file that takes the peak of each measured process, a line each, in KB. */
export const PEAKS_FILE = 'MONGOLINT_BENCH_PEAKS';

/** Imported into a measured process, and into those that it starts (`node --import`). */
process.on('exit', () => {
  const file = process.env[PEAKS_FILE];
  if (file !== undefined && isMainThread) appendFileSync(file, `${process.resourceUsage().maxRSS}\n`);
});
