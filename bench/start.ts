/**
 * Processor time of whole commands, with all processes that they start, over `node -e 0`: what is only printed, and a run over
 * one small collection. `npm run bench:start`.
 */
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { startEmbeddedMongod } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { measurePairs, processorTime } from './measured-process.js';

const RUNS = 5;
const TIMES = 10;
const DOCUMENTS = 200;
const COMMAND = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));

async function bench(title: string, argv: readonly string[]): Promise<void> {
  const { ratio, lowest, highest, first } = await measurePairs(
    RUNS,
    () => processorTime([COMMAND, ...argv], TIMES),
    () => processorTime(['-e', '0'], TIMES),
  );
  process.stdout.write(
    `${title}: ${ratio.toFixed(2)} times node -e 0 (${lowest.toFixed(2)} to ${highest.toFixed(2)}; ${first.toFixed(0)} ms)\n`,
  );
}

for (const argv of [['--version'], ['--help'], ['checks'], ['explain', 'unbounded-array']])
  await bench(argv.join(' '), argv);

const server = await startEmbeddedMongod((line) => void process.stdout.write(`${line}\n`));
const client = new MongoClient(server.uri);
try {
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({ n, name: `name ${n}` }));
  await client.db('small').collection('one').insertMany(documents);
  await bench('a collection of 200 documents', [server.uri, '--include', 'small.*', '--no-progress']);
} finally {
  await client.close();
  await server.stop();
}
