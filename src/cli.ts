#!/usr/bin/env node
import { prepareLoading } from './cli/module-loading.js';
import { isWatched, watchCommand } from './cli/watchdog.js';

prepareLoading(process.argv);
if (isWatched(process)) {
  const { runProcess } = await import('./cli/run-process.js');
  await runProcess(process);
} else await watchCommand(process);
