import { execFileSync } from 'node:child_process';
import { MongoClient, type Document } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { unusedIndex } from '../../checks/unused-index.js';
import { LintError } from '../../src/lint-error.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import { exitCode } from '../../src/policy/exit-code.js';
import { renderReport } from '../../src/report/formats.js';
import type { Report } from '../../src/report/report.js';
import type { EmbeddedServer } from '../support/mongod/embedded-server.js';
import { ROOT_USER, startStandalone, startWithAuth } from '../support/servers.js';

/** More than those that are read ahead, while the oplog is read, and in groups. */
const COLLECTIONS = 120;
/** Collections that are judged before something happens. */
const BEFORE = 3;
const TYPE_MISMATCH = 14;
const PASSWORD = 'linter-password';

/** A real mongod that demands authentication; its own failpoints make commands fail. */
let server: EmbeddedServer;
let root: MongoClient;

beforeAll(async () => {
  server = await startWithAuth({ args: ['--setParameter', 'enableTestCommands=1'] });
  root = await new MongoClient(server.uri).connect();
  for (let index = 0; index < COLLECTIONS; index += 1) {
    await root
      .db('shop')
      .collection(`orders_${index}`)
      .insertMany([{ a: 1 }, { a: 2 }]);
  }
  await root
    .db('blog')
    .collection('posts')
    .insertMany([{ a: 1 }]);
  const actions = ['listCollections', 'collStats', 'listIndexes', 'indexStats'];
  const privileges = ['shop', 'blog'].map((db) => ({ resource: { db, collection: '' }, actions }));
  await root.db('admin').command({ createRole: 'looker', privileges, roles: [] });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await root.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
});
afterAll(async () => {
  await root?.close();
  await server?.stop();
});

/** The connection string of a new user with these roles; null for one without credentials. */
async function uriOf(user: string | null, roles: readonly (string | Document)[] = []): Promise<string> {
  const uri = new ConnectionString(server.uri);
  if (user !== null) {
    await root.db('admin').command({ createUser: user, pwd: PASSWORD, roles });
    [uri.username, uri.password] = [user, PASSWORD];
  } else {
    [uri.username, uri.password] = ['', ''];
    uri.searchParams.delete('authSource');
  }
  return uri.href;
}

/** Runs a command as root while this process stands still, so that nothing is read meanwhile. */
function runWhileStopped(command: Document): void {
  const script = `
    import('mongodb').then(async ({ MongoClient }) => {
      const client = new MongoClient(process.env.ROOT_URI);
      await client.db('admin').command(JSON.parse(process.env.COMMAND));
      await client.close();
    });`;
  const env = { ...process.env, ROOT_URI: server.uri, COMMAND: JSON.stringify(command) };
  execFileSync(process.execPath, ['-e', script], { env });
}

async function failing(commands: readonly string[], errorCode: number): Promise<void> {
  const data = { failCommands: commands, errorCode, appName: 'mongolint' };
  await root.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
}

/** Lints one collection at a time, and does this once some of them were judged. */
function lintWith(options: LintOptions, midway: () => void = () => {}): Promise<Report> {
  return lint({ concurrency: 1, ...options, onProgress: ({ done }) => void (done === BEFORE && midway()) });
}

const reasonsOf = ({ failures = [] }: Report) => failures.map(({ reason }) => reason);
const exitCodeOf = (report: Report, strict = false) => exitCode(report, { failOn: 'never', maxWarnings: null, strict });
const READS = ['aggregate', 'find', 'count', 'listIndexes', 'getLog', 'serverStatus'];
const ALL = ['readAnyDatabase', 'clusterMonitor'];

