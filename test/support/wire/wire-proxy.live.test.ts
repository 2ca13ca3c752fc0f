import { connect, type Socket } from 'node:net';
import { MongoClient, MongoNetworkError, MongoServerError, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase, sharedReplicaSetUri } from '../database.js';
import { command, PHASES } from './phases.js';
import {
  cutAfter,
  delayed,
  emptyBatches,
  garbage,
  garbageBody,
  refused,
  rewritten,
  swallow,
  trickle,
  wrongDocumentLength,
  wrongMessageLength,
} from './reply-treatments.js';
import type { ReplyTreatment, WireFault } from './wire-fault.js';
import { HEADER_BYTES, onMessages, readReply, writeRequest } from './wire-message.js';
import { WireProxy } from './wire-proxy.js';

const DOCUMENTS = 300;

// The server is real; the proxy in front of it is what is tested.
const straight = new MongoClient(sharedReplicaSetUri());
afterAll(() => straight.close());
const database = freshDatabase(straight);

beforeAll(async () => {
  await database.collection('orders').insertMany(Array.from({ length: DOCUMENTS }, (_, number) => ({ number })));
});

async function behindProxy(faults: readonly WireFault[]) {
  const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults });
  const client = new MongoClient(proxy.uri, { retryReads: false, socketTimeoutMS: 60_000 });
  onTestFinished(async () => {
    await proxy.stop();
    await client.close();
  });
  return { proxy, client, orders: client.db(database.databaseName).collection('orders') };
}

describe('the driver behind the proxy', () => {
  it('reads as it does without, and its commands are known', async () => {
    const { orders, proxy } = await behindProxy([]);
    expect(await orders.find().toArray()).toHaveLength(DOCUMENTS);
    expect(proxy.commands.filter(PHASES.getMore)).toHaveLength(1);
    await proxy.until(PHASES.sample);
  });

  it('loses its connection where a reply is cut', async () => {
    const { orders } = await behindProxy([{ on: PHASES.getMore, reply: cutAfter(100) }]);
    await expect(orders.find().toArray()).rejects.toThrow(MongoNetworkError);
  });

  it('gets what the fault says only for the replies that it says', async () => {
    const { client } = await behindProxy([
      { on: command('ping'), from: 2, times: 1, reply: refused(13, 'Unauthorized') },
    ]);
    const ping = () => client.db('admin').command({ ping: 1 });
    expect(await ping()).toMatchObject({ ok: 1 });
    await expect(ping()).rejects.toMatchObject({ code: 13, codeName: 'Unauthorized' });
    await expect(ping()).resolves.toMatchObject({ ok: 1 });
  });

  it('gets answers that were rewritten, also to its first hello', async () => {
    const other = rewritten((answer) => ({ ...answer, msg: 'isdbgrid' }));
    const { client } = await behindProxy([{ on: PHASES.hello, reply: other }]);
    expect(await client.db('admin').command({ hello: 1 })).toMatchObject({ msg: 'isdbgrid', ok: 1 });
  });

  it('gets batches without documents for as long as it asks', async () => {
    const { orders, proxy } = await behindProxy([
      { on: (sent) => sent['find'] === 'orders' || PHASES.getMore(sent), reply: emptyBatches() },
    ]);
    const cursor = orders.find();
    const asked = proxy.until(PHASES.getMore, 20);
    const reading = cursor.hasNext().catch((error: unknown) => error);
    await asked;
    await cursor.close();
    expect(await reading).toSatisfy((end) => end === false || end instanceof Error);
  });

  it('is told of a server that died, and of one that is back', async () => {
    const { client, proxy } = await behindProxy([]);
    const ping = () => client.db('admin').command({ ping: 1 }, { timeoutMS: 30_000 });
    await ping();
    proxy.shut();
    await expect(ping()).rejects.toThrow(MongoNetworkError);
    proxy.open();
    await expect.poll(ping, { timeout: 60_000 }).toMatchObject({ ok: 1 });
  });

  it('has its command reach the server only after what is done before', async () => {
    let before = 0;
    const { orders } = await behindProxy([
      { on: PHASES.getMore, before: async () => void (before = await database.collection('orders').countDocuments()) },
    ]);
    await orders.find().toArray();
    expect(before).toBe(DOCUMENTS);
  });

  it('is refused by a real server in the words of the server', async () => {
    const { client } = await behindProxy([]);
    await expect(client.db('admin').command({ noSuchCommand: 1 })).rejects.toThrow(MongoServerError);
  });
});

