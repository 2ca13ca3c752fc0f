#!/usr/bin/env node
import { keepCompiledCode } from './cli/code-cache.js';
import { isLintRun, isSupervised, superviseRun } from './cli/supervisor.js';

const isRun = isSupervised(process);
const supervised = isRun || !isLintRun(process.argv.slice(2)) ? null : await superviseRun(process);
if (supervised === null) {
  keepCompiledCode(process.env);
  const { runProcess } = await import('./cli/run-process.js');
  await runProcess(process, isRun);
} else process.exitCode = supervised;
