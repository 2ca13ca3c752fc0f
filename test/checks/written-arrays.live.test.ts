import { BSON, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { fastGrowingArray } from '../../checks/fast-growing-array.js';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import { unboundedArray } from '../../checks/unbounded-array.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { separated } from '../../src/findings/further-reasons.js';
import { lint } from '../../src/lint/lint.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet } from '../support/servers.js';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Lengths from 4 to 800, half of them below 8. */
const tail = (index: number) => Math.floor(4 / (1 - ((index * 37) % 200) / 201));
const entry = { by: 'someone', text: 'words' };
const step = (number: number) => ({ number, text: 'a step' });
const line = (index: number) => 'a word '.repeat(index % 9);

/** Of each collection: its documents, and the update that is recorded; null if the oplog alone shows the writes. */
const COLLECTIONS: Readonly<Record<string, { make: (index: number) => Document; update: Document | null }>> = {
  pushed: { make: (index) => ({ list: times(tail(index), () => entry) }), update: { $push: { list: entry } } },
  cut: {
    make: (index) => ({ list: times(tail(index), () => entry) }),
    update: { $push: { list: { $each: [entry], $slice: -50 } } },
  },
  texts: { make: (index) => ({ list: times(30 * tail(index), line) }), update: { $set: { list: times(600, line) } } },
  tagged: { make: (index) => ({ list: times(30 * tail(index), line) }), update: { $push: { list: 'a word' } } },
  appended: { make: (index) => ({ list: times(index < 12 ? 290 : index % 20, () => entry) }), update: null },
  shifted: { make: (index) => ({ list: times(index < 12 ? 290 : index % 20, () => entry) }), update: null },
};

describe('arrays and the writes to them', () => {
  // Of its own: how much of the oplog is read depends on what others write.
  const server = useServer(() => startReplicaSet());
  const database = () => server.client.db('shop');
  const lintThese = () =>
    // Some check has to ask for the workload and the growth: those of arrays only use them where they are there.
    lint({
      uri: server.uri,
      include: ['shop.*'],
      checks: [unboundedArray, fastGrowingArray, heavyLookup],
    });
  const found = async () => {
    const { findings } = await lintThese();
    // Growth that the oplog shows may be the finding, with the missing bound as its further reason.
    return findings
      .flatMap((finding) => separated(finding))
      .filter(({ check }) => check === unboundedArray.id)
      .map(({ namespace, severity }) => `${namespace.split('.')[1]}: ${severity}`)
      .toSorted();
  };
  const write = (name: string, update: Document, filter: Document = { _id: 1 }) =>
    database().collection<{ _id: number }>(name).updateOne(filter, update);

  beforeAll(async () => {
    for (const [name, { make }] of Object.entries(COLLECTIONS))
      await database()
        .collection<{ _id: number }>(name)
        .insertMany(times(200, (index) => ({ _id: index, ...make(index) })));
    await recordOperations(database(), async () => {
      for (const [name, { update }] of Object.entries(COLLECTIONS)) if (update !== null) await write(name, update);
    });
    for (const cut of [false, true])
      for (let turn = 0; turn < 10; turn += 1)
        for (let _id = 0; _id < 12; _id += 1)
          await write(
            cut ? 'shifted' : 'appended',
            { $push: { list: { $each: cut ? [entry, entry] : [entry], ...(cut && { $slice: -300 }) } } },
            { _id },
          );
  });

  it('are no finding if writes cap them, or set them as the lines of a text', async () => {
    expect(await found()).toEqual(['appended: warning', 'pushed: warning', 'shifted: info', 'tagged: error']);
  });

  it('say what bounds them', async () => {
    const { letPass } = await lintThese();
    expect(letPass?.map(({ detail }) => detail).toSorted()).toEqual([
      'up to 12,060 elements: the lines of a text, which writes set as a whole',
      'up to 402 elements: recorded writes cut them, or stop at a length',
    ]);
  });

  it('are no finding once writes cap them', async () => {
    await recordOperations(database(), async () => {
      for (const name of ['pushed', 'pushed', 'tagged', 'tagged'])
        await write(name, { $push: { list: { $each: [entry], $slice: -50 } } });
    });
    expect(await found()).toEqual(['appended: warning', 'shifted: info']);
  });
});

describe('long arrays that show no bound', () => {
  const server = useServer(() => startReplicaSet());
  const plans = () => server.client.db('shop').collection('plans');
  /** What a lint finds once an application wrote to three documents, and the bytes that it sent for each. */
  const afterWriting = async (updateOf: (list: readonly Document[]) => Document) => {
    await server.client.db('shop').collection('system.profile').drop();
    const read = await plans().find().limit(3).toArray();
    await recordOperations(server.client.db('shop'), async () => {
      for (const { _id, list } of read) await plans().updateOne({ _id }, updateOf(list));
    });
    const checks = [unboundedArray, heavyLookup];
    const { findings } = await lint({ uri: server.uri, include: ['shop.plans'], checks });
    const sent = BSON.calculateObjectSize(updateOf(read[0]?.['list']));
    return { verdicts: findings.map(({ check, severity, path }) => `${severity} ${check} ${path}`), sent };
  };

  beforeAll(async () => {
    const filler = 'x'.repeat(60_000);
    await plans().insertMany(times(200, (index) => ({ filler, list: times(40 + index, step) })));
  });

  it('are a finding if writes send them whole, and none if they send what changes', async () => {
    const whole = await afterWriting((list) => ({ $set: { list: list.slice(1) } }));
    const part = await afterWriting((list) => ({ $pull: { list: { number: list[0]?.['number'] } } }));
    expect(whole.verdicts).toEqual(['info unbounded-array list']);
    expect(part.verdicts).toEqual([]);
    expect(part.sent).toBeLessThan(whole.sent / 20);
  });
});
