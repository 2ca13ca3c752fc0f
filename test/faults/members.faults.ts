import type { Document, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import { exitCode, EXIT_CODES } from '../../src/policy/exit-code.js';
import type { Report } from '../../src/report/report.js';
import { startMemberSet, type MemberSet } from '../support/member-set.js';

const [FIRST, READ] = [0, 1];
const [STOPPED, DELAYED] = [1, 2];
const COLLECTIONS = 12;
/** In batches, so that cursors are under way when a member is lost. */
const DOCUMENTS = 150;
const FILLER_BYTES = 20_000;

/** Read while it is there, and any other if it is not. */
const TAGS = `readPreferenceTags=member:${READ}&readPreferenceTags=`;
const SECONDARY = `readPreference=secondaryPreferred&${TAGS}`;

interface Loss {
  readonly loss: string;
  /** Options of the connection string, by which one member is read. */
  readonly reading: string;
  readonly member: number;
  lose(set: MemberSet): Promise<unknown>;
  /** So that the set can be stopped. */
  undo?(set: MemberSet): Promise<unknown> | void;
}

const admin = (set: MemberSet, member: number) => (set.members[member] as MongoClient).db('admin');
const hostOf = (set: MemberSet, member: number) => set.members[member]?.options.hosts[0]?.toString();
const pids = new Map<number, number>();
const signal = (member: number, name: NodeJS.Signals) => process.kill(pids.get(member) as number, name);

const LOSSES: readonly Loss[] = [
  {
    loss: 'is killed',
    reading: SECONDARY,
    member: READ,
    lose: async () => signal(READ, 'SIGKILL'),
  },
  {
    loss: 'is stopped',
    reading: SECONDARY,
    member: READ,
    lose: async () => signal(READ, 'SIGSTOP'),
    undo: () => void signal(READ, 'SIGCONT'),
  },
  {
    loss: 'goes into recovery',
    reading: SECONDARY,
    member: READ,
    lose: (set) => admin(set, READ).command({ replSetMaintenance: 1 }),
  },
  {
    loss: 'shuts down in order',
    reading: SECONDARY,
    member: READ,
    lose: async () => signal(READ, 'SIGTERM'),
  },
  {
    loss: 'is the primary and steps down',
    reading: 'readPreference=primary',
    member: FIRST,
    // Not by force: it then hands over to another one, which needs no time to notice.
    lose: (set) => admin(set, FIRST).command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 20 }),
  },
];

describe('a set of three, of which the member that is read', () => {
  let set: MemberSet;
  beforeEach(async () => {
    set = await startMemberSet(3, 0, { isElectable: true });
    for (const [index] of set.members.entries()) {
      pids.set(index, Number((await admin(set, index).command({ serverStatus: 1 }))['pid']));
    }
    await plant(set.members[FIRST] as MongoClient);
  });
  afterEach(() => set?.stop());

  it.each(LOSSES)('$loss, is linted to the end from the others', async ({ reading, member, lose, undo }) => {
    const uri = `${set.uri}&${reading}`;
    const healthy = await lint({ uri, timeout: 10_000 });
    let losing: Promise<unknown> | null = null;
    const onClient = (client: MongoClient) => {
      client.on('commandStarted', ({ commandName }) => {
        if (commandName === 'getMore') losing ??= lose(set);
      });
    };
    try {
      // One by one, most are read after the loss, however late it takes effect on a busy machine.
      const report = await lint({ uri, timeout: 10_000, concurrency: 1, onClient });
      expect(losing).not.toBeNull();
      expect(failuresOf(report)).toEqual([]);
      expect(sampledOf(report)).toEqual(sampledOf(healthy));
      expect(verdictsOf(report)).toEqual(verdictsOf(healthy));
      const lost = hostOf(set, member);
      const others = new Set(set.members.map((_, other) => hostOf(set, other)).filter((host) => host !== lost));
      expect(report.summary.reads?.losses).toEqual([
        { member: lost, at: expect.any(String), continuedFrom: expect.toSatisfy((host) => others.has(host)) },
      ]);
    } finally {
      await losing;
      await undo?.(set);
    }
  });
});

/** In s: well above what is reported. */
const LAG = 30;

