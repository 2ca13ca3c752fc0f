import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { REPORT_FORMATS } from '../../src/report/formats.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured, type CapturedRun } from '../support/captured-io.js';
import { recordedReport } from '../support/report/recorded-reports.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const EVIDENCE = join(packageRoot(), 'test/evidence/recorded/v1/replica-set.evidence.jsonl.gz');
/** Without the marks of another baseline. */
const demo = recordedReport('demo');
const [first, second] = demo.findings.filter(
  ({ severity, suppressed }) => severity === 'warning' && suppressed === undefined,
);

async function compared(files: readonly [unknown, unknown], ...options: string[]): Promise<CapturedRun> {
  const folder = await temporaryFolder();
  const names = await Promise.all(
    files.map(async (content, index) => {
      if (typeof content === 'string' && content.endsWith('.gz')) return content;
      const name = `${['old', 'new'][index]}.json`;
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
      return name;
    }),
  );
  return runCaptured(['compare', ...names, ...options], {}, folder);
}

async function reportOf(
  files: readonly [unknown, unknown],
  ...options: string[]
): Promise<CapturedRun & { readonly report: Report }> {
  const run = await compared(files, ...options, '--format', 'json');
  return { ...run, report: JSON.parse(run.stdout) as Report };
}

const without = (...left: readonly unknown[]): Report => ({
  ...demo,
  findings: demo.findings.filter((finding) => !left.includes(finding)),
});

describe('mongolint compare', () => {
  it('finds nothing new between a run and itself', async () => {
    for (const files of [
      [demo, demo],
      [EVIDENCE, EVIDENCE],
    ] as const) {
      const { exitCode, stderr, report } = await reportOf(files, '--fail-on', 'info');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(report.summary.baseline).toMatchObject({ new: 0, fixed: 0, gone: 0, notSeen: 0, notJudged: 0 });
      expect(report.summary.baseline?.known).toBeGreaterThan(5);
    }
  });

  it('draws both in its page, and the older one in no other format', async () => {
    expect((await compared([demo, without(first)], '--format', 'html')).stdout).toContain('<h2>Before and after: ');
    expect((await compared([demo, without(first)], '--format', 'table')).stdout).not.toContain('Before and after');
  });

  it('reports what is new, and fails by it alone', async () => {
    const { exitCode, report } = await reportOf([without(first), demo], '--fail-on', 'warning');
    expect(exitCode).toBe(1);
    const added = report.findings.filter(({ baseline }) => baseline?.status === 'new');
    expect(added.map(({ fingerprint }) => fingerprint)).toEqual([first?.fingerprint]);
    expect(await compared([without(first), demo], '--fail-on', 'error')).toMatchObject({ exitCode: 0 });
  });

  it('reports what is fixed, worse and better', async () => {
    const changed = (severity: 'error' | 'info') => ({
      ...demo,
      findings: demo.findings.map((finding) => (finding === second ? { ...finding, severity } : finding)),
    });
    const { report: fixed } = await reportOf([demo, without(first)]);
    expect(fixed.fixed?.map(({ fingerprint }) => fingerprint)).toEqual([first?.fingerprint]);
    const { report: worse, exitCode } = await reportOf([demo, changed('error')]);
    expect(exitCode).toBe(1);
    expect(worse.findings.find(({ fingerprint }) => fingerprint === second?.fingerprint)?.baseline).toMatchObject({
      status: 'new',
      severityBefore: 'warning',
    });
    const { report: better } = await reportOf([changed('error'), demo]);
    expect(better.findings.find(({ fingerprint }) => fingerprint === second?.fingerprint)?.baseline).toMatchObject({
      status: 'known',
      better: true,
    });
  });

  it('does not take for gone what a saved report does not list, nor for fixed what it could not judge', async () => {
    const unlisted = {
      ...without(first),
      collections: demo.collections.filter(({ namespace }) => namespace !== first?.namespace),
    };
    const { report } = await reportOf([demo, unlisted]);
    expect(report.gone).toEqual([]);
    expect(report.fixed).toEqual([]);
    const skipped = [{ check: '*', namespace: first?.namespace ?? '', reason: 'privilege' as const, detail: 'no.' }];
    const { report: unjudged } = await reportOf([demo, { ...without(first), skipped }]);
    expect(unjudged.summary.baseline).toMatchObject({ fixed: 0, notJudged: 1 });
    const { stderr } = await reportOf([{ ...without(first), skipped }, demo]);
    expect(stderr).toBe('1 new finding may be old: old.json did not judge what they are about.\n');
  });

  it('judges evidence by the thresholds that are given, on both sides', async () => {
    const { report } = await reportOf([EVIDENCE, EVIDENCE], '--check', 'redundant-index');
    expect(new Set(report.findings.map(({ check }) => check))).toEqual(new Set(['redundant-index']));
    const { report: ofBoth } = await reportOf([without(), EVIDENCE]);
    expect(ofBoth.summary.baseline?.known).toBeGreaterThan(5);
  });

  it('refuses to select from a saved report', async () => {
    const { exitCode, stderr } = await compared([EVIDENCE, demo], '--check', 'redundant-index');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: '--check has no effect on a saved report, as new.json is.\n',
    });
  });

  it('fails if one of the runs did not come to its end', async () => {
    const faulted = recordedReport('faulted');
    expect(await compared([demo, faulted])).toMatchObject({ exitCode: 2 });
    expect(await compared([faulted, demo])).toMatchObject({ exitCode: 2 });
  });

  it.each(REPORT_FORMATS.map(({ name }) => name))('is written as %s', async (format) => {
    const { exitCode, stdout, stderr } = await compared(
      [without(first), without(second)],
      '--format',
      format,
      '--fail-on',
      'never',
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).not.toBe('');
  });

  it.each<[string, readonly [unknown, unknown], string]>([
    ['a file that is no report', [demo, '{}'], "new.json can't be read: it was not written by --format json.\n"],
    ['a file that is cut off', [demo, '{"kind":"header"'], 'new.json, line 1 is not the first line of evidence'],
    [
      'several targets',
      [
        demo,
        {
          schemaVersion: 1,
          targets: [
            { alias: 'a', report: demo },
            { alias: 'b', report: demo },
          ],
        },
      ],
      'new.json holds the reports of several targets: give one file for each.\n',
    ],
    [
      'no report',
      [demo, { schemaVersion: 1, targets: [{ alias: 'a', report: null }] }],
      'new.json holds no report: its target could not be linted.\n',
    ],
  ])('refuses %s in one line', async (_, files, expected) => {
    const { exitCode, stdout, stderr } = await compared(files);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
