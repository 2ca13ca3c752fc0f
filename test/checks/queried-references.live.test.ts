import { ObjectId, type Db } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { redundantIndex } from '../../checks/redundant-index.js';
import { unindexedReference } from '../../checks/unindexed-reference.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

const client = sharedClient();

const DOCUMENTS = 11_000;
const MEMBERS = Array.from({ length: 300 }, () => new ObjectId());
const member = (number: number) => MEMBERS[number % MEMBERS.length] as ObjectId;
const tenant = (number: number) => `tenant${number % 20}`;

async function plantTasks(database: Db): Promise<void> {
  await database.collection('members').insertMany(MEMBERS.map((_id) => ({ _id })));
  const tasks = Array.from({ length: DOCUMENTS }, (_, number) => ({
    tenant: tenant(number),
    assignee: member(number),
    reporter: member(number * 7 + 1),
    open: number % 9 === 0,
    due: new Date(1.7e12 + number),
  }));
  await database.collection('tasks').insertMany(tasks);
}

async function findingsIn({ databaseName }: Db): Promise<readonly Finding[]> {
  const report = await lintShared({
    include: [`${databaseName}.*`],
    checks: [missingLookupIndex, unindexedReference, collectionScan, redundantIndex],
  });
  expect(report.skipped).toEqual([]);
  return report.findings;
}

const shown = (findings: readonly Finding[]) =>
  findings
    .map(({ severity, check, path, furtherReasons = [] }) =>
      [`${severity} ${check} ${path}`, ...furtherReasons.map((also) => `also ${also.check} ${also.path}`)].join(', '),
    )
    .sort();

describe('references that are asked for together with a tenant', () => {
  const database = freshDatabase(client);
  beforeAll(() => plantTasks(database));

  it('are found where an index holds them behind it, and get one that does', async () => {
    const tasks = database.collection('tasks');
    await tasks.createIndex({ tenant: 1, due: 1 });
    await tasks.createIndex({ tenant: 1, assignee: 1, due: 1 }, { partialFilterExpression: { open: true } });
    await recordOperations(database, async () => {
      await tasks
        .find({ tenant: tenant(4), assignee: member(4), open: true })
        .sort({ due: 1 })
        .toArray();
      await tasks.find({ tenant: tenant(4), reporter: member(29) }).toArray();
    });
    const findings = await findingsIn(database);
    expect(shown(findings)).toEqual(['info unindexed-reference reporter']);
    expect(findings[0]?.message).toContain('always together with a field that an index serves');
    await runRemedies(client, findings);
    expect(await findingsIn(database)).toEqual([]);
  });
});

describe('a reference that several queries scan for', () => {
  const database = freshDatabase(client);
  beforeAll(() => plantTasks(database));

  it('gets one index from all findings together', async () => {
    const tasks = database.collection('tasks');
    await tasks.createIndex({ reporter: 1 });
    await recordOperations(database, async () => {
      await tasks
        .find({ assignee: member(4) })
        .sort({ due: -1 })
        .limit(5)
        .toArray();
      await tasks.countDocuments({ assignee: member(5) });
    });
    const findings = await findingsIn(database);
    expect(shown(findings)).toEqual(['warning collection-scan assignee_1_due_-1, also unindexed-reference assignee']);
    await runRemedies(client, findings);
    expect((await tasks.indexes()).map(({ name }) => name)).toEqual(['_id_', 'reporter_1', 'assignee_1_due_-1']);
    expect(await findingsIn(database)).toEqual([]);
  });

  it('gets one where it is joined, too', async () => {
    const tasks = database.collection('tasks');
    await tasks.dropIndex('assignee_1_due_-1');
    await recordOperations(database, async () => {
      await database
        .collection('members')
        .aggregate([
          { $limit: 2 },
          { $lookup: { from: 'tasks', localField: '_id', foreignField: 'assignee', as: 'tasks' } },
        ])
        .toArray();
    });
    const findings = await findingsIn(database);
    expect(shown(findings)).toEqual(['warning collection-scan assignee_1_due_-1, also missing-lookup-index assignee']);
    await runRemedies(client, findings);
    expect((await tasks.indexes()).map(({ name }) => name)).toEqual(['_id_', 'reporter_1', 'assignee_1_due_-1']);
    expect(await findingsIn(database)).toEqual([]);
  });
});
