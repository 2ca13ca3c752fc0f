import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from 'simple-statistics';

/** One finished process. */
export interface MeasuredProcess {
  /** From start to end, in ms. */
  readonly wall: number;
  /** Peak resident memory in bytes. */
  readonly peakBytes: number;
}

/** Runs a script of the build to its end, its output thrown away. Exit code 1, findings, is as good as 0. */
export async function measureProcess(script: string, argv: readonly string[]): Promise<MeasuredProcess> {
  const started = performance.now();
  const child = fork(script, [...argv], {
    execArgv: ['--import', fileURLToPath(new URL('./peak-memory.js', import.meta.url))],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let peakBytes = 0;
  child.on('message', (message: { peakBytes: number }) => (peakBytes = message.peakBytes));
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  if (code !== 0 && code !== 1) throw new Error(`${script} ended with exit code ${code}.`);
  return { wall: performance.now() - started, peakBytes };
}

/** A pair of commands measured in turn. */
export interface PairedRuns {
  /** Median of the ratios first/second, pair by pair, so that a machine that grows slower does not matter. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  /** Medians of the wall times, in ms. */
  readonly first: number;
  readonly second: number;
}

/** Runs two commands in turn, A B A B …, after one warm-up of each. */
export async function measurePairs(
  runs: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<PairedRuns> {
  await first();
  await second();
  const pairs: { first: number; second: number }[] = [];
  for (let run = 0; run < runs; run += 1) pairs.push({ first: await first(), second: await second() });
  const ratios = pairs.map((pair) => pair.first / pair.second);
  return {
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    first: median(pairs.map((pair) => pair.first)),
    second: median(pairs.map((pair) => pair.second)),
  };
}
