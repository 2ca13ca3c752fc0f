/**
 * `npm run bench:scale`: what a run takes on clusters of 10⁵ and 10⁶ collections and on fleets, in virtual time. Commands are
 * modelled, their times estimated; the concurrency is p-limit's, as in a run. With a connection string, a real run behind a
 * proxy that adds latency is held against the simulation of the same cluster.
 */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import pLimit from 'p-limit';
import { formatCount, formatDuration } from '../src/format.js';
import { lint } from '../src/lint/lint.js';
import { OPTIONS } from '../src/lint/options.js';
import { LINT_DEFAULTS } from '../src/lint/lint-options.js';
import { VirtualClock } from './virtual-clock.js';

/** Of one cluster. Small collections, which are read in groups: those that are not take two commands more each. */
interface Cluster {
  readonly databases: number;
  readonly collections: number;
}

/** ms, estimated after runs over loopback on MongoDB 6.0.5: per command of the server; of the client, per collection. */
const ESTIMATED = {
  listCollections: 3,
  groupOfStatistics: 30,
  groupOfDocuments: 25,
  newestDocuments: 20,
  lookUp: 25,
  other: 1,
  clientPerCollection: 1.6,
  clientAtStart: 400,
} as const;
/** As `CollectionGroups` and `findInGroups` have them; a look-up is bounded by its values. */
const COLLECTIONS_PER_GROUP = 50;
const COLLECTIONS_PER_LOOK_UP = 7;
/** Commands before and after collections: hello, buildInfo, capabilities, rights, workload, oplog. */
const OTHER_COMMANDS = 14;
const DATABASES_AT_ONCE = 4;
/**
 * Round trips until the first command is answered: SRV and TXT records side by side 1; the monitor's connection TCP 1, TLS 1.3 1,
 * hello 1; the pool's TCP 1, TLS 1, hello with the first step of SCRAM 1, its second step 1.
 */
const CONNECTING = { srv: 1, monitor: 3, pool: 4 } as const;
const CONNECTING_ROUND_TRIPS = CONNECTING.srv + CONNECTING.monitor + CONNECTING.pool;
const ROUND_TRIPS = [1, 20, 100] as const;
/** The default of `--target-concurrency`. */
const TARGETS_AT_ONCE = OPTIONS.targetConcurrency.default;
const MS_PER_MINUTE = 60_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

interface Link {
  readonly roundTrip: number;
  readonly concurrency: number;
  /** Round trips to connect. */
  readonly connecting?: number;
}

/** Collections of a database by group. */
function groupsOf(collections: number, size: number): number[] {
  return Array.from({ length: Math.ceil(collections / size) }, (_, index) =>
    Math.min(size, collections - index * size),
  );
}

/** In ms of virtual time. */
async function simulatedRun(
  { databases, collections }: Cluster,
  { roundTrip, concurrency, connecting = CONNECTING_ROUND_TRIPS }: Link,
): Promise<number> {
  const clock = new VirtualClock();
  const limit = pLimit(concurrency);
  // The client computes one thing at a time.
  const processor = pLimit(1);
  const compute = (milliseconds: number) => processor(() => clock.wait(milliseconds));
  const ask = (milliseconds: number) => clock.wait(roundTrip + milliseconds);
  const ofDatabases = groupsOf(collections, Math.ceil(collections / databases));
  const inGroups = (of: number, size: number, milliseconds: number) =>
    Promise.all(groupsOf(of, size).map(() => limit(() => ask(milliseconds))));
  return clock.run(async () => {
    await clock.wait(connecting * roundTrip);
    await compute(ESTIMATED.clientAtStart);
    for (let command = 0; command < OTHER_COMMANDS; command += 1) await ask(ESTIMATED.other);
    await Promise.all(ofDatabases.map(() => limit(() => ask(ESTIMATED.listCollections))));
    const groups = ofDatabases.flatMap((each) => groupsOf(each, COLLECTIONS_PER_GROUP));
    // Collections of one group wait for the same commands, and the next group is begun with it: two are under way.
    const underWay = pLimit(2);
    await Promise.all(
      groups.map((group) =>
        underWay(async () => {
          await Promise.all([ask(ESTIMATED.groupOfStatistics), ask(ESTIMATED.groupOfStatistics)]);
          await ask(ESTIMATED.groupOfDocuments);
          await compute(group * ESTIMATED.clientPerCollection);
        }),
      ),
    );
    const atOnce = pLimit(DATABASES_AT_ONCE);
    await Promise.all(
      ofDatabases.map((of) =>
        atOnce(async () => {
          await inGroups(of, COLLECTIONS_PER_GROUP, ESTIMATED.newestDocuments);
          await inGroups(of, COLLECTIONS_PER_LOOK_UP, ESTIMATED.lookUp);
        }),
      ),
    );
  });
}

