import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, type Collection, type Db, type Document } from 'mongodb';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { runCaptured } from '../support/captured-io.js';
import { startEmbeddedServer } from '../support/mongod/embedded-server.js';

/** A small database with one of each thing that is read, and what a run keeps of it. */
export interface FuzzedShop {
  readonly uri: string;
  /** Holds only what the fuzzing writes. */
  readonly folder: string;
  /** The lines of its evidence, without the footer's checksum. */
  readonly evidence: readonly unknown[];
  readonly evidenceFile: string;
  readonly history: string;
  /** What is declared beside the history. */
  readonly declared: string;
  readonly baseline: string;
  /** Its report, as JSON. */
  readonly report: string;
  /** Where `--state` is kept, and what two runs left there. */
  readonly state: { readonly uri: string; readonly collection: Collection; readonly documents: readonly Document[] };
  stop(): Promise<void>;
}

export async function startFuzzedShop(): Promise<FuzzedShop> {
  const server = await startEmbeddedServer({ replicaSet: true });
  const client = await new MongoClient(server.uri).connect();
  const folder = await createTemporaryFolder('/tmp');
  const at = (name: string) => join(folder.path, name);
  await plant(client.db('shop'));
  const history = ['--history', at('base.history.jsonl')];
  await runCaptured([server.uri, ...history, '--quiet'], {}, folder.path);
  await runCaptured([server.uri, ...history, '--quiet'], {}, folder.path);
  await runCaptured(['collect', server.uri, '--output', at('base.evidence.jsonl')], {}, folder.path);
  await runCaptured(
    ['judge', at('base.evidence.jsonl'), '--baseline', at('base.json'), '--update-baseline'],
    {},
    folder.path,
  );
  const { stdout: report } = await runCaptured(
    ['judge', at('base.evidence.jsonl'), '--format', 'json'],
    {},
    folder.path,
  );
  await writeFile(at('base.report.json'), report);
  const stateUri = new URL(server.uri);
  stateUri.pathname = '/kept';
  const state = ['--state', stateUri.href, '--state-on-linted', '--include', 'shop.orders', '--quiet'];
  await runCaptured([server.uri, ...state, '--update-baseline'], {}, folder.path);
  await runCaptured([server.uri, ...state], {}, folder.path);
  const kept = client.db('kept').collection('state');
  const lines = (await readFile(at('base.evidence.jsonl'), 'utf8')).trimEnd().split('\n');
  return {
    uri: server.uri,
    folder: folder.path,
    evidence: lines.map((line) => JSON.parse(line) as unknown),
    evidenceFile: at('base.evidence.jsonl'),
    history: await readFile(at('base.history.jsonl'), 'utf8'),
    declared: await readFile(at('base.history.jsonl.declared.jsonl'), 'utf8'),
    report,
    state: { uri: stateUri.href, collection: kept, documents: await kept.find().toArray() },
    baseline: await readFile(at('base.json'), 'utf8'),
    async stop() {
      await client.close();
      await server.stop();
      await folder.remove();
    },
  };
}

async function plant(shop: Db): Promise<void> {
  const day = 24 * 60 * 60 * 1_000;
  const numbers = Array.from({ length: 400 }, (_, number) => number);
  const { insertedIds } = await shop
    .collection('customers')
    .insertMany(numbers.map((number) => ({ number, name: `c${number}`, joined: new Date(number * day) })));
  await shop.collection('orders').insertMany(
    numbers.map((number) => ({
      number,
      customer_id: insertedIds[number],
      total: number % 7,
      tags: { [`k${number}`]: 1 },
      lines: Array.from({ length: number }, (_, line) => ({ line, at: new Date() })),
    })),
  );
  await shop
    .collection('orders')
    .createIndexes([
      { key: { number: 1 } },
      { key: { number: 1, total: 1 } },
      { key: { total: 1 }, partialFilterExpression: { total: { $gt: 3 } }, name: 'partial' },
    ]);
  await shop.collection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  await shop.collection('sessions').insertOne({ at: new Date(), deep: { a: { b: { c: [[1], [2]] } } } });
  await shop.createCollection('log', { capped: true, size: 4_096, max: 10 });
  await shop.createCollection('readings', { timeseries: { timeField: 'at', metaField: 'sensor' } });
  await shop.createCollection('checked', {
    validator: { $jsonSchema: { required: ['a'], properties: { a: { minimum: 3 } } } },
  });
  const lookup = { $lookup: { from: 'customers', localField: 'customer_id', foreignField: 'number', as: 'customers' } };
  await shop.createCollection('buyers', { viewOn: 'orders', pipeline: [lookup] });
  await shop.command({ profile: 2, slowms: 0 });
  for (const total of [1, 2, 3]) {
    await shop.collection('orders').aggregate([lookup]).toArray();
    await shop.collection('orders').find({ total, name: /x/i }).sort({ number: -1 }).skip(3).toArray();
    await shop.collection('orders').updateOne({ number: 5 }, { $push: { lines: { line: 1 } as never } });
  }
  await shop.command({ profile: 0 });
}
