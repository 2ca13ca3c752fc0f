#!/usr/bin/env node
import { spareCompiling } from './cli/v8-settings.js';
import { isLintRun, superviseRun } from './cli/supervisor.js';

void run();

async function run(): Promise<void> {
  if (isLintRun(process.argv.slice(2))) return superviseRun(process);
  const { runProcess } = await import('./cli/run-process.js');
  spareCompiling();
  return runProcess(process);
}
