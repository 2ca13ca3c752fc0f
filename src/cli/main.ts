import { isLintRun, superviseRun } from './supervisor.js';

/** Runs the command line of this process, a run on clusters under supervision, and ends the process. */
export async function main(process: NodeJS.Process): Promise<void> {
  if (isLintRun(process.argv.slice(2))) return superviseRun(process);
  const { runProcess } = await import('./run-process.js');
  return runProcess(process);
}
