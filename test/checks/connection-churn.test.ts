import { describe, expect, it } from 'vitest';
import { connectionChurn } from '../../checks/connection-churn.js';
import { absent, present } from '../../src/presence.js';
import type { ClientConnections } from '../../src/workload/operations/connection-tally.js';
import type { ServerCounters, WorkloadSource } from '../../src/workload/workload.js';
import { countersOf, foundIn, judgeCluster, problemIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21);

const log = (hours: number): WorkloadSource => ({
  parts: [
    {
      coverage: { operations: 'slow', slowMilliseconds: null, sampleRate: null },
      window: { from: NOW - hours * HOUR, to: NOW },
      entries: 0,
      ignored: 0,
      unreadable: 0,
      bounded: false,
    },
  ],
  gaps: [],
});
const opens = (over: Partial<ClientConnections> = {}): ClientConnections => ({
  appName: 'shop-web',
  driver: 'nodejs 7.8.0',
  source: 'logFile',
  opened: 4_000,
  brief: 4_000,
  ended: 4_000,
  hosts: 3,
  ...over,
});
const counted = (connections: Partial<ServerCounters['connections']> = {}, hours = 100): ServerCounters =>
  countersOf(
    { from: NOW - hours * HOUR, to: NOW },
    { connections: { open: 40, limit: 16_000, created: 50_000, busy: 0.4, ...connections } },
  );
const of = (connections: ClientConnections[], hours = 1, counters = counted()): GivenCluster => ({
  collections: {},
  connections,
  sources: { logFile: present(log(hours)), recentLog: present(log(hours)) },
  counters: present(counters),
});

describe('connection-churn', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['4,000 in an hour', of([opens()]), ['info * null']],
    ['4,000 in 6 min', of([opens()], 0.1), ['warning * null']],
    ['4,000 in two hours', of([opens()], 2), []],
    [
      '4,000 in two hours, in a log of mongos',
      { ...of([opens()]), sources: { recentLog: present(log(1)), routerLog: present(log(2)) } },
      [],
    ],
    ['90 in a minute', of([opens({ brief: 90 })], 1 / 60), []],
    ['a pool of 4,000 that stays open', of([opens({ brief: 0, ended: 0 })]), []],
    ['a burst in the recent lines of a quiet server', of([opens({ source: 'recentLog', brief: 300 })], 0.01), []],
    [
      'the same on a server that accepts as many all the time',
      of([opens({ source: 'recentLog', brief: 300 })], 0.01, counted({ created: 5_000_000 })),
      ['info * null'],
    ],
    ['counters alone, of four days', of([], 1, counted({ created: 500_000 })), ['info * null']],
    ['counters alone, of an hour', of([], 1, counted({ created: 500_000 }, 1)), []],
    ['3,000 open for next to nothing', of([], 1, counted({ open: 3_000, busy: 2 })), ['info * null']],
    ['3,000 open for 100 operations at a time', of([], 1, counted({ open: 3_000, busy: 100 })), []],
    ['85 open of 100', of([], 1, counted({ open: 85, limit: 100 })), ['warning * null']],
    ['a pool', of([opens({ opened: 12, brief: 2, ended: 2 })]), []],
  ])('%s', (_, given, expected) => expect(foundIn(connectionChurn, given)).toEqual(expected));

  it('names applications, drivers, addresses and figures', () => {
    const cron = opens({ appName: null, driver: 'PyMongo 4.6.1', brief: 3_700, addresses: ['10.0.0.7'] });
    const { message, evidence } = problemIn(connectionChurn, of([cron, opens()]));
    expect(message).toBe(
      '`shop-web` (nodejs 7.8.0, from 3 addresses) opens connections that end within a minute: 4,000 in 1 h, an estimated 4,000 an hour. ' +
        'An application without appName (PyMongo 4.6.1, from 10.0.0.7) opens connections that end within a minute: 3,700 in 1 h, an estimated 3,700 an hour.',
    );
    expect(evidence).toMatchObject({ connectionsPerHour: 7_700, connectionsOpen: 40, connectionsOpened: 50_000 });
  });

  it('counts further applications, and says which could not be counted', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((appName) => opens({ appName, opened: 4_300 }));
    const given = of(five, 1, counted({ open: 13_000 }));
    const { message } = problemIn(connectionChurn, given);
    expect(message).toContain('2 further applications do so, too.');
    expect(message).toMatch(/ 300 and 2 further applications\.$/);
    const entriesLeftOut = { connections: 12, changeStreams: 0, indexChanges: 0 };
    expect(judgeCluster(connectionChurn, { ...of([]), entriesLeftOut })).toEqual([
      {
        notJudged: 'bound',
        detail:
          'more than 200 clients were recorded; 12 entries of further ones were left out. Leave out older ones with --since.',
      },
    ]);
  });

  it('says whose connections are open', () => {
    const given = of([opens({ opened: 900, brief: 0, ended: 20 })], 1, counted({ open: 1_200, busy: 0.04 }));
    expect(problemIn(connectionChurn, given).message).toBe(
      '1,200 connections are open, of 16,000 at most. On average less than 0.1 operations run at a time. By the log, they are of `shop-web` (nodejs 7.8.0, from 3 addresses) 880.',
    );
  });

  it('says what it could not read, instead of passing', () => {
    const refused = absent('privilege', 'reading the recent log lines: not authorized.');
    const given = { ...of([]), sources: { recentLog: refused } };
    expect(judgeCluster(connectionChurn, given)).toEqual([{ notJudged: 'privilege', detail: refused.detail }]);
    const nothing = { collections: {}, counters: absent('privilege', 'reading the counters: not authorized.') };
    expect(judgeCluster(connectionChurn, nothing)).toMatchObject([{ notJudged: 'privilege', nothingJudged: true }]);
    const { connections: _, ...earlier } = counted();
    expect(judgeCluster(connectionChurn, of([], 1, earlier))).toMatchObject([
      { notJudged: 'insufficient', nothingJudged: true },
    ]);
  });
});
