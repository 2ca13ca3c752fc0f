import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import { packageRoot } from '../../src/files/package-root.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { plainRun, smallCollection, smallShop } from '../support/evidence-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SETTINGS = {
  include: [],
  exclude: [],
  sampleSize: 1_000,
  sampleBytes: 1_000_000,
  deep: false,
  concurrency: 4,
  timeout: 1_000,
  maxTime: 60_000,
};

/** A folder with a file of evidence, of a target if an alias is given. */
interface WrittenFile {
  readonly file: string;
  readonly target?: string;
  readonly marks?: readonly string[];
  readonly startedAt?: Date;
}

async function folderWith(...files: readonly WrittenFile[]): Promise<string> {
  const folder = await temporaryFolder();
  const collections = smallShop();
  for (const { file, startedAt, ...ofTarget } of files) {
    await writeEvidence(join(folder, file), {
      run: { ...plainRun(collections), ...(startedAt !== undefined && { startedAt }) },
      plan: { kept: new Set() },
      settings: SETTINGS,
      collections: collections.length,
      onCollection: () => {},
      onCluster: () => {},
      ...ofTarget,
    });
  }
  return folder;
}

async function reportOf(
  folder: string,
  ...argv: string[]
): Promise<{ exitCode: number; report: Report; stderr: string }> {
  const { exitCode, stdout, stderr } = await runCaptured(['judge', ...argv, '--format', 'json'], {}, folder);
  return { exitCode, report: JSON.parse(stdout) as Report, stderr };
}

const marks = (first: number) => Array.from({ length: 16 }, (_, index) => `mark ${first + index}`);
const on = (day: number) => ({ startedAt: new Date(Date.UTC(2026, 10, day)) });

