import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepLastReport, lastReportFile } from '../../src/cli/last-report.js';
import { packageRoot } from '../../src/files/package-root.js';
import { runCaptured } from '../support/captured-io.js';
import { recordedReport } from '../support/report/recorded-reports.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const report = recordedReport('demo');
const [finding] = report.findings;
const fingerprint = finding?.fingerprint ?? '';
const recorded = join(packageRoot(), 'test/report/recorded/demo.json');

async function kept(state: string, { isTTY = true, showValues = false, quiet = false } = {}): Promise<string> {
  let said = '';
  const io = {
    stdout: { write: () => true, isTTY },
    stderr: { write: (text: string) => (said += text) },
    env: { XDG_STATE_HOME: state },
    cwd: () => state,
  };
  await keepLastReport([{ alias: 'target', report }], io, { showValues, quiet });
  return said;
}

const explain = (state: string, ...argv: string[]) => runCaptured(['explain', ...argv], { XDG_STATE_HOME: state });

describe('mongolint explain FINGERPRINT', () => {
  it('shows a finding of the last report on a terminal in full, by the beginning of its fingerprint', async () => {
    const state = await temporaryFolder();
    expect(await kept(state)).toBe('');
    for (const given of [fingerprint, fingerprint.slice(0, 7)]) {
      const { exitCode, stdout } = await explain(state, given);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`ERROR  ${finding?.check} `);
      expect(stdout).toContain('evidence  sample: 1,000 of 30,001 documents');
      expect(stdout.match(/^ {2}remedy /gm)).toHaveLength(1);
    }
  });

  it('shows a finding of a report file', async () => {
    const state = await temporaryFolder();
    const { exitCode, stdout } = await explain(state, fingerprint, '--report', recorded);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('evidence ');
  });

  it('says how many digits it takes, if fewer are given', async () => {
    expect(await explain(await temporaryFolder(), fingerprint.replace(/^/, '1').slice(0, 3))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('give at least four digits of a fingerprint'),
    });
  });

  it('still explains a check', async () => {
    const { exitCode, stdout } = await explain(await temporaryFolder(), 'unbounded-array');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('# unbounded-array');
  });

  it.each<[string, string[], RegExp]>([
    ['no report is kept', ['abcdef0'], /^No saved report: .* --report FILE\.\n$/],
    [
      'no finding has it',
      ['abcdef0', '--report', recorded],
      /^No finding of .*demo\.json has a fingerprint that begins with abcdef0/,
    ],
    [
      'the file is missing',
      ['abcdef0', '--report', 'none.json'],
      /^none\.json can't be read: there is no such file\.\n$/,
    ],
  ])('fails where %s', async (_, argv, expected) => {
    const { exitCode, stdout, stderr } = await explain(await temporaryFolder(), ...argv);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
  });

  it('names the findings among which a beginning does not decide', async () => {
    const folder = await temporaryFolder();
    const findings = ['abcd1111', 'abcd2222'].map((each) => ({ ...finding, fingerprint: each }));
    await writeFile(join(folder, 'r.json'), JSON.stringify({ ...report, findings }));
    const { exitCode, stderr } = await explain(folder, 'abcd', '--report', join(folder, 'r.json'));
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'Several fingerprints begin with abcd: abcd1111 (oversized-document), abcd2222 (oversized-document).\n',
    );
  });
});

describe('the last report', () => {
  it('is a file of this user alone', async () => {
    const state = await temporaryFolder();
    await kept(state);
    const file = lastReportFile({ XDG_STATE_HOME: state });
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
    expect((await lstat(join(state, 'mongolint'))).mode & 0o777).toBe(0o700);
  });

  it('is not kept without a terminal', async () => {
    const state = await temporaryFolder();
    await kept(state, { isTTY: false });
    expect((await explain(state, fingerprint)).exitCode).toBe(2);
  });

  it('is removed by a run that shows values', async () => {
    const state = await temporaryFolder();
    await kept(state);
    await kept(state, { showValues: true });
    expect((await explain(state, fingerprint)).stderr).toContain('No saved report');
  });

  it.each<[string, (state: string, victim: string) => Promise<unknown>, string]>([
    [
      'a link in its place',
      async (state, victim) => {
        await mkdir(join(state, 'mongolint'), { mode: 0o700 });
        await symlink(victim, join(state, 'mongolint', 'last-report.json'));
      },
      'the file is a link',
    ],
    [
      'a link in place of its folder',
      async (state) => {
        await mkdir(join(state, 'elsewhere'), { mode: 0o700 });
        await symlink(join(state, 'elsewhere'), join(state, 'mongolint'));
      },
      'the folder is a link',
    ],
    [
      'a pipe in its place',
      async (state) => {
        await mkdir(join(state, 'mongolint'), { mode: 0o700 });
        execFileSync('mkfifo', [join(state, 'mongolint', 'last-report.json')]);
      },
      'it is no file',
    ],
    [
      'a folder that others may write to',
      async (state) => {
        await mkdir(join(state, 'mongolint'));
        await chmod(join(state, 'mongolint'), 0o777);
      },
      'the folder can be written by others',
    ],
  ])('is not written where there is %s', async (_, plant, why) => {
    const state = await temporaryFolder();
    const victim = join(state, 'victim');
    await writeFile(victim, 'untouched');
    await plant(state, victim);
    expect(await kept(state)).toMatch(
      new RegExp(`^mongolint explain won't know this report: .* can't be written: ${why}\\.\n$`),
    );
    expect(await readFile(victim, 'utf8')).toBe('untouched');
    expect(await readdir(join(state, 'elsewhere')).catch(() => [])).toEqual([]);
    expect(await kept(state, { quiet: true })).toBe('');
  });
});
