import { parentPort, workerData } from 'node:worker_threads';
import { keepCompiledCode } from './code-cache.js';

keepCompiledCode(process.env);
const { runSupervised } = await import('./supervised-run.js');
if (parentPort !== null) await runSupervised(parentPort, workerData);
