import { parentPort, workerData } from 'node:worker_threads';
import type { RunStart } from './handover.js';
import { prepareLoading } from './module-loading.js';

if (parentPort !== null) {
  const start = workerData as RunStart;
  prepareLoading(start.argv);
  const { runSupervised } = await import('./supervised-run.js');
  await runSupervised(parentPort, start);
}