/** In ms: targets side by side, as `--target-concurrency` has them, in processes of their own. */
async function simulatedFleet(clusters: number, perCluster: number, processes: number): Promise<number> {
  const clock = new VirtualClock();
  const limit = pLimit(TARGETS_AT_ONCE * processes);
  return clock.run(() => Promise.all(Array.from({ length: clusters }, () => limit(() => clock.wait(perCluster)))));
}

function commandsOf({ databases, collections }: Cluster): number {
  const each = groupsOf(collections, Math.ceil(collections / databases));
  const groups = each.flatMap((of) => groupsOf(of, COLLECTIONS_PER_GROUP)).length;
  return OTHER_COMMANDS + databases + 4 * groups + each.flatMap((of) => groupsOf(of, COLLECTIONS_PER_LOOK_UP)).length;
}

async function printClusters(): Promise<void> {
  print('| collections | databases | commands | round trip | at once | a run takes |');
  print('| --- | --- | --- | --- | --- | --- |');
  for (const cluster of [
    { collections: 10_000, databases: 100 },
    { collections: 100_000, databases: 1_000 },
    { collections: 1_000_000, databases: 10_000 },
  ])
    for (const roundTrip of ROUND_TRIPS)
      for (const concurrency of [4, 16]) {
        const took = await simulatedRun(cluster, { roundTrip, concurrency });
        const [collections, databases, commands] = [cluster.collections, cluster.databases, commandsOf(cluster)];
        print(
          `| ${formatCount(collections)} | ${formatCount(databases)} | ${formatCount(commands)} | ${roundTrip} ms | ${concurrency} | ${formatDuration(took)} |`,
        );
      }
}

async function printFleet(): Promise<void> {
  print('| clusters | of collections | round trip | connecting | one cluster | processes | the fleet |');
  print('| --- | --- | --- | --- | --- | --- | --- |');
  for (const roundTrip of ROUND_TRIPS) {
    const one = await simulatedRun({ collections: 90, databases: 3 }, { roundTrip, concurrency: 4 });
    for (const processes of [1, 8]) {
      // Targets of one process share its processor.
      const busy = ESTIMATED.clientAtStart + 90 * ESTIMATED.clientPerCollection;
      const fleet = Math.max(await simulatedFleet(1_000, one, processes), (1_000 * busy) / processes);
      const connecting = formatDuration(CONNECTING_ROUND_TRIPS * roundTrip);
      print(
        `| 1,000 | 90 | ${roundTrip} ms | ${connecting} | ${formatDuration(one)} | ${processes} | ${formatDuration(fleet)} |`,
      );
    }
  }
}

/** Passes bytes on, half of the round trip later each way. */
async function delayedProxy(port: number, roundTrip: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = createConnection({ port, host: '127.0.0.1' });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => void delay(roundTrip / 2).then(() => to.writable && to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => void delay(roundTrip / 2).then(() => to.end()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** @param uri of a server with small collections; those of its databases are linted */
async function validate(uri: string, include: string): Promise<void> {
  const client = await new MongoClient(uri).connect();
  const { port } = client.options.hosts[0] as { port?: number };
  await client.close();
  print('| round trip | real run | simulated | ratio |');
  print('| --- | --- | --- | --- |');
  for (const roundTrip of ROUND_TRIPS) {
    const proxy = await delayedProxy(port ?? 27_017, roundTrip);
    const begun = performance.now();
    const { summary } = await lint({
      uri: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`,
      include: [include],
      maxTime: 10 * MS_PER_MINUTE,
    });
    const real = performance.now() - begun;
    proxy.close();
    // Without SRV and TLS, and TCP ends at the proxy.
    const link = { roundTrip, concurrency: LINT_DEFAULTS.concurrency, connecting: 4 };
    const simulated = await simulatedRun(summary, link);
    print(
      `| ${roundTrip} ms | ${formatDuration(real)} | ${formatDuration(simulated)} | ${(real / simulated).toFixed(2)} |`,
    );
  }
}

const [uri, include = '*.*'] = process.argv.slice(2);
if (uri === undefined) {
  await printClusters();
  print('');
  await printFleet();
} else await validate(uri, include);
