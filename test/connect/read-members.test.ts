import { EventEmitter } from 'node:events';
import type { MongoClient, ServerType } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ReadMembers } from '../../src/connect/read-members.js';

const [PRIMARY, SECONDARY, OTHER] = ['db1:27017', 'db2:27017', 'db3:27017'];

/** A driver that hears of members, in the order of its events. */
class Driver {
  readonly #client: EventEmitter;
  readonly #types = new Map<string, ServerType>();
  readonly members: ReadMembers;

  constructor({ directConnection = false } = {}) {
    this.#client = Object.assign(new EventEmitter(), { options: { directConnection } });
    this.members = new ReadMembers(this.#client as unknown as MongoClient, 1_000);
  }

  /** @param behind in s: how old its last write is */
  hears(address: string, type: ServerType, behind = 0, reply: Readonly<Record<string, unknown>> = {}): this {
    const lastWriteDate = new Date(Date.now() - behind * 1_000);
    const heard = { localTime: new Date(), lastWrite: { lastWriteDate }, primary: PRIMARY, ...reply };
    this.#client.emit('serverHeartbeatSucceeded', { connectionId: address, reply: heard });
    return this.becomes(address, type);
  }

  becomes(address: string, type: ServerType): this {
    const previous = this.#types.get(address) ?? 'Unknown';
    if (previous === type) return this;
    this.#types.set(address, type);
    const [previousDescription, newDescription] = [{ type: previous }, { type }];
    this.#client.emit('serverDescriptionChanged', { address, previousDescription, newDescription });
    const servers = new Map([...this.#types].map(([of, is]) => [of, { address: of, type: is }]));
    this.#client.emit('topologyDescriptionChanged', { newDescription: { servers } });
    return this;
  }

  reads(address: string): this {
    this.#client.emit('connectionCheckedOut', { address });
    return this;
  }
}

// So that ages of writes are exact, however slow the machine.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

const set = () => new Driver().hears(PRIMARY, 'RSPrimary').hears(SECONDARY, 'RSSecondary').hears(OTHER, 'RSSecondary');
const lossOf = (member: string, continuedFrom: string | null) => ({
  losses: [{ member, at: expect.any(String), continuedFrom }],
  lags: [],
});

describe('the lag of a member', () => {
  it.each([
    { when: 'it is read', driver: () => set().hears(SECONDARY, 'RSSecondary', 300).reads(SECONDARY), seconds: 300 },
    { when: 'it is heard before the primary', driver: heardFirst, seconds: 300 },
    {
      when: 'it grows while nothing else changes',
      driver: () => set().reads(SECONDARY).hears(SECONDARY, 'RSSecondary', 60).hears(SECONDARY, 'RSSecondary', 90),
      seconds: 90,
    },
    {
      when: 'it has caught up since',
      driver: () => set().reads(SECONDARY).hears(SECONDARY, 'RSSecondary', 60).hears(SECONDARY, 'RSSecondary'),
      seconds: 60,
    },
  ])('is reported if $when', ({ driver, seconds }) => {
    expect(driver().members.summary).toEqual({ losses: [], lags: [{ member: SECONDARY, seconds }] });
  });

  it.each([
    { when: 'it is not read', driver: () => set().hears(SECONDARY, 'RSSecondary', 300).reads(OTHER) },
    { when: 'it is short', driver: () => set().hears(SECONDARY, 'RSSecondary', 15).reads(SECONDARY) },
    {
      when: 'nothing is written to the primary either',
      driver: () => set().hears(PRIMARY, 'RSPrimary', 300).hears(SECONDARY, 'RSSecondary', 300).reads(SECONDARY),
    },
    { when: 'no primary is known', driver: () => new Driver().hears(OTHER, 'RSSecondary', 300).reads(OTHER) },
    {
      when: 'the server tells of no writes',
      driver: () => set().hears(SECONDARY, 'RSSecondary', 0, { lastWrite: undefined }).reads(SECONDARY),
    },
  ])('is not if $when', ({ driver }) => {
    expect(driver().members.summary).toBeNull();
  });

  it('is measured by its own clock over a direct connection', () => {
    const direct = () => new Driver({ directConnection: true }).reads(SECONDARY);
    const delayed = direct().hears(SECONDARY, 'RSSecondary', 3_600);
    expect(delayed.members.summary).toEqual({ losses: [], lags: [{ member: SECONDARY, seconds: 3_600 }] });
    expect(direct().hears(PRIMARY, 'RSPrimary', 3_600).members.summary).toBeNull();
    const alone = direct().hears(SECONDARY, 'RSSecondary', 3_600, { primary: undefined });
    expect(alone.members.summary).toBeNull();
  });
});

describe('a member that was read', () => {
  it('is lost if it can not be read any more', () => {
    const driver = set().reads(SECONDARY).becomes(SECONDARY, 'Unknown');
    expect(driver.members.summary).toEqual(lossOf(SECONDARY, null));
    // Of a read that had chosen it before.
    expect(driver.reads(SECONDARY).members.summary).toEqual(lossOf(SECONDARY, null));
    expect(driver.reads(OTHER).members.summary).toEqual(lossOf(SECONDARY, OTHER));
    // It comes and goes, and nobody reads it.
    driver.hears(SECONDARY, 'RSSecondary').becomes(SECONDARY, 'Unknown');
    expect(driver.members.summary).toEqual(lossOf(SECONDARY, OTHER));
  });

  it.each([
    { how: 'as a secondary', types: ['RSSecondary'] },
    { how: 'after a moment without an answer', types: ['Unknown', 'RSSecondary'] },
  ] as const)('is reported if it stepped down, and the next primary was read: known $how', ({ types }) => {
    const driver = set().reads(PRIMARY);
    for (const type of types) driver.becomes(PRIMARY, type);
    driver.reads(PRIMARY).becomes(OTHER, 'RSPrimary').reads(OTHER);
    expect(driver.members.summary).toEqual(lossOf(PRIMARY, OTHER));
  });

  it('is none that was lost if it stepped down, and no other primary was read', () => {
    const driver = set().reads(PRIMARY).reads(SECONDARY).becomes(PRIMARY, 'RSSecondary');
    expect(driver.reads(PRIMARY).reads(SECONDARY).members.summary).toBeNull();
    expect(driver.becomes(PRIMARY, 'RSPrimary').reads(PRIMARY).members.summary).toBeNull();
  });
});

/** As a set is connected to from a lagging seed. */
function heardFirst(): Driver {
  return new Driver().hears(SECONDARY, 'RSSecondary', 300).hears(PRIMARY, 'RSPrimary').reads(SECONDARY);
}
