import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/findings/stamp.js';
import { nameOf } from '../../src/namespace.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';

const client = sharedClient();

/** Threads of which few have very many posts: an unbounded array in `posts`, an error. */
async function plantThreads(database: Db, name: string): Promise<void> {
  const threads = Array.from({ length: 200 }, (_, index) => ({
    posts: Array.from({ length: Math.ceil(4_000 / (index + 1)) }, (__, post) => ({ author: post, text: 'words' })),
  }));
  await database.collection(name).insertMany(threads);
}

/** A project with a configuration for one database. */
class Project {
  private constructor(
    readonly folder: string,
    private readonly database: Db,
  ) {}

  static async create(database: Db, config = ''): Promise<Project> {
    const project = new Project(await folderWith({}), database);
    await project.configure(config);
    return project;
  }

  async configure(more: string): Promise<void> {
    const own = `include: ['${this.database.databaseName}.*']\nbaseline: known.jsonl\nchecks: { outlier-document: off, bloated-document: off }\n`;
    await writeFile(join(this.folder, 'mongolint.config.yaml'), own + more);
  }

  baseline(): Promise<string> {
    return readFile(join(this.folder, 'known.jsonl'), 'utf8');
  }

  async lint(...argv: string[]): Promise<{ exitCode: number; report: Report; stderr: string }> {
    const env = { MONGODB_URI: sharedReplicaSetUri() };
    const { exitCode, stdout, stderr } = await runCaptured([...argv, '--format', 'json'], env, this.folder);
    if (stdout === '') throw new Error(`No report: ${stderr}`);
    return { exitCode, report: reportSchema.parse(JSON.parse(stdout)), stderr };
  }
}

const namesOf = (findings: readonly { namespace: string; path: string | null }[]) =>
  findings.map(({ namespace, path }) => `${nameOf(namespace)} ${path}`).sort();
const withStatus = ({ findings }: Report, wanted: 'new' | 'known') =>
  namesOf(findings.filter(({ baseline }) => baseline?.status === wanted));

const suppression = (expires: string) => `suppressions:
  - check: unbounded-array
    namespace: '*.drafts'
    reason: emptied by a job
    expires: ${expires}
`;

describe('a scheduled job over three runs', () => {
  const database = freshDatabase(client);

  it('accepts, then fails with exactly what is new, then with what was suppressed for a while', async () => {
    await plantThreads(database, 'threads');
    await plantThreads(database, 'archive');
    await plantThreads(database, 'drafts');
    const project = await Project.create(database, suppression('2999-12-31'));

    const first = await project.lint('--update-baseline');
    expect(first.exitCode).toBe(0);
    expect(withStatus(first.report, 'new')).toEqual(['archive posts', 'threads posts']);
    expect((await project.baseline()).trimEnd().split('\n')).toHaveLength(3);

    await plantThreads(database, 'comments');
    await database.collection('archive').drop();
    const second = await project.lint();
    expect(second.exitCode).toBe(1);
    expect(withStatus(second.report, 'new')).toEqual(['comments posts']);
    expect(withStatus(second.report, 'known')).toEqual(['threads posts']);
    expect(namesOf(second.report.gone ?? [])).toEqual(['archive posts']);
    expect(second.report.fixed).toEqual([]);
    expect(second.report.summary).toMatchObject({
      suppressed: 1,
      baseline: { new: 1, known: 1, fixed: 0, gone: 1, notSeen: 0, notJudged: 0 },
    });
    expect(second.report.notices).toBeUndefined();

    expect((await project.lint('--update-baseline')).exitCode).toBe(0);
    expect((await project.lint()).exitCode).toBe(0);

    await project.configure(suppression('2020-01-31'));
    const third = await project.lint();
    expect(third.exitCode).toBe(1);
    expect(withStatus(third.report, 'new')).toEqual(['drafts posts']);
    expect(third.report.notices).toEqual([
      {
        kind: 'suppression-expired',
        text: 'The suppression of unbounded-array on *.drafts (mongolint.config.yaml:5) expired on 2020-01-31. 1 finding counts again.',
      },
    ]);
  });
});