/** What comes back for a ping, as bytes, until so many are there or the connection ends. */
async function bytesFor(treatment: ReplyTreatment, wanted: number) {
  const proxy = await WireProxy.start({
    uri: sharedReplicaSetUri(),
    faults: [{ on: command('ping'), reply: treatment }],
  });
  onTestFinished(() => proxy.stop());
  const socket = await connected(new URL(proxy.uri.replace('mongodb:', 'http:')));
  onTestFinished(() => void socket.destroy());
  let received = Buffer.alloc(0);
  const done = new Promise<void>((resolve) => {
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      if (received.length >= wanted) resolve();
    });
    socket.on('close', () => resolve());
  });
  const started = performance.now();
  socket.write(writeRequest(1, { ping: 1, $db: 'admin' }));
  await done;
  return { received, elapsed: performance.now() - started };
}

async function connected({ hostname, port }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}

describe('the bytes of a reply', () => {
  /** Of the real answer to a ping of a connection that has not said hello. */
  let whole = 0;
  beforeAll(async () => {
    const socket = await connected(new URL(sharedReplicaSetUri().replace('mongodb:', 'http:')));
    const answer = new Promise<Buffer>((resolve) => onMessages(socket, resolve));
    socket.write(writeRequest(1, { ping: 1, $db: 'admin' }));
    whole = (await answer).length;
    socket.destroy();
  });

  it.each([
    { treatment: 'zero', length: () => 0 },
    { treatment: 'negative', length: () => -1 },
    { treatment: 'too short', length: () => whole - 7 },
    { treatment: 'too long', length: () => whole + 7 },
    { treatment: 'huge', length: () => 0x7f_ff_ff_ff },
  ] as const)('say that the message is $treatment', async ({ treatment, length }) => {
    const { received } = await bytesFor(wrongMessageLength(treatment), whole);
    expect(received.readInt32LE(0)).toBe(length());
    expect(received).toHaveLength(whole);
  });

  it('say that the document is longer than it is, in a message of the right length', async () => {
    const { received } = await bytesFor(wrongDocumentLength('too long'), whole);
    expect(received.readInt32LE(0)).toBe(whole);
    expect(received.readInt32LE(HEADER_BYTES + 5)).toBe(whole - HEADER_BYTES - 5 + 7);
  });

  it('end where they are cut', async () => {
    expect((await bytesFor(cutAfter(20), whole)).received).toHaveLength(20);
  });

  it('are random, with or without the header, and the same each time', async () => {
    const { received } = await bytesFor(garbage(), whole);
    expect(received).toHaveLength(whole);
    expect(received).toEqual((await bytesFor(garbage(), whole)).received);
    const body = (await bytesFor(garbageBody(), whole)).received;
    expect(body.readInt32LE(0)).toBe(whole);
    expect(body.subarray(HEADER_BYTES)).not.toEqual(received.subarray(HEADER_BYTES));
    expect(body).toHaveLength(whole);
  });

  it('come no faster than the road', async () => {
    const { received, elapsed } = await bytesFor(trickle(1_000), whole);
    expect(received).toHaveLength(whole);
    expect(elapsed).toBeGreaterThan(((whole / 1_000) * 1_000) / 2);
  });

  it('come late', async () => {
    const { elapsed } = await bytesFor(delayed(200), whole);
    expect(elapsed).toBeGreaterThan(190);
  });

  it('do not come', async () => {
    const answers: Document[] = [];
    const proxy = await WireProxy.start({
      uri: sharedReplicaSetUri(),
      faults: [{ on: command('ping'), reply: swallow() }],
    });
    onTestFinished(() => proxy.stop());
    const socket = await connected(new URL(proxy.uri.replace('mongodb:', 'http:')));
    onTestFinished(() => void socket.destroy());
    const second = new Promise<void>((resolve) => {
      onMessages(socket, (message) => {
        answers.push(readReply(message));
        resolve();
      });
    });
    socket.write(
      Buffer.concat([writeRequest(1, { ping: 1, $db: 'admin' }), writeRequest(2, { hello: 1, $db: 'admin' })]),
    );
    await second;
    expect(answers).toHaveLength(1);
    expect(answers[0]).toHaveProperty('isWritablePrimary');
  });
});
