import { describe, expect, it } from 'vitest';
import { ConnectionDrivers } from '../../../src/workload/sources/connection-drivers.js';

/** As mongod 6.0 writes it. */
function lineOf(connection: string, doc: object, msg = 'client metadata'): string {
  return JSON.stringify({
    t: { $date: '2026-11-22T20:00:00.000+00:00' },
    s: 'I',
    c: 'NETWORK',
    id: 51_800,
    ctx: connection,
    msg,
    attr: { remote: '127.0.0.1:51234', client: connection, doc },
  });
}

const NODE = { application: { name: 'shop' }, driver: { name: 'nodejs', version: '6.9.0' } };
const JAVA = { application: { name: 'till "doc":' }, driver: { name: 'mongo-java-driver', version: '5.1.0' } };

function driversOf(...lines: string[]): (connection: string) => string | null {
  const drivers = new ConnectionDrivers();
  lines.forEach((line) => drivers.add(line));
  return (connection) => drivers.of(connection);
}

describe('the drivers of connections', () => {
  it('are known of each connection, also where several have the same', () => {
    const of = driversOf(lineOf('conn1', NODE), lineOf('conn2', JAVA), lineOf('conn3', NODE), lineOf('conn4', JAVA));
    expect(['conn1', 'conn2', 'conn3', 'conn4', 'conn5'].map(of)).toEqual([
      'nodejs 6.9.0',
      'mongo-java-driver 5.1.0',
      'nodejs 6.9.0',
      'mongo-java-driver 5.1.0',
      null,
    ]);
  });

  it('are read behind a prefix by something else', () => {
    const of = driversOf(`Nov 22 host mongod[1]: ${lineOf('conn1', NODE)}`, `host: ${lineOf('conn2', NODE)}`);
    expect(['conn1', 'conn2'].map(of)).toEqual(['nodejs 6.9.0', 'nodejs 6.9.0']);
  });

  it('follow a connection whose name is used again', () => {
    expect(driversOf(lineOf('conn1', NODE), lineOf('conn1', JAVA))('conn1')).toBe('mongo-java-driver 5.1.0');
  });

  it.each([
    ['another message', lineOf('conn1', NODE, 'Connection ended')],
    ['no driver', lineOf('conn1', { application: { name: 'shop' } })],
    ['half a line', lineOf('conn1', NODE).slice(0, 150)],
    ['no document', lineOf('conn1', {}).replace('"doc"', '"document"')],
  ])('are none by %s', (_, line) => {
    expect(driversOf(line, line)('conn1')).toBeNull();
  });
});
