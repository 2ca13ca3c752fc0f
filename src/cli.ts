#!/usr/bin/env node
import { isLintRun, superviseRun } from './cli/supervisor.js';

if (isLintRun(process.argv.slice(2))) await superviseRun(process);
else {
  const { runProcess } = await import('./cli/run-process.js');
  await runProcess(process);
}
