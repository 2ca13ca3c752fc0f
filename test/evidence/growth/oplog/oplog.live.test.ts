import type { CommandStartedEvent, Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../../../src/connect/connect.js';
import { OplogByNamespace, readOplog } from '../../../../src/evidence/growth/oplog/oplog.js';
import { drawnGrowth } from '../../../../src/evidence/growth/writes/drawn-growth.js';
import type { DrawnOplog } from '../../../../src/evidence/growth/oplog/even-draw.js';
import { oplogGrowth } from '../../../../src/evidence/growth/writes/oplog-growth.js';
import { lookUpLengths } from '../../../../src/evidence/growth/oplog/present-lengths.js';
import type { Evidence } from '../../../../src/presence.js';
import { MS_PER_DAY } from '../../../../src/time-units.js';
import { lintGrowth, pause, times, TOLERANCE } from '../../../support/growth/planted-growth.js';
import { useServer } from '../../../support/server-with-client.js';
import { startReplicaSet } from '../../../support/servers.js';

/** Documents that are written to besides, so that the oplog has more entries than are read; and yet two rounds among the newest 1,500. */
const BUSY_DOCUMENTS = 600;

describe('an oplog that is too long to be scanned', () => {
  const server = useServer(() => startReplicaSet());
  const ROUNDS = 60;
  const OTHERS = 2_900;

  it('is drawn evenly up to its end, which the random cursor hardly ever enters', async () => {
    const database = server.client.db('shop');
    const growing = database.collection<Document>('growing');
    const { insertedIds } = await growing.insertMany(times(20, () => ({ log: [] })));
    for (let round = 0; round < ROUNDS; round += 1) {
      await growing.updateMany({}, { $push: { log: { round } } } as never);
      await database.collection<Document>('others').insertMany(times(OTHERS, (other) => ({ round, other })));
    }
    const options = { uri: server.uri, timeout: 15_000, maxTime: 60_000, concurrency: 2 };
    const connection = await connect(options, () => undefined);
    const reading = await readOplog(connection.reader, connection.cluster).finally(() => connection.close());
    if (!reading.present) throw new Error(reading.detail);
    const { drawnFrom, writes } = reading.value;
    expect(drawnFrom.share).toBeLessThan(0.3);
    expect(drawnFrom.byChance).toBe(true);
    const rounds = [...writes.values()].flat().map(({ from }) => from);
    const all = ROUNDS * Object.keys(insertedIds).length;
    const drawnIn = (third: number) =>
      rounds.filter((round) => Math.floor((3 * round) / ROUNDS) === third).length / ((all / 3) * drawnFrom.share);
    // The newest are scanned: five standard deviations.
    expect(Math.abs(drawnIn(2) - 1)).toBeLessThan(5 / Math.sqrt((all / 3) * drawnFrom.share));
    // The random cursor is even but for the oldest pages.
    for (const third of [0, 1]) expect(drawnIn(third)).toBeGreaterThan(0.3);
  });
});

/** More entries than are read on a machine that writes slowly too. */
const FEWEST_ROUNDS = 60;

describe('an oplog with more entries than are read', () => {
  const server = useServer(() => startReplicaSet({ args: ['--setParameter=enableTestCommands=1'] }));
  let connection: Connection;
  let uuid: string;
  /** When each round of appends was made, in ms since 1970. */
  const rounds: number[] = [];
  const sent: Document[] = [];
  /** Goes on while the oplog is read. */
  let writing: Promise<void>;
  const state = { isOver: false };

  beforeAll(async () => {
    const database = server.client.db('shop');
    const [growing, busy] = [database.collection<Document>('growing'), database.collection<Document>('busy')];
    await growing.insertMany(times(20, (index) => ({ _id: index, log: [] })) as never);
    await busy.insertMany(times(BUSY_DOCUMENTS, (index) => ({ _id: index, count: 0 })) as never);
    const started = Date.now();
    const write = async () => {
      rounds.push(Date.now());
      await growing.updateMany({}, { $push: { log: { round: rounds.length } } } as never);
      await busy.updateMany({}, { $inc: { count: 1 } });
      // Slow enough for an oplog that is scanned.
      await pause(200);
    };
    while (rounds.length < FEWEST_ROUNDS || Date.now() - started < 14_000) await write();
    writing = (async () => {
      while (!state.isOver) await write();
    })();
    connection = await connect({ uri: server.uri, timeout: 15_000, maxTime: 60_000, concurrency: 2 }, (watched) => {
      watched.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
        if (commandName === 'find') sent.push(command);
      });
    });
    const [{ info }] = (await database.listCollections({ name: 'growing' }).toArray()) as unknown as [
      { info: { uuid: { buffer: Uint8Array } } },
    ];
    uuid = Buffer.from(info.uuid.buffer).toString('hex');
  });
  afterAll(async () => {
    state.isOver = true;
    await writing;
    await connection.close();
  });

  const growthIn = async (reading: Evidence<DrawnOplog>) => {
    if (!reading.present) throw new Error(reading.detail);
    const { drawnFrom, writes } = reading.value;
    const drawn = writes.get(uuid) ?? [];
    const { writes: resolved, measuredAt } = await lookUpLengths(
      connection.reader,
      { database: 'shop', name: 'growing' },
      drawn,
      { documents: 100, time: 5_000 },
    );
    const window = { ...drawnFrom, measuredAt: measuredAt ?? NaN, shareOfArrays: 1 };
    return { ...reading.value, resolved, growth: drawnGrowth(resolved, window) };
  };

  /** Elements appended to each document per day, from a time on: under load, later rounds may take longer. */
  const perDaySince = (from: number) => {
    const since = rounds.filter((at) => at >= from);
    return ((since.length - 1) / ((since.at(-1) ?? NaN) - (since[0] ?? NaN))) * MS_PER_DAY;
  };

  it('is drawn evenly, over all of its time, and shows the rate', async () => {
    const { drawnFrom, entries, unread, resolved, growth } = await growthIn(
      await readOplog(connection.reader, connection.cluster),
    );
    expect(entries).toBeLessThan(
      0.6 * (await server.client.db('local').collection('oplog.rs').estimatedDocumentCount()),
    );
    expect(unread).toBe(0);
    expect(drawnFrom.to - drawnFrom.from).toBeGreaterThan(13_000);
    expect(drawnFrom.share).toBeLessThan(0.6);
    expect(drawnFrom.byChance).toBeUndefined();
    // Every write appended one element, so that an index is the round's number.
    for (const { from, at, now } of resolved) {
      expect(at).toBeGreaterThanOrEqual(rounds[from] as number);
      expect(now).toBeGreaterThan(from);
    }
    expect(growth).toMatchObject({ shape: 'growing', documents: 20, lifetimeDays: null });
    const perDay = perDaySince(drawnFrom.from);
    expect(Math.abs((growth.rates?.typical.perDay.estimate ?? 0) / perDay - 1)).toBeLessThan(TOLERANCE);
    expect(Math.abs((growth.appendedPerDay ?? NaN) / (20 * perDay) - 1)).toBeLessThan(2 * TOLERANCE);
  });

  it('is read by namespace with nothing but an equality on it, where only that is allowed', async () => {
    sent.length = 0;
    const reading = await new OplogByNamespace(connection.reader).read('shop.growing');
    if (!reading.present) throw new Error(reading.detail);
    expect(sent.map(({ filter }) => filter)).toEqual([{ ns: 'shop.growing' }]);
    const { window, arrays } = reading.value;
    const growth = oplogGrowth(arrays.get(uuid) ?? [], window);
    expect(growth).toMatchObject({ shape: 'growing', documents: 20 });
    expect(Math.abs((growth.rates?.typical.perDay.estimate ?? 0) / perDaySince(window.from) - 1)).toBeLessThan(
      TOLERANCE,
    );
  });

  const failPoint = (mode: unknown, data: object = {}) =>
    server.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });

  /** Lets reads of the oplog fail with an error of the server's own. */
  const failing = async <T>(errorCode: number, mode: object, run: () => Promise<T>, command = 'find'): Promise<T> => {
    await failPoint(mode, { failCommands: [command], namespace: 'local.oplog.rs', errorCode });
    try {
      return await run();
    } finally {
      await failPoint('off');
    }
  };

  it('is read by namespace where the server refuses to show all of it', async () => {
    const { findings, skipped } = await failing(8000, { times: 1 }, () =>
      lintGrowth(server.uri, server.client.db('shop'), { include: ['shop.growing'] }),
    );
    expect(findings.map(({ path, evidence }) => [path, evidence.source])).toEqual([['log', 'oplog']]);
    expect(skipped).toEqual([]);
  });

  it.each<[string, number]>([
    ['the server removes the oldest entries meanwhile', 136],
    ['the time is up', 50],
  ])('is what was drawn of it where %s', async (_, code) => {
    const { drawnFrom, entries, growth } = await growthIn(
      // The oldest and the newest entry, 500 and 5,000 more are read before.
      await failing(code, { skip: 4 }, () => readOplog(connection.reader, connection.cluster)),
    );
    expect(entries).toBeLessThan(7_000);
    expect(drawnFrom.share).toBeLessThan(0.4);
    expect(growth.documents).toBeGreaterThan(10);
  });

  it('is said not to have been read where it took too long from the start', async () => {
    const reading = await failing(50, { times: 1 }, () => readOplog(connection.reader, connection.cluster));
    expect(reading).toMatchObject({
      present: false,
      reason: 'timeout',
      detail: expect.stringContaining('longer than the limit of 3 s.'),
    });
  });

  it('has nothing to say of a collection that is not written to', async () => {
    expect(await new OplogByNamespace(connection.reader).read('shop.none')).toMatchObject({
      present: false,
      reason: 'insufficient',
    });
  });
});
