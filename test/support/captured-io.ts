import { runCommandLine } from '../../src/cli/program.js';

/** What a run of the command line came to. */
export interface CapturedRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process, with its streams captured; neither is a terminal. `cwd` is where the configuration is looked for. */
export async function runCaptured(
  argv: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<CapturedRun> {
  const written = { stdout: '', stderr: '' };
  const exitCode = await runCommandLine(argv, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    env,
    cwd: () => cwd,
  });
  return { exitCode, ...written };
}
