import { execFile, fork } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, sum } from 'simple-statistics';
import { PEAKS_FILE } from './peak-memory.js';

/** One finished process. */
export interface MeasuredProcess {
  /** From start to end, in ms. */
  readonly wall: number;
  /** Peak resident memory in bytes, of the process and those that it started together. */
  readonly peakBytes: number;
}

/** Runs a script of the build to its end, its output thrown away. Exit code 1, findings, is as good as 0. */
export async function measureProcess(script: string, argv: readonly string[]): Promise<MeasuredProcess> {
  // Node ends with exit code 1, too, where there is no such script.
  await access(script);
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-bench-'));
  const peaks = join(folder, 'peaks');
  try {
    const started = performance.now();
    const child = fork(script, [...argv], {
      execArgv: ['--import', fileURLToPath(new URL('./peak-memory.js', import.meta.url))],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, [PEAKS_FILE]: peaks },
    });
    const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
    const wall = performance.now() - started;
    if (code !== 0 && code !== 1) throw new Error(`${script} ended with exit code ${code}.`);
    const peakBytes = sum((await readFile(peaks, 'utf8')).split('\n').map(Number)) * 1024;
    return { wall, peakBytes };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Processor time in ms of one of so many runs of Node. The shell's own `times` counts what has ended below it, in steps of 10 ms. */
export async function processorTime(argv: readonly string[], times: number): Promise<number> {
  const script = `for i in $(seq ${times}); do "$@" > /dev/null 2>&1; done; times`;
  // Not at once: a server whose log nobody reads meanwhile stops when its pipe is full.
  const { stdout } = await promisify(execFile)('sh', ['-c', script, 'sh', process.execPath, ...argv]);
  const [, ofCommand = ''] = stdout.split('\n');
  const seconds = [...ofCommand.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return sum(seconds) * (1_000 / times);
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
