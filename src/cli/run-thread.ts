import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { EXIT_CODES } from '../policy/exit-code.js';
import { packageInfo } from '../package-root.js';
import { compiledCodeFolder } from './compiled-code-folder.js';
import { CompiledScript } from './compiled-script.js';
import { NODE_MODULES_OF_RUN } from './node-modules-of-run.js';
import { spareCompiling, spareMemoryNoLonger } from './v8-settings.js';

const SCRIPT = fileURLToPath(new URL('./run.cjs', import.meta.url));

if (parentPort !== null) void run(parentPort);

async function run(port: MessagePort): Promise<void> {
  // Before V8 is set otherwise: it takes what Node has compiled of these only under the settings that Node began with.
  const require = createRequire(SCRIPT);
  NODE_MODULES_OF_RUN.forEach((module) => void require(module));
  spareCompiling();
  const folder = compiledCodeFolder(process.env, homedir(), packageInfo().version);
  const script = folder === null ? null : new CompiledScript(SCRIPT, folder);
  const { runSupervised } = await import('./supervised-run.js');
  await runSupervised(port, workerData, async (exitCode) => {
    // A run that failed has called few of the functions that the next one needs.
    if (exitCode === EXIT_CODES.fault) return;
    spareMemoryNoLonger();
    await script?.keep();
  });
}
