import { runCommandLine } from '../../../src/cli/program.js';

/** What a worker is asked for: a command line, without node and the script. */
export interface WorkerOrder {
  readonly id: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What came of it. */
export interface WorkerAnswer {
  readonly id: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// The main file of a process in which many runs of the command line share the modules that are loaded and compiled once.
process.on('message', (order: WorkerOrder) => void run(order));

async function run({ id, argv, env }: WorkerOrder): Promise<void> {
  const written = { stdout: '', stderr: '' };
  const code = await runCommandLine(argv, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    env,
    cwd: () => process.cwd(),
  });
  process.send?.({ id, code, ...written } satisfies WorkerAnswer);
}
