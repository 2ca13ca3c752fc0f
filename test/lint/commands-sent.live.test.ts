import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { beforeAll, expect, it } from 'vitest';
import { redundantIndex } from '../../checks/redundant-index.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const DATABASES = 4;
const COLLECTIONS = 40;
/** The driver's own: it asks how members are, and ends its sessions. */
const HOUSEKEEPING = new Set(['hello', 'ping', 'endSessions']);

const client = sharedClient();
const databases = Array.from({ length: DATABASES }, () => freshDatabase(client));
const sent: CommandStartedEvent[] = [];
let report: Report;

function listen(linting: MongoClient): void {
  linting.on('commandStarted', (event) => sent.push(event));
}

beforeAll(async () => {
  for (const shop of databases) {
    for (let number = 0; number < COLLECTIONS; number += 1) {
      const orders = shop.collection(`orders_${number}`);
      await orders.insertMany(Array.from({ length: 10 }, (_, total) => ({ total, number, note: 'x'.repeat(total) })));
      await orders.createIndex({ total: 1 });
    }
  }

  const include = databases.map(({ databaseName }) => databaseName);
  report = await lintShared({ include, onClient: listen });
});

it('takes at most one command for each collection on average', () => {
  expect(report.collections.filter(({ sampled }) => sampled?.complete === true)).toHaveLength(DATABASES * COLLECTIONS);
  // The use of indexes can't be judged on the day that they were made.
  expect(new Set(report.skipped.map(({ reason }) => reason))).toEqual(new Set(['insufficient']));
  const commands = sent.filter(({ commandName }) => !HOUSEKEEPING.has(commandName));
  // Probes of the load depend on how long the run takes: a second each.
  const ofRun = commands.filter(({ commandName }) => commandName !== 'serverStatus');
  expect(ofRun.length).toBeLessThan((DATABASES * COLLECTIONS) / 2);
  expect(new Set(commands.map(({ commandName }) => commandName))).not.toContain('listIndexes');
});

it('reads no document and no operation for a check that judges indexes', async () => {
  const before = sent.length;
  await lintShared({
    include: databases.map(({ databaseName }) => databaseName),
    checks: [redundantIndex],
    onClient: listen,
  });
  const kinds = sent.slice(before).map(({ commandName, command }) => {
    const stages = (command['pipeline'] ?? []) as readonly object[];
    return [commandName, ...new Set(stages.flatMap((stage) => Object.keys(stage)))].join(' ');
  });
  expect(new Set(kinds.filter((kind) => !HOUSEKEEPING.has(kind) && kind !== 'serverStatus'))).toEqual(
    new Set([
      'buildInfo',
      'connectionStatus',
      'listCollections',
      'aggregate $collStats $project $unionWith',
      'listIndexes',
    ]),
  );
});
