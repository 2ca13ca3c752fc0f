import { ObjectId, type ClientSession, type Collection, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/finding.js';
import {
  elements,
  found,
  lintGrowth,
  type Pace,
  paceOf,
  pause,
  rateError,
  times,
  TOLERANCE,
} from '../../../support/growth/planted-growth.js';
import { useServer } from '../../../support/server-with-client.js';
import { startReplicaSet } from '../../../support/servers.js';

/** Documents of each collection, and how many of its elements an array has at first. */
const DOCUMENTS = 8;
const LENGTH = 30;
const WRITING_MS = 10_000;
/** Rounds at least, so that a slow one, on a busy machine, is a small part of them. */
const FEWEST_ROUNDS = 80;
const BETWEEN_ROUNDS_MS = 60;

type Write = (collection: Collection<Document>, round: number, session: ClientSession) => Promise<unknown>;

const all = (collection: Collection<Document>, update: Document | Document[]) =>
  collection.updateMany({}, update as Document);
const one = (round: number) => ({ round, text: 'words' });
const whole = (length: number) => times(length, (index) => ({ index, text: 'words' }));

/** Writes that make arrays longer: the path, elements per round, and the write. */
const GROWING: Readonly<Record<string, readonly [path: string, perRound: number, Write]>> = {
  pushed: ['log', 1, (collection, round) => all(collection, { $push: { log: one(round) } })],
  pushed_in_threes: [
    'log',
    3,
    (collection, round) => all(collection, { $push: { log: { $each: times(3, () => one(round)) } } }),
  ],
  pushed_in_front: [
    'log',
    1,
    (collection, round) => all(collection, { $push: { log: { $each: [one(round)], $position: 0 } } }),
  ],
  pushed_below_the_cap: [
    'log',
    1,
    (collection, round) => all(collection, { $push: { log: { $each: [one(round)], $slice: -1_000 } } }),
  ],
  pushed_and_popped: [
    'log',
    1,
    async (collection, round) => {
      await all(collection, { $push: { log: { $each: [one(round), one(round)] } } });
      // Long enough that samples are taken in between.
      await pause(30);
      await all(collection, { $pop: { log: 1 } });
    },
  ],
  added_to_sets: ['log', 1, (collection, round) => all(collection, { $addToSet: { log: one(round) } })],
  written_whole: ['log', 1, (collection, round) => all(collection, { $set: { log: whole(LENGTH + 1 + round) } })],
  replaced: [
    'log',
    1,
    async (collection, round) => {
      const ids = await collection.find({}, { projection: { _id: 1 } }).toArray();
      await collection.bulkWrite(
        ids.map(({ _id }) => ({ replaceOne: { filter: { _id }, replacement: { log: whole(LENGTH + 1 + round) } } })),
      );
    },
  ],
  concatenated: [
    'log',
    1,
    (collection, round) => all(collection, [{ $set: { log: { $concatArrays: ['$log', [one(round)]] } } }]),
  ],
  found_and_modified: [
    'log',
    1,
    async (collection, round) => {
      const ids = await collection.find({}, { projection: { _id: 1 } }).toArray();
      for (const { _id } of ids) await collection.findOneAndUpdate({ _id }, { $push: { log: one(round) } } as never);
    },
  ],
  in_transactions: [
    'log',
    1,
    (collection, round, session) =>
      session.withTransaction(() => collection.updateMany({}, { $push: { log: one(round) } } as never, { session })),
  ],
  nested: [
    'deep.threads[].posts',
    1,
    (collection, round) => all(collection, { $push: { 'deep.threads.$[].posts': one(round) } }),
  ],
  nested_in_one: [
    'deep.threads[].posts',
    1,
    (collection, round) => all(collection, { $push: { 'deep.threads.1.posts': one(round) } }),
  ],
  rows: ['rows', 1, (collection, round) => all(collection, { $push: { 'rows.$[]': round } })],
};

/** Writes that leave arrays as long as they are. */
const LEVEL: Readonly<Record<string, Write>> = {
  pushed_at_the_cap: (collection, round) =>
    all(collection, { $push: { log: { $each: [one(round)], $slice: -LENGTH } } }),
  pushed_in_front_at_the_cap: (collection, round) =>
    all(collection, { $push: { log: { $each: [one(round)], $position: 0, $slice: LENGTH } } }),
  rotated: async (collection, round) => {
    await all(collection, { $push: { log: one(round) } });
    await all(collection, { $pop: { log: -1 } });
  },
  set_by_index: (collection, round) => all(collection, { $set: { [`log.${(round * 7) % LENGTH}`]: one(round) } }),
  added_again: (collection, round) => all(collection, { $addToSet: { log: elements(1)[0] }, $inc: { round } }),
  written_whole_again: (collection, round) =>
    all(collection, { $set: { log: whole(LENGTH).map((element) => ({ ...element, round })) } }),
  nested_at_the_cap: (collection, round) =>
    all(collection, { $push: { 'deep.threads.$[].posts': { $each: [one(round)], $slice: -LENGTH } } }),
};

describe('arrays that are written to in all ways', () => {
  const server = useServer(() => startReplicaSet());
  let findings: Map<string, Finding>;
  let pace: Pace;

  beforeAll(async () => {
    const database = server.client.db('writes');
    const writes: [string, Write][] = [
      ...Object.entries(GROWING).map(([name, [, , write]]): [string, Write] => [name, write]),
      ...Object.entries(LEVEL),
    ];
    for (const [name] of writes) {
      const document = () => ({
        _id: new ObjectId(),
        log: elements(LENGTH),
        deep: { threads: times(2, () => ({ posts: elements(LENGTH) })) },
        rows: times(2, () => times(LENGTH, (index) => index)),
      });
      await database.collection<Document>(name).insertMany(times(DOCUMENTS, document));
    }
    const started = performance.now();
    const ends: number[] = [];
    const state = { isDone: false };
    const writeAll = (round: number) =>
      server.client.withSession(async (session) => {
        for (const [name, write] of writes) await write(database.collection(name), round, session);
      });
    const write = async () => {
      await writeAll(ends.length);
      ends.push(performance.now());
      await pause(BETWEEN_ROUNDS_MS);
    };
    while (performance.now() - started < WRITING_MS || ends.length < FEWEST_ROUNDS) await write();
    const report = lintGrowth(server.uri, database).finally(() => (state.isDone = true));
    while (!state.isDone) await write();
    pace = paceOf(ends);
    findings = found(await report);
  });

  it.each(Object.entries(GROWING).map(([name, [path, perRound]]): [string, string, number] => [name, path, perRound]))(
    'are found to grow where they are %s, at %s, by %d a round',
    (name, path, perRound) => {
      expect([...findings.keys()].filter((key) => key.startsWith(`${name} `))).toEqual([`${name} ${path}`]);
      const finding = findings.get(`${name} ${path}`);
      expect(finding?.evidence.source).toBe('oplog');
      expect(rateError(finding, { lowest: perRound * pace.lowest, highest: perRound * pace.highest })).toBeLessThan(
        TOLERANCE,
      );
    },
  );

  it.each(Object.keys(LEVEL))('are not found to grow where they are %s', (name) => {
    expect([...findings.keys()].filter((key) => key.startsWith(`${name} `))).toEqual([]);
  });
});

describe('entries that are large, though not too large', () => {
  const server = useServer(() => startReplicaSet());

  it('are read as far as the bound in bytes goes, and show growth', async () => {
    const database = server.client.db('shop');
    const pages = database.collection<Document>('pages');
    await pages.insertMany(times(10, () => ({ revisions: [] })));
    const write = async (round: number) => {
      await pages.updateMany({}, {
        $push: { revisions: round },
        $set: { text: `${round} ${'x'.repeat(60_000)}` },
      } as never);
      await pause(20);
    };
    let rounds = 0;
    while (rounds < 40) await write((rounds += 1));
    const state = { isDone: false };
    const report = lintGrowth(server.uri, database).finally(() => (state.isDone = true));
    // On a busy machine, it may read for longer than was written before.
    while (!state.isDone) await write((rounds += 1));
    expect([...found(await report).keys()]).toEqual(['pages revisions']);
  });
});

const insertCarts: Write = (carts, _, session) =>
  carts.insertMany(
    times(150, () => ({ items: ['x'.repeat(500)] })),
    { session },
  );

describe('transactions of more than 64 KB', () => {
  const server = useServer(() => startReplicaSet());
  beforeAll(async () => {
    await server.client
      .db('shop')
      .collection<Document>('carts')
      .insertMany(times(150, () => ({ items: [] })));
  });

  const skippedAfter = async (name: string, write: Write) => {
    const collection = server.client.db('shop').collection<Document>(name);
    for (let transaction = 0; transaction < 60; transaction += 1) {
      await server.client.withSession((session) =>
        session.withTransaction(() => write(collection, transaction, session)),
      );
    }
    return (await lintGrowth(server.uri, server.client.db('shop'))).skipped;
  };

  it('of inserts alone hide no growth', async () => {
    expect(await skippedAfter('orders', insertCarts)).toEqual([]);
  });

  it('with updates are said not to have been read', async () => {
    const update = { $push: { items: 'x'.repeat(500) } } as never;
    expect(await skippedAfter('carts', (carts, _, session) => carts.updateMany({}, update, { session }))).toEqual([
      {
        check: 'fast-growing-array',
        reason: 'bound',
        detail: expect.stringMatching(
          /^reading the oplog: the updates in \d+ of \d+ entries were not read: they are larger than 64 KB/,
        ),
      },
    ]);
  });
});
