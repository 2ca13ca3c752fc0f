/**
 * Known rare findings that the sample of a later run misses: searched for on a real server. Each collection is beyond
 * scanning, and holds one document that a sample of 30 hardly ever shows.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { SHORT_READ } from '../../src/connect/deadline.js';
import { LINT_DEFAULTS } from '../../src/lint/lint-options.js';
import { lint } from '../../src/lint/lint.js';
import { nameOf } from '../../src/namespace.js';
import { readBaseline } from '../../src/policy/baseline-file.js';
import { searchableFindings } from '../../src/policy/baseline.js';
import { lookUpFilter } from '../../src/references/look-ups/look-up-known.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { whileRefusing } from '../support/faults/fail-command.js';
import { startEmbeddedServer } from '../support/mongod/embedded-server.js';
import { useServer } from '../support/server-with-client.js';

const SENTINEL = 'SENTINEL';
/** More than are scanned for a sample that is the same each time. */
const DOCUMENTS = 21_000;
const WHOLE = ['--sample-size', '30000', '--update-baseline'];
const SAMPLED = ['--sample-size', '30'];
/** A sample may show the document after all: a large one lies on a page of its own, and the random cursor picks pages. */
const MOST_RUNS = 20;
/** They report the same document as `oversized-document`, by its size among the others. */
const OTHERS_OFF = 'checks: { outlier-document: off, bloated-document: off }\n';
const LARGE_BYTES = 8_600_000;

type Plant = (database: Db) => Promise<unknown>;

const amounts = Array.from({ length: DOCUMENTS }, (_, index) => ({ _id: `${SENTINEL}-${index}`, amount: index }));
const stray: Plant = async (database) => {
  const payments = database.collection<{ _id: string; amount: unknown }>('payments');
  await payments.insertMany([...amounts, { _id: `${SENTINEL}-stray`, amount: SENTINEL }]);
};
const strayWithIndex: Plant = async (database) => {
  await stray(database);
  await database.collection('payments').createIndex({ amount: 1 });
};
const strayInElement: Plant = async (database) => {
  const orders = Array.from({ length: DOCUMENTS }, (_, price) => ({ items: [{ price }, { price: price + 1 }] }));
  await database.collection<Document>('orders').insertMany([...orders, { items: [{ price: 1 }, { price: SENTINEL }] }]);
};
// Their sizes differ so much that the bytes of a large one do not show in the collection's size.
const large: Plant = async (database) => {
  const texts = Array.from({ length: DOCUMENTS }, (_, index) => ({ text: 'x'.repeat(index % 400) }));
  await database.collection('notes').insertMany([...texts, { text: SENTINEL.padEnd(LARGE_BYTES, 'x') }]);
};

const remedies: Readonly<Record<string, (database: Db) => Promise<unknown>>> = {
  payments: (database) => database.collection('payments').updateOne({ amount: SENTINEL }, { $set: { amount: 1 } }),
  orders: (database) =>
    database.collection('orders').updateOne({ 'items.price': SENTINEL }, { $set: { 'items.1.price': 2 } }),
  notes: (database) =>
    database
      .collection('notes')
      .updateOne({ $expr: { $gt: [{ $bsonSize: '$$ROOT' }, 1_000_000] } }, { $unset: { text: 1 } }),
};

