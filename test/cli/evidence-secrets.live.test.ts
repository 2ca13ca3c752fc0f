/**
 * Nothing secret is in an evidence file: values are planted wherever mongolint reads, and the file is searched for them.
 * The server demands a password; its profiler and its log record the operations.
 */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Long, MongoClient, ObjectId, type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured, type CapturedRun } from '../support/captured-io.js';
import { ROOT_USER, startWithAuth } from '../support/servers.js';
import { plantShop, runShop, SECRET } from '../support/workload/shop-workload.js';

const WORD = 'Zq7Sentinel';
const NUMBER = 481_516_234;
const TIME = new Date('1969-03-17T04:05:06.789Z');
const ID = new ObjectId('5ec4e75ec4e75ec4e75ec4e7');
const APP = 'Zq7Application';

/** As they stand in JSON, however they are written. */
const SENTINELS: Readonly<Record<string, RegExp>> = {
  'a text': /Zq7Sent/i,
  'a literal of a query': new RegExp(SECRET.slice(0, -2), 'i'),
  'a number': /481[_, ]?516[_, ]?234|4\.81516/,
  'a date': /1969-03-17|24693893211|2469389/,
  'an _id': /5ec4e75e/i,
  'the password': new RegExp(ROOT_USER.password),
};

async function plant(database: Db): Promise<void> {
  const value = { text: WORD, number: NUMBER, long: Long.fromNumber(NUMBER), at: TIME, owner: ID };
  const people = database.collection<{ _id: ObjectId | string; [field: string]: unknown }>('people');
  await people.insertMany([
    { _id: ID, ...value, list: Array.from({ length: 300 }, () => WORD), byName: { [`${WORD}@example.com`]: NUMBER } },
    ...Array.from({ length: 200 }, (_, each) => ({ _id: `${WORD}${each}`, ...value, nested: [value, value] })),
  ]);
  const filter = { text: WORD, number: { $gt: NUMBER }, at: { $gte: TIME }, owner: { $in: [ID] } };
  await people.createIndex({ text: 1 }, { name: 'partial', partialFilterExpression: filter });
  await database.command({
    collMod: 'people',
    validator: { $or: [{ $jsonSchema: { properties: { text: { enum: [WORD], description: WORD } } } }, filter] },
    validationLevel: 'off',
  });
  const pipeline = [{ $match: filter }, { $addFields: { label: WORD, first: { $eq: ['$number', NUMBER] } } }];
  await database.createCollection('seen', { viewOn: 'people', pipeline });
  await people.find(filter, { comment: WORD }).sort({ number: 1 }).toArray();
  await people.updateMany({ text: WORD }, { $set: { note: WORD } });
  // A name that most documents hold would be a part of the schema.
  await people.updateMany({ _id: { $in: [ID, `${WORD}7`] } }, { $set: { [`tags.${NUMBER}`]: TIME } });
  await people.aggregate([{ $match: filter }, { $group: { _id: '$text', n: { $sum: NUMBER } } }]).toArray();
}

const findingsOf = ({ stdout }: CapturedRun) =>
  (JSON.parse(stdout) as Report).findings.map(({ check, severity, namespace, path }) => [
    check,
    severity,
    namespace,
    path,
  ]);

describe('an evidence file', () => {
  let server: Awaited<ReturnType<typeof startWithAuth>>;
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
  let exitCode: number;
  let text: string;
  let shown: string;
  let linted: CapturedRun;
  let judged: CapturedRun;

  beforeAll(async () => {
    folder = await createTemporaryFolder(tmpdir());
    server = await startWithAuth({ args: ['--setParameter', 'logComponentVerbosity={command: 1}'] });
    const uri = new URL(server.uri);
    uri.searchParams.set('appName', APP);
    const client = new MongoClient(uri.href);
    const shop = client.db('shop');
    await shop.command({ profile: 2 });
    await plantShop(shop);
    await plant(shop);
    await runShop(shop, 1);
    await client.close();
    const file = join(folder.path, 'shop.evidence.jsonl.gz');
    const config = ['--deep', '--output', file];
    const run = await runCaptured(['collect', ...config], { MONGODB_URI: uri.href, HOME: folder.path }, folder.path);
    ({ exitCode } = run);
    shown = run.stdout + run.stderr;
    text = gunzipSync(await readFile(file)).toString();
    // Both read whole collections, so that no other documents are drawn.
    const options = ['--format', 'json', '--deep', '--fail-on', 'never'];
    linted = await runCaptured([...options], { MONGODB_URI: server.uri }, folder.path);
    judged = await runCaptured(['judge', file, '--format', 'json', '--fail-on', 'never'], {}, folder.path);
  });
  afterAll(async () => {
    await server?.stop();
    await folder?.remove();
  });

  it('holds what was asked for', () => {
    expect({ exitCode, shown }).toMatchObject({ exitCode: 0 });
    for (const name of [
      '"shop.people"',
      '"partialFilterExpression"',
      '"$jsonSchema"',
      '"operation"',
      '"shop.seen"',
      '"nested[]"',
      // Who runs the operations is told, by the application's name.
      APP,
    ])
      expect(text).toContain(name);
  });

  it('is judged as the cluster is linted', () => {
    expect(judged).toMatchObject({ exitCode: 0, stderr: '' });
    expect(findingsOf(linted)).not.toEqual([]);
    expect(findingsOf(judged)).toEqual(findingsOf(linted));
  });

  it.each(Object.entries(SENTINELS))('holds no trace of %s, and neither does what is shown', (_, sentinel) => {
    const at = text.search(sentinel);
    expect(at === -1 ? null : text.slice(Math.max(0, at - 200), at + 60)).toBeNull();
    expect(shown).not.toMatch(sentinel);
  });
});
