/** What differs from the last run and between siblings, on real servers. */
import { execFileSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Decimal128, Long, ObjectId, UUID } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer } from '../support/workload/logging-server.js';

const client = sharedClient();

async function nights(config: (database: string) => string, servers: Record<string, string> = {}) {
  const database = freshDatabase(client);
  await database.collection('orders').insertOne({ email: 'a' });
  await database.collection('orders').createIndex({ email: 1 });
  const texts: string[] = [];
  const webhook = await startHttpServer((request, response) => {
    request.on('data', (chunk: Buffer) => texts.push((JSON.parse(chunk.toString()) as { text: string }).text));
    request.on('end', () => response.end());
  });
  const folder = await folderWith({ 'mongolint.config.yaml': config(database.databaseName) });
  const env = { MONGODB_URI: sharedReplicaSetUri(), MONGOLINT_NOTIFY: webhook, ...servers };
  const night = async (...argv: string[]) => {
    texts.length = 0;
    const args = ['--baseline', 'known.jsonl', '--update-baseline', '--format', 'json', ...argv];
    const { stdout, stderr, exitCode } = await runCaptured(args, env, folder);
    return { report: JSON.parse(stdout) as Report & { targets: { report: Report | null }[] }, stderr, exitCode };
  };
  return { database, folder, texts, night };
}

const two = () => `history: history.jsonl
targets:
- { alias: eu, uri: '\${MONGODB_URI}', include: ['shop.*'] }
- { alias: us, uri: '\${SIBLING}', include: ['shop.*'], sibling: eu }
`;

const single = (database: string) => `include: ['${database}.*']\nhistory: history.jsonl\n`;

describe('earlier runs', () => {
  it('are in the report with this one: findings, sizes and the arrays that grow', async () => {
    const { database, night } = await nights(single);
    expect((await night()).report.nights).toBeUndefined();
    await database.collection('orders').insertMany([{ email: 'b' }, { email: 'c' }]);
    const { nights: course, summary } = (await night()).report;
    expect(course?.map(({ documents }) => documents)).toEqual([1, 3]);
    expect(course?.at(-1)?.findings).toEqual(summary.findings);
    expect(course?.[0]?.bytes).toBeLessThan(course?.[1]?.bytes ?? 0);
  });
});