describe('a member that lags behind', () => {
  let set: MemberSet;
  beforeAll(async () => {
    set = await startMemberSet(3, 0, { args: ['--setParameter', 'enableTestCommands=1'] });
    const shop = (set.members[FIRST] as MongoClient).db('shop').collection('pages');
    await shop.insertMany([{ number: 1 }, { number: 2 }], { writeConcern: { w: 3 } });
    await admin(set, STOPPED).command({ configureFailPoint: 'rsSyncApplyStop', mode: 'alwaysOn' });
    await delayBy(set, DELAYED, 3_600);
    // Nothing shortens the wait: what a member lags is the age of what it has not written yet.
    await vi.waitUntil(
      async () => {
        await shop.insertOne({ number: 3 }, { writeConcern: { w: 1 } });
        const [first, ...others] = await Promise.all([FIRST, STOPPED, DELAYED].map((member) => lastWrite(set, member)));
        return others.every((written) => Number(first) - written > LAG * 1_000);
      },
      { timeout: 240_000, interval: 1_000 },
    );
  });
  afterAll(async () => {
    await admin(set, STOPPED).command({ configureFailPoint: 'rsSyncApplyStop', mode: 'off' });
    await set?.stop();
  });

  it.each([
    {
      how: 'is found by its tags',
      member: STOPPED,
      uri: () => `${set.uri}&readPreference=secondary&readPreferenceTags=member:${STOPPED}`,
    },
    // Replica sets list no member that they delay: clients reach it directly only.
    {
      how: 'is delayed by the configuration',
      member: DELAYED,
      uri: () => `mongodb://${hostOf(set, DELAYED)}/?directConnection=true`,
    },
  ])('and $how is named with its lag', async ({ member, uri }) => {
    const report = await lint({ uri: uri(), timeout: 10_000 });
    expect(report.summary.reads).toEqual({
      losses: [],
      lags: [{ member: hostOf(set, member), seconds: expect.any(Number) }],
    });
    expect(report.summary.reads?.lags[0]?.seconds).toBeGreaterThanOrEqual(LAG);
  });
});

async function lastWrite(set: MemberSet, member: number): Promise<number> {
  const { lastWrite: last } = await admin(set, member).command({ hello: 1 });
  return Number((last as Document)['lastWriteDate']);
}

async function delayBy(set: MemberSet, member: number, seconds: number): Promise<void> {
  const { config } = await admin(set, FIRST).command({ replSetGetConfig: 1 });
  const { version, members } = config as { readonly version: number; readonly members: Document[] };
  const delayed = members.map((one, index) => (index === member ? { ...one, secondaryDelaySecs: seconds } : one));
  await admin(set, FIRST).command({
    replSetReconfig: { ...(config as Document), version: version + 1, members: delayed },
  });
}

async function plant(client: MongoClient): Promise<void> {
  const shop = client.db('shop');
  const filler = 'x'.repeat(FILLER_BYTES);
  const posts = Array.from({ length: 1_200 }, (_, number) => ({ number }));
  const documents = Array.from({ length: DOCUMENTS }, (_, number) => ({ number, filler }));
  for (let index = 0; index < COLLECTIONS; index += 1) {
    const long: Document[] = index % 2 === 0 ? documents : [{ number: -1, posts }, ...documents];
    await shop.collection(`pages_${index}`).insertMany(
      long.map((document) => ({ ...document })),
      { writeConcern: { w: 3 } },
    );
  }
}

/** What makes it no pass. Members that are gone count no uses of indexes: that is no fault. */
function failuresOf(report: Report): unknown[] {
  const code = exitCode(report, { failOn: 'never', maxWarnings: null, strict: false });
  return code === EXIT_CODES.fault ? [...(report.failures ?? []), ...report.skipped.filter(isOfLoss)] : [];
}

function isOfLoss({ reason }: Report['skipped'][number]): boolean {
  return reason === 'connection' || reason === 'timeout' || reason === 'fault';
}

function sampledOf({ collections }: Report) {
  return collections
    .filter(({ namespace }) => namespace.startsWith('shop.'))
    .map(({ namespace, sampled }) => ({ namespace, documents: sampled?.documents, boundedBy: sampled?.boundedBy }));
}

function verdictsOf({ findings }: Report): string[] {
  return findings.map(({ check, namespace, path, severity }) => `${severity} ${check} ${namespace} ${path}`).sort();
}
