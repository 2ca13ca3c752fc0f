/** Evidence with pseudonyms: no name is in it, and it is judged as the evidence with names is. */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { Pseudonyms } from '../../src/evidence-file/pseudonyms/pseudonyms.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import type { Report } from '../../src/report/report.js';
import { bothReports } from '../support/both-reports.js';
import { runCaptured } from '../support/captured-io.js';
import { plantEverything } from '../support/planted-everything.js';
import { startReplicaSet } from '../support/servers.js';

/** Longest wait for a read: nothing may be cut off because the machine is busy. */
const PATIENCE_MS = 120_000;
const SECRET = 'a secret of the user';
const names = new Pseudonyms(Buffer.from(SECRET));
/** A part of every name that is planted. */
const SENTINEL = /zqname/i;

/** A name wherever names are: none of them looks like data. */
async function plantNames(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const database = client.db('zqname_shop');
    const orders = database.collection('zqname_orders');
    const line = { zqname_sku: 'a', 'zqname.dotted': 1, zqnameTags: [{ zqname_tag: 1 }] };
    const order = (number: number) => ({
      zqname_customer: number % 50,
      zqnameAddress: { zqname_city: 'a' },
      zqname_lines: [line],
    });
    await orders.insertMany(Array.from({ length: 2_000 }, (_, number) => order(number)));
    await database
      .collection('zqname_customers')
      .insertMany(Array.from({ length: 1_500 }, (_, zqname_key) => ({ zqname_key })));
    await orders.createIndexes([
      {
        key: { 'zqnameAddress.zqname_city': 1 },
        name: 'zqname_index',
        partialFilterExpression: { zqname_customer: { $gt: 3 } },
      },
      { key: { '$**': 1 }, name: 'zqname_wild', wildcardProjection: { zqname_note: 0 } },
      {
        key: { zqname_text: 'text' },
        name: 'zqname_words',
        language_override: 'zqname_language',
        weights: { zqname_text: 2 },
      },
    ]);
    const validator = {
      $jsonSchema: {
        required: ['zqname_customer'],
        properties: { zqname_customer: { bsonType: 'int', title: 'zqname' } },
      },
      zqname_lines: { $exists: true },
    };
    await database.command({ collMod: 'zqname_orders', validator, validationLevel: 'off' });
    await database.createCollection('zqname_readings', {
      timeseries: { timeField: 'zqname_at', metaField: 'zqname_sensor' },
    });
    const join = {
      from: 'zqname_customers',
      let: { zqnameVariable: '$zqname_customer' },
      pipeline: [{ $match: { $expr: { $eq: ['$zqname_key', '$$zqnameVariable'] } } }],
      as: 'zqname_joined',
    };
    await database.createCollection('zqname_view', { viewOn: 'zqname_orders', pipeline: [{ $lookup: join }] });
    // What is read of it is an error, whose text names it.
    await database.createCollection('zqname_broken', {
      viewOn: 'zqname_orders',
      pipeline: [{ $project: { zqname: { $divide: [1, 0] } } }],
    });
    await database.command({ profile: 2 });
    await orders
      .find({ zqname_customer: 7, 'zqname_lines.0.zqname_sku': 'a' })
      .sort({ zqname_customer: -1 })
      .hint('_id_')
      .toArray();
    await orders
      .aggregate(
        [
          { $limit: 3 },
          { $lookup: join },
          { $group: { _id: '$zqname_customer', zqname_sum: { $sum: '$zqname_total' } } },
        ],
        { comment: 'zqname' },
      )
      .toArray();
    await orders
      .aggregate([
        { $limit: 3 },
        {
          $lookup: {
            from: 'zqname_customers',
            localField: 'zqname_customer',
            foreignField: 'zqname_key',
            as: 'zqname_x',
          },
        },
      ])
      .toArray();
    await orders.updateMany(
      { zqname_customer: 7 },
      { $set: { 'zqname_lines.$[zqnameone].zqname_sku': 'b' } },
      { arrayFilters: [{ 'zqnameone.zqname_sku': 'a' }] },
    );
  } finally {
    await client.close();
  }
}

const verdictsOf = ({ findings }: Report, named: (name: string) => string) =>
  findings
    .flatMap((finding) =>
      [finding, ...(finding.furtherReasons ?? [])].map((one) => ({ ...one, namespace: finding.namespace })),
    )
    .map(({ check, severity, confidence, namespace, path }) =>
      [check, severity, confidence, named(namespace), path === null ? null : named(path)].join(' '),
    )
    .sort();

const skippedOf = ({ skipped }: Report) => skipped.map(({ check, reason }) => `${check} ${reason}`).sort();

