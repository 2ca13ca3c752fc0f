#!/usr/bin/env node
// Nothing is loaded outside of `try`: what can't be loaded, as for lack of open files, would end with 1, as findings do.
void main();

// A function, since the executable has no module that may wait.
async function main(): Promise<void> {
  try {
    const { readsSource } = await import('./code/reader-mark.js');
    if (readsSource(process)) {
      const { serveSource } = await import('./code/source-process.js');
      await serveSource(process);
    }
    const { isWatched } = await import('./cli/run-news.js');
    const { prepareLoading } = await import('./cli/module-loading.js');
    if (isWatched(process)) {
      prepareLoading(process.argv);
      const { runProcess } = await import('./cli/run-process.js');
      await runProcess(process);
    }
    const { watchCommand } = await import('./cli/watchdog.js');
    const { outcome, spool } = await watchCommand(process);
    if (outcome.kind === 'ended') process.exit(outcome.exitCode);
    prepareLoading(process.argv);
    const { endUnfinished } = await import('./cli/unfinished-run.js');
    await endUnfinished(outcome, spool, process);
  } catch (error) {
    const { code, permission, name } = error as NodeJS.ErrnoException & { readonly permission?: string };
    const hints: Readonly<Record<string, string>> = {
      EMFILE: ': it may open no more files; raise the limit (ulimit -n)',
      ERR_ACCESS_DENIED: `: Node's permission model denies it ${permission}`,
    };
    process.stderr.write(`mongolint can't run: ${code ?? name}${hints[code ?? ''] ?? ''}.\n`);
    process.exit(2);
  }
}
