/**
 * What a run costs those who write meanwhile: the 99th percentile of their latencies with a run beside them, and with a
 * process that only burns one core, over that of a quiet window. `npm run bench:writers` runs it by itself.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { median, quantile } from 'simple-statistics';
import { startEmbeddedMongod } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { plantMixedCollections } from './bench-data.js';
import { measureProcess } from './measured-process.js';

const ROUNDS = 7;
/** In ms, before the first window: caches fill, and the first checkpoint passes. */
const WARM_UP = 5_000;
const P99 = 0.99;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const scriptAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Latencies, in ms, of the writes while something lasts. */
async function p99While(writers: ChildProcess, meanwhile: () => Promise<unknown>): Promise<number> {
  writers.send('begin');
  await meanwhile();
  writers.send('end');
  const [latencies] = (await once(writers, 'message')) as [number[]];
  return quantile(latencies, P99);
}

/** Burns one core for so many ms. */
async function burn(milliseconds: number): Promise<void> {
  const hog = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  await delay(milliseconds);
  hog.kill('SIGKILL');
  await once(hog, 'exit');
}

/** Prints how much slower writers are beside a run, and beside the control. All three take turns. */
export async function benchWriters(uri: string, command: string): Promise<void> {
  const writers = fork(scriptAt('./write-load.js'), [uri], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    await once(writers, 'message');
    await delay(WARM_UP);
    const rounds: { quiet: number; run: number; hog: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      let wall = 0;
      const run = await p99While(writers, async () => {
        ({ wall } = await measureProcess(command, [uri, '--include', 'mixed.*', '--no-progress']));
      });
      const quiet = await p99While(writers, () => delay(wall));
      const hog = await p99While(writers, () => burn(wall));
      rounds.push({ quiet, run, hog });
    }
    const ratios = (of: 'run' | 'hog') => rounds.map((round) => round[of] / round.quiet);
    print(`writers beside a run: p99 / quiet = ${spread(ratios('run'))}`);
    print(`writers beside a process that burns a core: p99 / quiet = ${spread(ratios('hog'))}`);
    print(`writers beside nothing: p99 ${median(rounds.map(({ quiet }) => quiet)).toFixed(1)} ms`);
  } finally {
    writers.disconnect();
  }
}

function spread(ratios: readonly number[]): string {
  return `${median([...ratios]).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startEmbeddedMongod(print);
  const client = new MongoClient(server.uri);
  try {
    await plantMixedCollections(client.db('mixed'));
    await benchWriters(server.uri, scriptAt('../bundle/cli.js'));
  } finally {
    await client.close();
    await server.stop();
  }
}
