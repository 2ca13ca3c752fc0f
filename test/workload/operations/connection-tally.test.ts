import { describe, expect, it } from 'vitest';
import { ConnectionTally, type ClientConnections } from '../../../src/workload/operations/connection-tally.js';
import { ConnectionDrivers } from '../../../src/workload/sources/connection-drivers.js';

const AT = Date.parse('2026-11-27T18:30:00.000Z');
/** As mongod 6.0.5 writes them. */
const line = (msg: string, second: number, connection: string, attr: object) =>
  JSON.stringify({
    t: { $date: new Date(AT + 1_000 * second).toISOString().replace('Z', '+00:00') },
    s: 'I',
    c: 'NETWORK',
    id: 1,
    ctx: connection,
    msg,
    attr,
  });
const client = (name: string | null, driver = 'nodejs') => ({
  ...(name !== null && { application: { name } }),
  driver: { name: driver, version: '7.8.0' },
});
const opened = (second: number, connection: string, doc: object, host = '10.0.0.1') =>
  line('client metadata', second, connection, { remote: `${host}:44988`, client: connection, doc });
const ended = (second: number, connection: string) =>
  line('Connection ended', second, connection, { remote: '10.0.0.1:44988', connectionId: 7, connectionCount: 3 });
const [WEB, NAMELESS] = [client('shop-web'), client(null)];

function summary(lines: readonly string[], since: number | null = null, values = false): ClientConnections[] {
  const tally = new ConnectionTally(since, values);
  const drivers = new ConnectionDrivers(tally.of({ source: 'logFile' }));
  for (const each of lines) (each.includes('Connection ended') ? () => drivers.ended(each) : () => drivers.add(each))();
  return tally.summary();
}

const OF = { appName: 'shop-web', driver: 'nodejs 7.8.0', source: 'logFile' as const };

describe('connections of a log', () => {
  it.each<[string, readonly string[], readonly Partial<ClientConnections>[]]>([
    [
      'that ends soon',
      [opened(0, 'conn1', WEB), ended(2, 'conn1')],
      [{ ...OF, opened: 1, brief: 1, ended: 1, hosts: 1 }],
    ],
    ['that lasts', [opened(0, 'conn1', WEB), ended(90, 'conn1')], [{ opened: 1, brief: 0, ended: 1 }]],
    ['that is open', [opened(0, 'conn1', WEB)], [{ opened: 1, brief: 0, ended: 0 }]],
    ['that was open before', [ended(2, 'conn1')], []],
    [
      'of two applications and two hosts',
      [opened(0, 'conn1', WEB), opened(1, 'conn2', WEB, '10.0.0.2'), opened(1, 'conn3', NAMELESS), ended(2, 'conn3')],
      [
        { appName: 'shop-web', opened: 2, hosts: 2 },
        { appName: null, opened: 1, brief: 1 },
      ],
    ],
    [
      'of mongolint, the server and tools',
      [
        opened(0, 'conn1', client('mongolint')),
        opened(0, 'conn2', client(null, 'NetworkInterfaceTL-ReplNetwork')),
        opened(0, 'conn3', client('mongodb_exporter')),
      ],
      [],
    ],
  ])('one %s', (_, lines, expected) => {
    expect(summary(lines)).toMatchObject(expected);
    expect(summary(lines)).toHaveLength(expected.length);
  });

  it('are left out if they were opened before the time that is asked for', () => {
    const lines = [opened(0, 'conn1', WEB), opened(5, 'conn2', WEB), ended(6, 'conn1'), ended(7, 'conn2')];
    expect(summary(lines, AT + 5_000)).toMatchObject([{ opened: 1, brief: 1, ended: 1 }]);
  });

  it('show addresses only if values are to be shown', () => {
    expect(JSON.stringify(summary([opened(0, 'conn1', WEB)]))).not.toContain('10.0.0.1');
    expect(summary([opened(0, 'conn1', WEB)], null, true)).toMatchObject([{ addresses: ['10.0.0.1'] }]);
  });

  it('count once for several logs of a place, and by member for recent ones', () => {
    const tally = new ConnectionTally();
    const places = [
      { source: 'logFile' as const },
      { source: 'logFile' as const },
      { source: 'recentLog' as const, member: 'secondary 1' },
    ];
    for (const place of places) new ConnectionDrivers(tally.of(place)).add(opened(0, 'conn1', WEB));
    expect(tally.summary()).toMatchObject([
      { source: 'logFile', opened: 2 },
      { source: 'recentLog', member: 'secondary 1', opened: 1 },
    ]);
  });

  it('count no line that an earlier file has', () => {
    const tally = new ConnectionTally();
    const drivers = new ConnectionDrivers(tally.of({ source: 'logFile' }));
    drivers.add(opened(0, 'conn1', WEB), false);
    drivers.ended(ended(1, 'conn1'));
    expect(tally.summary()).toEqual([]);
  });
});