describe('mongolint judge', () => {
  it('suppresses findings below --min-confidence, keeps them in the report, and counts the others', async () => {
    const file = join(packageRoot(), 'test/evidence/recorded/v2/replica-set.evidence.jsonl.gz');
    const folder = await temporaryFolder();
    const all = await reportOf(folder, file, '--fail-on', 'info');
    const sure = await reportOf(folder, file, '--fail-on', 'info', '--min-confidence', 'high');
    expect(all.report.findings.some(({ confidence }) => confidence !== 'high')).toBe(true);
    // What is less sure of one fault than another reason for it stands by itself then.
    expect(sure.report.findings.length).toBeGreaterThanOrEqual(all.report.findings.length);
    for (const { confidence, suppressed } of sure.report.findings)
      expect(suppressed !== undefined).toBe(confidence !== 'high');
    expect([all.exitCode, sure.exitCode]).toEqual([1, 1]);
    const total = ({ report: { summary } }: typeof all) =>
      Object.values(summary.findings).reduce((sum, each) => sum + each);
    expect(total(sure)).toBeLessThan(total(all));
  });

  it.each([
    ['--color', {}, true],
    ['--color', { NO_COLOR: '1' }, true],
    ['--no-color', { FORCE_COLOR: '1' }, false],
    ['--quiet', { FORCE_COLOR: '1' }, true],
    ['--quiet', {}, false],
  ])('draws with %s, where the environment says %j, in colors: %s', async (flag, env, isColored) => {
    const folder = await folderWith({ file: 'shop.evidence.jsonl.gz' });
    const { stdout } = await runCaptured(['judge', 'shop.evidence.jsonl.gz', flag], env, folder);
    expect(stdout.includes('\u001B[')).toBe(isColored);
  });

  it('reports what the evidence shows, at the time when it was collected', async () => {
    const folder = await folderWith({ file: 'shop.evidence.jsonl.gz' });
    const { exitCode, report, stderr } = await reportOf(folder, 'shop.evidence.jsonl.gz');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(report).toMatchObject({ startedAt: '2026-11-22T10:00:00.000Z', finishedAt: '2026-11-22T10:01:00.000Z' });
    expect(report.target).toBeUndefined();
    expect(report.findings.map(({ check, namespace }) => `${check} ${namespace}`)).toContain(
      'collection-scan shop.orders',
    );
    expect(report.collections.map(({ namespace }) => namespace)).toEqual(['shop.items', 'shop.orders']);
    // What was not collected, or could not be, is no pass.
    expect(report.skipped.map(({ reason }) => reason)).toContain('privilege');
    expect(JSON.stringify(report.skipped)).toContain('is not in the evidence file');
  });

  it('takes thresholds, checks, namespaces and what fails from the configuration and from flags', async () => {
    const folder = await folderWith({ file: 'shop.jsonl' });
    const only = ['--check', 'collection-scan', '--skip-check', 'missing-*'];
    const judged = await reportOf(folder, 'shop.jsonl', ...only);
    expect(judged.report.findings.map(({ check }) => check)).toEqual(['collection-scan']);
    expect(await reportOf(folder, 'shop.jsonl', ...only, '--fail-on', 'never')).toMatchObject({ exitCode: 0 });
    const narrowed = await reportOf(folder, 'shop.jsonl', '--include', 'shop.items');
    expect(narrowed.report.collections.map(({ namespace }) => namespace)).toEqual(['shop.items']);
    await writeFile(join(folder, 'mongolint.config.json'), JSON.stringify({ checks: { 'collection-scan': 'off' } }));
    const { report } = await reportOf(folder, 'shop.jsonl');
    expect(report.findings.map(({ check }) => check)).not.toContain('collection-scan');
  });

  it('judges several files as several targets', async () => {
    const folder = await folderWith({ file: 'eu.evidence.jsonl.gz' }, { file: 'b.jsonl', target: 'us' });
    const { stdout, exitCode } = await runCaptured(
      ['judge', 'eu.evidence.jsonl.gz', 'b.jsonl', '--format', 'json'],
      {},
      folder,
    );
    const { targets } = JSON.parse(stdout) as { targets: { alias: string; report: Report }[] };
    expect(exitCode).toBe(1);
    expect(targets.map(({ alias, report }) => [alias, report.target])).toEqual([
      ['eu', 'eu'],
      ['us', 'us'],
    ]);
  });

  describe('of files by their marks', () => {
    it('takes the newest of one cluster, and the others as its history, in whatever order', async () => {
      const folder = await folderWith(
        { file: 'new.jsonl', marks: marks(4), ...on(3) },
        // Half of its collections are others by now.
        { file: 'old.jsonl', marks: marks(0), ...on(1) },
        { file: 'middle.jsonl', marks: marks(2), ...on(2) },
      );
      const { report, stderr } = await reportOf(folder, 'new.jsonl', 'old.jsonl', 'middle.jsonl');
      expect(report.startedAt).toBe('2026-11-03T00:00:00.000Z');
      expect(stderr).toBe('new.jsonl is judged with old.jsonl and middle.jsonl as its history.\n');
      const quiet = await reportOf(folder, 'new.jsonl', 'old.jsonl', '--quiet');
      expect(quiet.stderr).toBe('');
    });

    it.each<[string, Partial<WrittenFile>, Partial<WrittenFile>]>([
      ['other collections', { marks: marks(0) }, { marks: marks(9) }],
      ['no collections that are known', { marks: [] }, { marks: [] }],
      ['files of before there were marks', {}, {}],
      ['targets of their own', { marks: marks(0), target: 'a' }, { marks: marks(0), target: 'b' }],
    ])('judges two targets for %s', async (_, one, other) => {
      const folder = await folderWith({ file: 'a.jsonl', ...one, ...on(1) }, { file: 'b.jsonl', ...other, ...on(2) });
      const { stdout } = await runCaptured(['judge', 'a.jsonl', 'b.jsonl', '--format', 'json'], {}, folder);
      const { targets } = JSON.parse(stdout) as { targets: { alias: string }[] };
      expect(targets.map(({ alias }) => alias)).toEqual(['a', 'b']);
    });

    it('refuses a copy', async () => {
      const folder = await folderWith(
        { file: 'a.jsonl', marks: marks(0), ...on(1) },
        { file: 'b.jsonl', marks: marks(0), ...on(1) },
      );
      const { exitCode, stderr } = await runCaptured(['judge', 'a.jsonl', 'b.jsonl'], {}, folder);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/a\.jsonl and \S+b\.jsonl are the same evidence: judge one of them\.\n$/);
    });
  });

  it('judges a target of the configuration by its own settings', async () => {
    const folder = await folderWith({ file: 'us.jsonl', target: 'us' });
    const targets = [{ alias: 'us', uri: 'mongodb://unused', exclude: ['shop.orders'] }];
    await writeFile(join(folder, 'mongolint.config.json'), JSON.stringify({ targets }));
    const { report } = await reportOf(folder, 'us.jsonl');
    expect(report.collections.map(({ namespace }) => namespace)).toEqual(['shop.items']);
  });

  it('keeps a baseline, whose name is relative to where it is called', async () => {
    const folder = await folderWith({ file: 'shop.jsonl' });
    const baseline = ['--baseline', 'baseline.jsonl'];
    expect(await reportOf(folder, 'shop.jsonl', ...baseline, '--update-baseline')).toMatchObject({ exitCode: 0 });
    const { exitCode, report } = await reportOf(folder, 'shop.jsonl', ...baseline);
    expect(exitCode).toBe(0);
    expect(report.summary.baseline).toMatchObject({ new: 0, fixed: 0 });
    expect(await readFile(join(folder, 'baseline.jsonl'), 'utf8')).toContain('collection-scan');
  });

  it.each([['judge', 'shop.jsonl'], ['mongodb://127.0.0.1:1']])(
    'does not begin with a map for nothing: %s',
    async (...argv) => {
      const folder = await folderWith({ file: 'shop.jsonl' });
      const given = [...argv, '--map', 'shop_test=shop', '--format', 'json=report.json'];
      const { exitCode, stderr } = await runCaptured(given, {}, folder);
      expect(exitCode).toBe(2);
      expect(stderr).toBe('map needs production: give the evidence file whose databases it names.\n');
      // Known before anything is read: no report of a failure replaces the last one.
      await expect(readFile(join(folder, 'report.json'))).rejects.toThrow('ENOENT');
    },
  );

  it.each<[string, readonly string[], string]>([
    ['a file that is not there', ['none.jsonl'], "none.jsonl can't be read: there is no such file.\n"],
    [
      'two files of one target',
      ['shop.jsonl', 'shop.copy.jsonl'],
      'are both of the target shop: judge one at a time.\n',
    ],
    [
      'globs that match nothing',
      ['shop.jsonl', '--include', 'blog.*'],
      'No collection that the user can see matches --include blog.*',
    ],
    [
      'a connection string',
      ['mongodb://ada:secret@host'],
      'judge takes files of evidence: write one with `mongolint collect --output FILE`.\n',
    ],
    ['an option that it would ignore', ['shop.jsonl', '--deep'], "error: 'judge' takes no option '--deep'\n"],
  ])('refuses %s in one line', async (_, argv, expected) => {
    const folder = await folderWith({ file: 'shop.jsonl' }, { file: 'other.jsonl' });
    await rename(join(folder, 'other.jsonl'), join(folder, 'shop.copy.jsonl'));
    const { exitCode, stdout, stderr } = await runCaptured(['judge', ...argv], {}, folder);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('secret');
  });
});