describe('a baseline on a real server', () => {
  const database = freshDatabase(client);

  it('is the same text after each run that finds the same', async () => {
    await plantThreads(database, 'threads');
    await plantThreads(database, 'comments');
    const project = await Project.create(database);
    await project.lint('--update-baseline');
    const before = await project.baseline();
    await project.lint('--update-baseline', '--concurrency', '1', '--sample-size', '199');
    expect(await project.baseline()).toBe(before);
    expect(before).not.toMatch(/\d{4}-\d\d-\d\d|words/);
  });

  it('calls a known finding new where it got more severe', async () => {
    const project = await Project.create(database, '');
    await project.configure('');
    await project.lint('--update-baseline');
    await writeFile(join(project.folder, 'known.jsonl'), (await project.baseline()).replaceAll('"error"', '"warning"'));
    const { exitCode, report } = await project.lint();
    expect(exitCode).toBe(1);
    expect(report.findings.map(({ baseline }) => baseline)).toEqual([
      { status: 'new', severityBefore: 'warning' },
      { status: 'new', severityBefore: 'warning' },
    ]);
  });

  it('does not call fixed what this run did not look at, and keeps it', async () => {
    const project = await Project.create(database);
    await project.lint('--update-baseline');
    const before = await project.baseline();
    const narrowed = await project.lint('--update-baseline', '--exclude', '*.threads');
    expect(narrowed.report.summary.baseline).toEqual({
      new: 0,
      known: 1,
      fixed: 0,
      gone: 0,
      notSeen: 0,
      notJudged: 1,
    });
    expect(await project.baseline()).toBe(before);
  });

  it.each([
    ['of something else', '{"name":"shop"}\n', /is not a mongolint baseline/],
    ['newer', '{"mongolint":"baseline","version":9}\n', /from a newer mongolint/],
    [
      'torn',
      '{"mongolint":"baseline","version":1}\n{"namespace":"sh',
      /known\.jsonl:2: this line is corrupt or contains merge-conflict markers/,
    ],
  ])('fails in one line, before it asks the server, where it is %s', async (_, text, expected) => {
    const cwd = await folderWith({ 'mongolint.config.yaml': 'baseline: known.jsonl\n', 'known.jsonl': text });
    const env = { MONGODB_URI: 'mongodb://127.0.0.1:1/' };
    for (const argv of [[], ['--update-baseline']]) {
      const { exitCode, stdout, stderr } = await runCaptured(argv, env, cwd);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(expected);
      expect(stderr).toMatch(/^[^\n]+\n$/);
    }
    expect(await readFile(join(cwd, 'known.jsonl'), 'utf8')).toBe(text);
  });

  it('must be there, unless it is to be written', async () => {
    const cwd = await folderWith({ 'mongolint.config.yaml': 'baseline: known.jsonl\n' });
    const { exitCode, stderr } = await runCaptured(['mongodb://127.0.0.1:1/'], {}, cwd);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^There is no baseline .*known\.jsonl; write it with --update-baseline\.\n$/);
  });

  it('must be named to be updated', async () => {
    const { exitCode, stderr } = await runCaptured(
      ['mongodb://127.0.0.1:1/', '--update-baseline'],
      {},
      await folderWith({}),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^--update-baseline needs a file: give --baseline FILE/);
  });

  it('that cannot be written is a fault before anything is read', async () => {
    const cwd = await folderWith({});
    const argv = [
      '--include',
      `${database.databaseName}.*`,
      '--baseline',
      join(cwd, 'none', 'known.jsonl'),
      '--update-baseline',
    ];
    const { exitCode, stdout, stderr } = await runCaptured(argv, { MONGODB_URI: sharedReplicaSetUri() }, cwd);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^The baseline .*known\.jsonl can't be written: [^\n]+\.\n$/);
  });
});

describe('a rare finding that is missing', () => {
  const database = freshDatabase(client);
  // More than are scanned for a sample that is the same each time.
  const documents = 21_000;

  it('stays known while the sample may have missed it, and is fixed once the collection is read whole', async () => {
    const namespace = `${database.databaseName}.payments`;
    await database
      .collection('payments')
      .insertMany(Array.from({ length: documents }, (_, index) => ({ amount: index })));
    const project = await Project.create(database);
    const entry = {
      namespace,
      check: 'mixed-types',
      path: 'amount',
      severity: 'info',
      fingerprint: fingerprint('mixed-types', namespace, 'amount'),
      sample: { documents: 50, of: documents, method: 'random-cursor', showing: 1 },
    };
    const text = `{"mongolint":"baseline","version":1}\n${JSON.stringify(entry)}\n`;
    await writeFile(join(project.folder, 'known.jsonl'), text);

    const sampled = await project.lint('--sample-size', '50', '--update-baseline');
    expect(sampled.report.collections.map(({ sampled: sample }) => sample?.method)).toEqual(['random-cursor']);
    expect(namesOf(sampled.report.notSeen ?? [])).toEqual(['payments amount']);
    expect(await project.baseline()).toContain(`${JSON.stringify(entry)}\n`);

    const whole = await project.lint('--sample-size', '30000', '--update-baseline');
    expect(namesOf(whole.report.fixed ?? [])).toEqual(['payments amount']);
    expect(await project.baseline()).not.toContain('mixed-types');
  });
});
