#!/usr/bin/env node
import { isWatched, watchCommand } from './cli/watchdog.js';

void run();

async function run(): Promise<void> {
  if (!isWatched(process)) return watchCommand(process);
  const { runProcess } = await import('./cli/run-process.js');
  return runProcess(process);
}
