#!/usr/bin/env node
import { optimizeLater } from './cli/v8-settings.js';
import { isLintRun, superviseRun } from './cli/supervisor.js';

void run();

async function run(): Promise<void> {
  optimizeLater();
  if (isLintRun(process.argv.slice(2))) return superviseRun(process);
  const { runProcess } = await import('./cli/run-process.js');
  return runProcess(process);
}