describe('a run that is no pass', () => {
  it.each<[string, string | null, RegExp]>([
    ['without credentials', null, /^nothing could be judged, as the server demands authentication; put user and/],
    ['of a user without roles', 'roleless', /^nothing could be judged, as the user may not read it; grant the role/],
  ])('%s is none, also if it names what to lint', async (_, user, expected) => {
    const uri = await uriOf(user);
    await expect(lint({ uri })).rejects.toThrow(LintError);
    const report = await lint({ uri, include: ['shop.*'] });
    expect(report.failures).toEqual([{ reason: 'nothing-judged', detail: expect.stringMatching(expected) as string }]);
    expect(exitCodeOf(report)).toBe(2);
  });

  it('of a user whom the server does not describe says what is lacking', async () => {
    const uri = await uriOf('undescribed');
    await failing(['connectionStatus'], TYPE_MISMATCH);
    await expect(lint({ uri })).rejects.toThrow(/^The user can't read any database: grant/);
  });

  it.each<[string, Document]>([
    ['the user is dropped', { dropUser: 'dropped' }],
    ['its role is revoked', { revokeRolesFromUser: 'revoked', roles: ['readAnyDatabase'] }],
  ])('loses its rights: %s', async (_, command) => {
    const user = String(Object.values(command)[0]);
    const report = await lintWith({ uri: await uriOf(user, ALL) }, () => runWhileStopped(command));
    expect(reasonsOf(report)).toEqual(['rights-lost']);
    const refused = new Set(
      report.skipped.filter(({ reason }) => reason === 'privilege').map(({ namespace }) => namespace),
    );
    expect(refused.size).toBeGreaterThan(1);
    expect(report.collections.filter(({ sampled }) => sampled !== null).length).toBeGreaterThanOrEqual(BEFORE);
    expect(exitCodeOf(report)).toBe(2);
  });

  it('loses its rights: a new connection is refused', async () => {
    const uri = await uriOf('renamed', ALL);
    const report = await lintWith({ uri, timeout: 2_000 }, () => {
      runWhileStopped({ updateUser: 'renamed', pwd: 'another-password' });
      runWhileStopped({
        configureFailPoint: 'failCommand',
        mode: { times: 1 },
        data: { failCommands: ['aggregate'], closeConnection: true, appName: 'mongolint' },
      });
    });
    expect(reasonsOf(report)).toContain('rights-lost');
    expect(exitCodeOf(report)).toBe(2);
  });

  it('has used up its time', async () => {
    const now = performance.now.bind(performance);
    let passed = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    const options = { uri: server.uri, maxTime: 600_000 };
    const report = await lintWith(options, () => (passed = options.maxTime));
    expect(reasonsOf(report)).toEqual(['max-time']);
    expect(report.skipped.filter(({ reason }) => reason === 'max-time').length).toBeGreaterThan(0);
    expect(exitCodeOf(report)).toBe(2);
  });

  it.each([
    ['Unauthorized', 13],
    ['MaxTimeMSExpired', 50],
    ['CommandNotSupported', 115],
    ['InternalError', 1],
    ['HostUnreachable', 6],
  ])('can list no collection: %s', async (_, code) => {
    await failing(['listCollections'], code);
    for (const include of [[], ['shop.*']]) {
      const report = await lint({ uri: server.uri, include });
      expect(reasonsOf(report)[0]).toBe('nothing-judged');
      expect(exitCodeOf(report)).toBe(2);
    }
  });

  it.each([
    ['Unauthorized', 13],
    ['MaxTimeMSExpired', 50],
  ])('can read nothing: %s', async (_, code) => {
    await failing(READS, code);
    const report = await lint({ uri: server.uri });
    expect(reasonsOf(report)).toEqual(['nothing-judged']);
    expect(exitCodeOf(report)).toBe(2);
  });

  it('may read no document of any collection, though all else', async () => {
    const report = await lint({ uri: await uriOf('looker', ['looker']) });
    const detail = expect.stringMatching(
      /^the documents of 121 of 121 collections .* grant the privilege find/,
    ) as string;
    expect(report.failures).toEqual([{ reason: 'documents-missing', detail }]);
    expect(report.collections.some(({ indexes }) => indexes === 1)).toBe(true);
    expect(exitCodeOf(report)).toBe(2);
    const indexesOnly = await lint({ uri: await uriOf('indexer', ['looker']), checks: [unusedIndex] });
    expect(exitCodeOf(indexesOnly)).toBe(0);
  });

  it('says so in every format', async () => {
    const report = await lint({ uri: await uriOf('everywhere'), include: ['shop.*'] });
    const inFormat = async (format: string) => renderReport(report, format);
    for (const format of ['table', 'markdown', 'html', 'github', 'gitlab', 'sarif', 'junit']) {
      expect([format, await inFormat(format)]).toEqual([
        format,
        expect.stringMatching(/Not linted|not-linted|not linted/),
      ]);
    }
    expect(JSON.parse(await inFormat('json'))).toMatchObject({ failures: [{ reason: 'nothing-judged' }] });
    expect(JSON.parse(await inFormat('sarif'))).toMatchObject({
      runs: [{ invocations: [{ executionSuccessful: false }] }],
    });
    expect(await inFormat('junit')).toMatch(/<testsuites [^>]*errors="1"/);
    expect(await inFormat('prometheus')).toMatch(/^mongolint_up 0$/m);
  });
});

describe('a run that is a pass', () => {
  it('lacks a privilege from the beginning', async () => {
    const report = await lint({ uri: await uriOf('reader', [{ role: 'read', db: 'blog' }]) });
    expect(report.skipped.some(({ reason }) => reason === 'privilege')).toBe(true);
    expect(reasonsOf(report)).toEqual([]);
    expect([exitCodeOf(report), exitCodeOf(report, true)]).toEqual([0, 3]);
  });

  it('may read the documents of few collections, and begins with the grant that is missing', async () => {
    const report = await lint({ uri: await uriOf('peeker', ['looker', { role: 'read', db: 'blog' }]) });
    expect(reasonsOf(report)).toEqual([]);
    expect([exitCodeOf(report), exitCodeOf(report, true)]).toEqual([0, 3]);
    expect(await renderReport(report, 'compact')).toMatch(
      /^The documents of 120 of 121 collections could not be read: .* grant the privilege find/m,
    );
  });

  it('finds a server without collections', async () => {
    const empty = await startStandalone();
    try {
      const report = await lint({ uri: empty.uri });
      expect(reasonsOf(report)).toEqual([]);
      expect(exitCodeOf(report)).toBe(0);
      expect(await renderReport(report, 'table')).toMatch(/no collections were found/);
    } finally {
      await empty.stop();
    }
  });

  it('ends in time, and is linted by root', async () => {
    expect(reasonsOf(await lint({ uri: server.uri }))).toEqual([]);
    expect(ROOT_USER.name).toBe('root');
  });
});
