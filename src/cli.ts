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
    const { SUPERVISED_BY, printsOnly } = await import('./cli/run-news.js');
    const { prepareLoading } = await import('./cli/module-loading.js');
    const { argv, env, ppid } = process;
    const parent = env[SUPERVISED_BY];
    // What this process starts is not watched by its parent.
    delete env[SUPERVISED_BY];
    // Its parent was killed before this one could notice.
    if (parent !== undefined && parent !== String(ppid)) process.exit(2);
    if (parent === undefined && !printsOnly(argv.slice(2))) await supervise();
    prepareLoading(argv);
    const { RunProcess } = await import('./cli/run-process.js');
    await new RunProcess(process, parent === undefined ? supervise : null).run();
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

/** Runs the command in a process that this one watches, and ends as that one does, or in its place. */
async function supervise(): Promise<never> {
  const { startedCommand, Supervisor } = await import('./cli/supervisor.js');
  const { outcome, notes } = await new Supervisor(await startedCommand(process), process).end();
  if (outcome.kind !== 'broken') process.exit(outcome.exitCode);
  const { prepareLoading } = await import('./cli/module-loading.js');
  prepareLoading(process.argv);
  const { endUnfinished } = await import('./cli/unfinished-run.js');
  return endUnfinished(outcome.why, notes, process);
}
