import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { EXIT_CODES } from '../policy/exit-code.js';
import { packageInfo } from '../package-root.js';
import { compiledCodeFolder } from './compiled-code-folder.js';
import { CompiledScript } from './compiled-script.js';

const SCRIPT = fileURLToPath(new URL('./run.cjs', import.meta.url));

if (parentPort !== null) void run(parentPort);

async function run(port: MessagePort): Promise<void> {
  const folder = compiledCodeFolder(process.env, homedir(), packageInfo().version);
  const script = folder === null ? null : new CompiledScript(SCRIPT, folder);
  const { runSupervised } = await import('./supervised-run.js');
  await runSupervised(port, workerData, async (exitCode) => {
    // A run that failed has called few of the functions that the next one needs.
    if (exitCode !== EXIT_CODES.fault) await script?.keep();
  });
}
