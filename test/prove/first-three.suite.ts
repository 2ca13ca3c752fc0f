/** Whether who runs the first three commands of a report has most of what all of its commands save, measured by replays. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { findWantedMongod } from '../support/mongod/wanted-mongod.js';
import { startReplicaSet } from '../support/servers.js';
import { record, runCommands } from './proof.js';
import { recordedWorkload } from './recorded-workload.js';
import { replay, type Replay } from './replay.js';
import { APPLICATION_WORKLOADS } from './workloads/applications.js';

/** The applications with the most findings. */
const LARGEST = new Set(['growthbook', 'reaction', 'trudesk', 'openim']);
const FIRST = 3;
/** Of what all commands save. */
const MOST = 0.5;

describe('the first three commands', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let client: MongoClient;

  beforeAll(async () => {
    server = await startReplicaSet({ mongod: await findWantedMongod() });
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it.each(APPLICATION_WORKLOADS.filter(({ name }) => LARGEST.has(name)).map((each) => [each.name, each] as const))(
    'of %s save at least half of what all save',
    async (name, workload) => {
      await record(workload, server.uri, client);
      const { findings } = await lint({ uri: server.uri, include: [`${name}.*`] });
      const advised = findings.filter(({ remedy }) => remedy.commands !== undefined);
      const { operations } = await recordedWorkload(client.db(name));
      const examined = async (of: readonly Finding[]) => {
        await runCommands(client, of);
        return examinedBy(await replay(client, client.db(name), operations));
      };
      const before = await examined([]);
      const three = await examined(advised.slice(0, FIRST));
      const all = await examined(advised.slice(FIRST));
      const saved = (before - three) / (before - all);
      const commands = `${advised.length} findings with commands`;
      process.stderr.write(
        `${name}: examined ${before} → ${three} → ${all}, ${Math.round(100 * saved)} % by three of ${commands}\n`,
      );
      await client.db(name).dropDatabase();
      expect(saved).toBeGreaterThanOrEqual(MOST);
    },
  );
});

/** Documents and index keys. */
function examinedBy({ shapes }: Replay): number {
  return [...shapes.values()].reduce(
    (sum, { executions, documentsExamined, keysExamined }) => sum + executions * (documentsExamined + keysExamined),
    0,
  );
}
