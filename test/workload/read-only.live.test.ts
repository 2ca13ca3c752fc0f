import { ReadPreference, type CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertReadOnlyCommand } from '../../src/connect/allowed-commands.js';
import { connect, type Connection } from '../../src/connect/connect.js';
import { collectWorkload } from '../../src/workload/collect-workload.js';
import { sharedReplicaSetUri } from '../support/database.js';

describe('reading the workload', () => {
  const started: CommandStartedEvent[] = [];
  let connection: Connection;

  beforeAll(async () => {
    const options = { uri: sharedReplicaSetUri(), timeout: 120_000, maxTime: 600_000, concurrency: 4 };
    connection = await connect(options, (client) => client.on('commandStarted', (event) => started.push(event)));
    started.length = 0;
    await collectWorkload(connection.reader, { databases: ['shop', 'blog'], collections: [], logFiles: [] });
  });
  afterAll(() => connection?.close());

  it('sends these commands and no others', () => {
    const names = started
      .map(({ commandName }) => commandName)
      .filter((name) => name !== 'killCursors' && name !== 'getMore');
    expect([...new Set(names)].sort()).toEqual(['aggregate', 'find', 'getLog', 'hello', 'profile', 'serverStatus']);
    // The load control asks once a second how the server is.
    expect(names.filter((name) => name !== 'serverStatus').length).toBeLessThan(12);
  });

  it("marks each as mongolint's own, with a limit on its time", () => {
    for (const { commandName, command } of started.filter(
      ({ commandName: name }) => name !== 'killCursors' && name !== 'getMore',
    )) {
      expect({ commandName, ...command }).toMatchObject({
        commandName,
        comment: 'mongolint',
        maxTimeMS: expect.any(Number),
      });
    }
  });

  it('asks for the settings of the profiler and changes none', () => {
    const settings = started.filter(({ commandName }) => commandName === 'profile').map(({ command }) => command);
    expect(settings.length).toBeGreaterThan(0);
    for (const command of settings) {
      expect(command['profile']).toBe(-1);
      expect(command).not.toHaveProperty('slowms');
    }
  });

  it('goes where the profiler of the application is', () => {
    const ofWorkload = started.filter(({ commandName }) => commandName !== 'serverStatus');
    const modes = new Set(ofWorkload.map(({ command }) => command['$readPreference']?.mode ?? ReadPreference.PRIMARY));
    expect(modes).toEqual(new Set(['primaryPreferred']));
  });
});

describe('the door to the server', () => {
  it.each([
    [{ profile: 2 }],
    [{ profile: 0 }],
    [{ profile: -1, slowms: 5 }],
    [{ profile: '-1' }],
    [{ setParameter: 1 }],
    [{ insert: 'a' }],
    [{}],
  ])('does not send %j', (command) => {
    expect(() => assertReadOnlyCommand(command)).toThrow(/mongolint/);
  });

  it.each([[{ profile: -1 }], [{ getLog: 'global' }], [{ serverStatus: 1 }]])('sends %j', (command) => {
    expect(() => assertReadOnlyCommand(command)).not.toThrow();
  });
});