describe('mongolint judge of a large file', () => {
  const COLLECTIONS = 3_000;

  it('ends at --max-time, reports what was found, says how much was read, and is no pass', async () => {
    const folder = await temporaryFolder();
    const file = await largeFile(folder);
    const { exitCode, report, stderr } = await reportOf(folder, file, '--max-time', '1ms');
    expect(exitCode).toBe(2);
    expect(report.collections.length).toBeLessThan(COLLECTIONS);
    expect(report.failures?.map(({ reason }) => reason)).toContain('max-time');
    const ofAll = report.skipped.filter(({ check }) => check === '*');
    expect(ofAll.map(({ detail }) => detail)).toEqual([
      `${report.collections.length} of 3,000 collections were read: the run's time (--max-time 1) was used up before this; allow more.`,
    ]);
    expect(stderr).toContain('--max-time');
  });

  it('ends if it is interrupted, keeps what it found, and calls nothing clean that it did not judge', async () => {
    const file = join(packageRoot(), 'test/evidence/recorded/v2/replica-set.evidence.jsonl.gz');
    const controller = new AbortController();
    let taken = 0;
    const take = () => void ((taken += 1) === 40 && controller.abort());
    const given = { file, interruption: controller.signal, observer: { begin: () => {}, take } };
    const { report } = await judgeEvidence(given);
    expect(report.collections.length).toBe(40);
    expect(report.findings.length).toBeGreaterThan(0);
    expect(report.failures?.map(({ reason }) => reason)).toEqual(['interrupted']);
    const judged = new Map(report.checks?.map((each) => [each.check, each.judged]));
    expect(judged.get('missing-lookup-index')).toBe(0);
    expect(report.skipped.find(({ check }) => check === 'missing-lookup-index')?.reason).toBe('interrupted');
  });

  async function largeFile(folder: string): Promise<string> {
    const file = join(folder, 'large.evidence.jsonl.gz');
    const collections = Array.from({ length: COLLECTIONS }, (_, number) => smallCollection(`shop.orders_${number}`));
    const nothing = { onCollection: () => {}, onCluster: () => {} };
    const of = { plan: { kept: new Set<never>() }, settings: SETTINGS, collections: COLLECTIONS };
    await writeEvidence(file, { run: plainRun(collections), ...of, ...nothing });
    return file;
  }
});
