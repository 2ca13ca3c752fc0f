import { describe, expect, it } from 'vitest';
import { massWrite } from '../../checks/mass-write.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runShellCode } from '../support/shell-code.js';

const DAYS = 4;
const OF_A_DAY = 3_000;
const BATCH = 500;
const SETTINGS = { 'mass-write': { thresholds: { documents: 1_000 } } };
const dayOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day));

describe('deletes of what is old', () => {
  const client = sharedClient();
  const database = freshDatabase(client);

  const purge = async (name: string, remove: (day: Date) => Promise<unknown>) => {
    const events = database.collection(name);
    await events.createIndex({ at: 1 });
    const all = Array.from({ length: DAYS * OF_A_DAY }, (_, at) => ({ at: dayOf(at % DAYS), value: at }));
    await events.insertMany(all);
    await recordOperations(database, async () => {
      for (let day = 1; day <= DAYS; day += 1) await remove(dayOf(day));
    });
    expect(await events.estimatedDocumentCount()).toBe(0);
    return lintShared({ include: [events.namespace], checks: [massWrite], settings: SETTINGS });
  };

  it('mass-write: finds a purge of thousands a day, and its first step lets them expire', async () => {
    const { findings } = await purge('events', (day) => database.collection('events').deleteMany({ at: { $lt: day } }));
    expect(findings).toMatchObject([
      {
        severity: 'warning',
        namespace: `${database.databaseName}.events`,
        evidence: { executions: DAYS, mostWritten: OF_A_DAY },
      },
    ]);
    await runShellCode(client, findings[0]?.remedy.steps[0]?.code ?? '');
    expect(await database.collection('events').indexes()).toMatchObject([
      { name: '_id_' },
      { name: 'at_1', expireAfterSeconds: 50 * 365 * 24 * 3_600 },
    ]);
  });

  it('mass-write: is silent on the same in batches, as its steps say', async () => {
    const events = database.collection('events_in_batches');
    const { findings } = await purge(events.collectionName, async (day) => {
      for (;;) {
        const found = await events
          .find({ at: { $lt: day } }, { projection: { _id: 1 } })
          .limit(BATCH)
          .toArray();
        if (found.length === 0) break;
        await events.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { writeConcern: { w: 'majority' } });
      }
    });
    expect(findings).toEqual([]);
  });
});