describe('a known rare finding that the sample misses', () => {
  const server = useServer(() => startEmbeddedServer({ args: ['--setParameter', 'enableTestCommands=1'] }));

  /** A project that knows what a run over all documents found. */
  async function projectOn(plant: Plant) {
    const database = server.client.db(`test_${plant.name}`);
    await database.dropDatabase();
    await plant(database);
    const cwd = await folderWith({
      'mongolint.config.yaml': `include: ['${database.databaseName}.*']\nbaseline: known.jsonl\n${OTHERS_OFF}`,
    });
    const file = join(cwd, 'known.jsonl');
    const printed: string[] = [];
    const run = async (...argv: readonly string[]): Promise<{ exitCode: number; report: Report }> => {
      const { exitCode, stdout, stderr } = await runCaptured(
        [...argv, '--format', 'json'],
        { MONGODB_URI: server.uri },
        cwd,
      );
      printed.push(stdout, stderr);
      return { exitCode, report: reportSchema.parse(JSON.parse(stdout)) };
    };
    const missing = async (...argv: readonly string[]) => {
      const known = await readFile(file);
      for (let runs = 1; ; runs += 1) {
        await writeFile(file, known);
        const ran = await run(...SAMPLED, ...argv);
        expect(ran.report.collections.map(({ sampled }) => sampled?.method)).toEqual(['random-cursor']);
        if (ran.report.lookUps !== undefined || runs === MOST_RUNS) return ran;
      }
    };
    await run(...WHOLE);
    return { database, file, printed, run, missing };
  }

  it.each<[string, string, string | null, Plant]>([
    ['a stray type', 'payments', 'amount', strayWithIndex],
    ['a stray type in an element of an array', 'orders', 'items[].price', strayInElement],
    ['a document near the limit', 'notes', null, large],
  ])('%s is found directly, and fixed once none is found', async (_, name, path, plant) => {
    const { database, file, printed, missing } = await projectOn(plant);
    const known = async () => (await readBaseline(file))?.filter(({ lookFor }) => lookFor !== undefined) ?? [];
    const before = await known();
    expect(before.map((entry) => [nameOf(entry.namespace), entry.path])).toEqual([[name, path]]);

    const { exitCode, report } = await missing('--update-baseline');
    expect(exitCode).toBe(0);
    expect(report.lookUps).toEqual([expect.objectContaining({ state: 'found' })]);
    expect(report.stillThere?.map(({ fingerprint }) => fingerprint)).toEqual([before[0]?.fingerprint]);
    expect(report.summary.baseline).toMatchObject({ new: 0, stillThere: 1 });
    const { fixed = [], notSeen = [] } = report;
    expect([...fixed, ...notSeen].map(({ fingerprint }) => fingerprint)).not.toContain(before[0]?.fingerprint);
    expect(await known()).toEqual(before);

    await remedies[name]?.(database);
    const after = await missing('--update-baseline');
    expect(after.report.lookUps).toEqual([expect.objectContaining({ state: 'absent' })]);
    expect(after.report.fixed?.map(({ fingerprint }) => fingerprint)).toContain(before[0]?.fingerprint);
    expect(await known()).toEqual([]);
    expect([...printed, await readFile(file, 'utf8')].join('\n')).not.toContain(SENTINEL);
  });

  it('is not searched for in a collection that is read whole, and not seen if the search is cut off', async () => {
    const { file, run, missing } = await projectOn(stray);
    const whole = await run('--sample-size', '30000');
    expect(whole.report.lookUps).toBeUndefined();
    expect(whole.report.summary.baseline).toMatchObject({ new: 0, known: 1 });

    const before = await readFile(file, 'utf8');
    const refused = await whileRefusing(server.client, 'find', 'MaxTimeMSExpired', () => missing('--update-baseline'));
    expect(refused.times).toBeGreaterThan(0);
    const { report } = refused.result;
    expect(report.lookUps).toEqual([
      expect.objectContaining({
        state: 'unfinished',
        detail: expect.stringContaining('the command reached its time limit'),
      }),
    ]);
    expect(report.notSeen?.map(({ path }) => path)).toEqual(['amount']);
    expect(report.summary.baseline).toMatchObject({ new: 0, fixed: 0, notSeen: 1 });
    expect(report.stillThere).toBeUndefined();
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('is searched for by one bounded read of nothing, which an index serves if there is one', async () => {
    const { database, file } = await projectOn(strayWithIndex);
    const known = searchableFindings(await readBaseline(file), undefined, ['mixed-types']);
    const finds: Document[] = [];
    const { lookUps } = await lint({
      uri: server.uri,
      include: [`${database.databaseName}.*`],
      sampleSize: 30,
      known,
      onClient: (client) =>
        client.on('commandStarted', ({ commandName, command }) => {
          if (commandName === 'find' && command['find'] === 'payments') finds.push(command);
        }),
    });
    expect(lookUps).toHaveLength(1);
    const filter = lookUpFilter({ path: 'amount', types: ['string', 'symbol'] });
    const searches = finds.filter((find) => JSON.stringify(find['filter']) === JSON.stringify(filter));
    expect(searches).toEqual([
      expect.objectContaining({ limit: 1, projection: { _id: 0, found: { $literal: true } }, comment: 'mongolint' }),
    ]);
    expect(searches[0]?.['maxTimeMS']).toBeLessThanOrEqual(Math.ceil(LINT_DEFAULTS.timeout * SHORT_READ.timeoutShare));

    const explained = await database
      .collection('payments')
      .find(filter ?? {})
      .limit(1)
      .explain('executionStats');
    expect(JSON.stringify(explained['queryPlanner'])).toContain('IXSCAN');
    expect(explained['executionStats']).toMatchObject({ nReturned: 1, totalKeysExamined: 1, totalDocsExamined: 1 });
  });
});
