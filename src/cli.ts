#!/usr/bin/env node
import { prepareLoading } from './cli/module-loading.js';
import { isWatched } from './cli/run-news.js';
import { watchCommand } from './cli/watchdog.js';

const watched = isWatched(process) ? null : await watchCommand(process);
if (watched?.outcome.kind === 'ended') process.exit(watched.outcome.exitCode);
prepareLoading(process.argv);
if (watched === null) {
  const { runProcess } = await import('./cli/run-process.js');
  await runProcess(process);
} else {
  const { endUnfinished } = await import('./cli/unfinished-run.js');
  await endUnfinished(watched.outcome, watched.spool, process);
}
