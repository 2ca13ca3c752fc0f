/**
 * `npm run compare-reports -- COMMAND`: whether another build of mongolint reports the same as this one but for wording, over
 * the demo's collections and the bench's clusters. `COMMAND` is the other build's cli.js.
 *
 * The other build runs twice: values in which its own two reports differ, such as how often an index was used meanwhile,
 * cannot tell the builds apart. Everything is read whole, so that no sample is drawn. Exits with 1 if there are differences.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient, type Db } from 'mongodb';
import { startEmbeddedMongod } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { exhibits, exhibitSettings } from '../test/exhibits/index.js';
import { plantMixedCollections, plantSmallCollections } from './bench-data.js';
import { measureProcess } from './measured-process.js';
import { comparedValues, reportDifferences, type ComparedValues } from './report-differences.js';

/** Documents and bytes of a collection that are read: more than any of them has. */
const WHOLE = ['--sample-size', '1000000', '--sample-bytes', '4000000000'];
const MOST_SHOWN = 100;
const THIS_BUILD = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);

const CLUSTERS: Readonly<Record<string, (database: Db) => Promise<void>>> = {
  demo: plantExhibits,
  mixed: plantMixedCollections,
  small: plantSmallCollections,
};

async function plantExhibits(database: Db): Promise<void> {
  for (const { bad, twin } of exhibits) {
    await bad.plant(database);
    await twin.plant(database);
  }
}

/** The differences of a database's reports, without those that one and the same build shows as well. */
async function differencesOn(name: string, reportOf: (command: string) => Promise<ComparedValues>): Promise<number> {
  const [first, second] = [await reportOf(OTHER_BUILD), await reportOf(OTHER_BUILD)];
  const unstable = reportDifferences(first, second);
  const found = [...reportDifferences(second, await reportOf(THIS_BUILD))].filter(([path]) => !unstable.has(path));
  print(`${name}: ${first.size} values compared, ${unstable.size} left out as unstable, ${found.length} different`);
  print(`  unstable: ${[...new Set([...unstable.keys()].map((path) => path.split('/').at(-1)))].join(', ') || 'none'}`);
  for (const [path, difference] of found.slice(0, MOST_SHOWN)) print(`  ${path}: ${difference}`);
  if (found.length > MOST_SHOWN) print(`  and ${found.length - MOST_SHOWN} more`);
  return found.length;
}

const [other] = process.argv.slice(2);
if (other === undefined) throw new Error('Usage: npm run compare-reports -- COMMAND, the cli.js of another build.');
const OTHER_BUILD = resolve(other);
const folder = await mkdtemp(join(tmpdir(), 'mongolint-compare-'));
const server = await startEmbeddedMongod(print);
const client = new MongoClient(server.uri);
try {
  let different = 0;
  for (const [name, plant] of Object.entries(CLUSTERS)) {
    const database = client.db(name);
    await plant(database);
    const config = join(folder, `${name}.json`);
    await writeFile(config, JSON.stringify({ checks: exhibitSettings(name) }));
    const reportOf = async (command: string) => {
      const file = join(folder, 'report.json');
      const options = ['--include', `${name}.*`, '--config', config, '--format', `json=${file}`, '--no-progress'];
      await measureProcess(command, [server.uri, ...options, ...WHOLE]);
      return comparedValues(JSON.parse(await readFile(file, 'utf8')));
    };
    different += await differencesOn(name, reportOf);
    await database.dropDatabase();
  }
  process.exitCode = different === 0 ? 0 : 1;
} finally {
  await client.close();
  await server.stop();
  await rm(folder, { recursive: true });
}