describe('evidence with pseudonyms', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
  let text: string;
  const reports: Record<string, Report> = {};

  beforeAll(async () => {
    folder = await createTemporaryFolder(tmpdir());
    server = await startReplicaSet();
    await plantEverything(server.uri);
    await plantNames(server.uri);
    const [plain, hidden] = ['plain', 'hidden'].map((name) => pathOf(folder.path, `${name}.jsonl`)) as [string, string];
    const { linted, judged } = await bothReports(server.uri, plain, {
      reading: { timeout: PATIENCE_MS },
      also: (written) => writeEvidence(hidden, { ...written, target: 'zqname_target', pseudonyms: names }),
    });
    Object.assign(reports, { linted, plain: judged, hidden: (await judgeEvidence({ file: hidden })).report });
    text = await readFile(pathOf(folder.path, 'hidden.jsonl'), 'utf8');
  });
  const run = (env: Record<string, string>, ...argv: string[]) =>
    runCaptured(argv, { MONGODB_URI: server.uri, ...env }, folder.path);
  afterAll(async () => {
    await server?.stop();
    await folder?.remove();
  });

  it('is judged with names as it is while it is collected, byte for byte', () => {
    expect(JSON.stringify(reports['plain'], null, 1)).toBe(JSON.stringify(reports['linted'], null, 1));
  });

  it('holds no name, of whatever kind', async () => {
    expect(await readFile(pathOf(folder.path, 'plain.jsonl'), 'utf8')).toMatch(SENTINEL);
    const found = text
      .split('\n')
      .flatMap((line) => [...line.matchAll(/.{0,60}zqname.{0,40}/gi)].map(([part]) => part));
    expect(found).toEqual([]);
    // The host, and the names of the demo.
    expect(text).not.toContain(new URL(server.uri).host);
    for (const name of ['customers', 'orders', 'localhost']) expect(text.toLowerCase()).not.toContain(`"${name}`);
  });

  it('is judged as with names', () => {
    const [plain, hidden] = [reports['plain'] as Report, reports['hidden'] as Report];
    expect(plain.findings.length).toBeGreaterThan(20);
    const [withNames, without] = [verdictsOf(plain, (name) => names.of(name)), verdictsOf(hidden, (name) => name)];
    // A date of expiry is recognized by its name.
    const unknown = withNames.filter((verdict) => !without.includes(verdict));
    expect(unknown).toEqual([expect.stringMatching(/^expired-documents info /)]);
    // By its name, `value` beside `name` holds any type by design: that is said to be lost.
    const further = without.filter((verdict) => !withNames.includes(verdict));
    expect(further).toEqual([expect.stringMatching(/^mixed-types warning high /)]);
    const lost = builtInChecks.filter(({ lostByPseudonyms }) => lostByPseudonyms !== undefined).map(({ id }) => id);
    expect(lost).toEqual(expect.arrayContaining(['expired-documents', 'mixed-types']));
    const said = lost.map((check) => `${check} insufficient`);
    expect(skippedOf(hidden)).toEqual([...skippedOf(plain), ...said].sort());
  });

  it('fits together with evidence by the same secret, and with no other', async () => {
    const collect = ['collect', '--include', 'zqname_shop.*', '--quiet', '--output'];
    expect(await run({}, ...collect, 'a.jsonl', '--pseudonyms')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('needs a secret') as string,
    });
    const secret = { MONGOLINT_PSEUDONYMS_SECRET: SECRET };
    for (const [file, given] of [
      ['a.jsonl.gz', secret],
      ['b.jsonl.gz', secret],
      ['c.jsonl.gz', { MONGOLINT_PSEUDONYMS_SECRET: `${SECRET}2` }],
      ['d.jsonl.gz', {}],
    ] as const)
      expect(await run(given, ...collect, file, ...(file === 'd.jsonl.gz' ? [] : ['--pseudonyms']))).toMatchObject({
        exitCode: 0,
      });
    const compare = async (...files: string[]) =>
      run({}, 'compare', ...files, '--format', 'json', '--fail-on', 'drift');
    const { stdout } = await compare('a.jsonl.gz', 'b.jsonl.gz');
    expect((JSON.parse(stdout) as Report).drift).toMatchObject({ compared: 5, differences: [] });
    expect((await compare('a.jsonl.gz', 'c.jsonl.gz')).stderr).toBe(
      "a.jsonl.gz and c.jsonl.gz can't be compared: their pseudonyms have different secrets. Collect both with the same secret.\n",
    );
    expect((await compare('a.jsonl.gz', 'd.jsonl.gz')).stderr).toBe(
      "a.jsonl.gz and d.jsonl.gz can't be compared: only d.jsonl.gz has real names. Collect both with the same secret.\n",
    );
  });
});