describe('the last run', () => {
  it('is what a run with a history is compared with: a dropped index, an option, a new collection are told once', async () => {
    const { database, texts, night } = await nights(single);
    expect((await night()).report.drift).toBeUndefined();
    expect(await night()).toMatchObject({
      exitCode: 0,
      stderr: '',
      report: { drift: { compared: 1, differences: [] } },
    });
    expect(texts).toEqual([]);
    await database.collection('orders').dropIndex('email_1');
    await database.createCollection('sessions');
    const { report } = await night();
    expect(report.drift?.differences).toMatchObject([
      { subject: 'index', namespace: `${database.databaseName}.orders`, name: 'email_1', in: 'old', declared: true },
      { subject: 'collection', namespace: `${database.databaseName}.sessions`, in: 'new' },
    ]);
    expect(texts.join()).toContain('2 schema differences');
    expect(texts.join()).toContain(
      `drift: ${database.databaseName}.orders: Index \`email_1\` \`{ email: 1 }\`: removed.`,
    );
    expect((await night()).report.drift?.differences).toEqual([]);
    expect(texts).toEqual([]);
  });

  it('is not forgotten by a run that was not asked for a collection', async () => {
    const { database, night } = await nights(single);
    await database.createCollection('other');
    await night();
    const elsewhere = `${database.databaseName}.other`;
    const narrowed = await night('--include', elsewhere);
    expect(narrowed.report.drift).toMatchObject({ compared: 1, differences: [] });
    await database.collection('orders').dropIndex('email_1');
    await night('--include', elsewhere);
    expect((await night()).report.drift?.differences).toMatchObject([{ name: 'email_1', in: 'old' }]);
  });

  it('is understood, whatever its validators, views and indexes hold', async () => {
    const { database, night } = await nights(single);
    const odd = { at: new Date(0), id: new ObjectId(), of: new UUID(), total: Decimal128.fromString('NaN') };
    const values = [...Object.values(odd), Long.MAX_VALUE, /x/i, null, Infinity, [[1], {}]];
    await database.createCollection('checked', {
      validator: { $and: [{ a: { $in: values } }, { $jsonSchema: { properties: { b: { enum: values.slice(4) } } } }] },
      collation: { locale: 'de', strength: 1 },
      capped: true,
      size: 4_096,
    });
    await database.createCollection('seen', {
      viewOn: 'orders',
      pipeline: [{ $match: odd }, { $project: { _id: 0 } }],
    });
    await database.createCollection('readings', { timeseries: { timeField: 'at' }, expireAfterSeconds: 60 });
    await database
      .collection('orders')
      .createIndexes([
        { key: { place: '2dsphere' } },
        { key: { '$**': 1 }, wildcardProjection: { a: 1 } },
        { key: { title: 'text' }, weights: { title: 3 } },
        { key: { 'odd.at': 1, '2': -1 }, partialFilterExpression: { at: { $gt: odd.at }, id: odd.id } },
      ]);
    await night();
    const { report, stderr } = await night();
    expect({ stderr, drift: report.drift }).toMatchObject({ stderr: '', drift: { compared: 4, differences: [] } });
  });

  it.each([
    [
      'a level too deep',
      (line: string) => line.replace('"value":', `"value":${'['.repeat(600)}${']'.repeat(600)},"x":`),
    ],
    ['an index without a key', (line: string) => line.replace('"key":', '"keys":')],
    ['no topology', (line: string) => line.replace('"topology":', '"topologies":')],
  ])('that holds %s is said to be damaged', async (_, damaged) => {
    const { folder, night } = await nights(single);
    await night();
    const file = join(folder, 'history.jsonl.declared.jsonl');
    const text = await readFile(file, 'utf8');
    expect(damaged(text)).not.toBe(text);
    await writeFile(file, damaged(text));
    expect((await night()).stderr).toContain('it is damaged. Drift since the last run is unknown.');
    expect((await night()).exitCode).toBe(0);
  });

  it('that left a damaged file is said to be unknown, and fails the run', async () => {
    const { folder, night } = await nights(single);
    await night();
    const file = join(folder, 'history.jsonl.declared.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, -10));
    const { report, stderr, exitCode } = await night();
    expect({ drift: report.drift, exitCode }).toEqual({ exitCode: 2 });
    expect(stderr).toContain('it is damaged. Drift since the last run is unknown.');
    expect((await night()).exitCode).toBe(0);
    await writeFile(file, 'something else\n');
    expect((await night()).stderr).toContain('it is damaged. Drift since the last run is unknown.');
    expect((await night()).exitCode).toBe(0);
  });

  it.each(['a link', 'a pipe'])(
    'is not looked for in %s that lies at its place, nor is that written to',
    async (what) => {
      const { folder, night } = await nights(single);
      const [file, victim] = ['history.jsonl.declared.jsonl', 'victim'].map((name) => join(folder, name)) as [
        string,
        string,
      ];
      await writeFile(victim, 'mine');
      if (what === 'a pipe') execFileSync('mkfifo', [file]);
      else await symlink(victim, file);
      const { stderr, exitCode } = await night();
      expect(stderr).toMatch(/history\.jsonl\.declared\.jsonl can't be written: it is (?:a link|no file)\./);
      expect({ exitCode, victim: await readFile(victim, 'utf8') }).toEqual({ exitCode: 2, victim: 'mine' });
    },
  );
});

describe('a sibling', () => {
  it('is compared in each run, and what differs is in each report, and news once', async () => {
    const [eu, us] = await Promise.all([0, 1].map(async () => startLoggingServer(await findMongod(), [])));
    if (eu === undefined || us === undefined) throw new Error('There are two servers.');
    try {
      for (const { client: of } of [eu, us]) await of.db('shop').collection('orders').createIndex({ email: 1 });
      const { texts, night } = await nights(two, { MONGODB_URI: eu.uri, SIBLING: us.uri });
      const ofUs = async () => (await night()).report.targets[1]?.report?.siblingDrift;
      expect(await ofUs()).toMatchObject({ old: 'eu', new: 'us', compared: 1, differences: [] });
      expect(texts).toEqual([]);
      await us.client.db('shop').collection('orders').dropIndex('email_1');
      const difference = { subject: 'index', namespace: 'shop.orders', name: 'email_1', in: 'old' };
      expect((await ofUs())?.differences).toEqual([expect.objectContaining(difference)]);
      expect(texts.join()).toContain('drift: us shop.orders: Index `email_1` `{ email: 1 }`: removed.');
      expect(texts.join()).toContain('drift: us shop.orders: Index `email_1` `{ email: 1 }` is only in eu.');
      expect((await ofUs())?.differences).toEqual([expect.objectContaining({ ...difference, known: true })]);
      expect(texts).toEqual([]);
    } finally {
      await Promise.all([eu.stop(), us.stop()]);
    }
  });
});
