import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReportOutput } from '../../src/cli/report-outputs.js';
import type { RunNote } from '../../src/cli/run-news.js';
import { reportInstead } from '../../src/cli/unfinished-run.js';
import { RENDER_DEFAULTS } from '../../src/report/report-options.js';
import { targetReportsSchema } from '../../src/report/target-reports.js';
import { plainRun } from '../support/evidence-runs.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';
import { sampledCollection } from '../support/report/sample-report.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const whole = policyRun(['crm.people']).report;
const target = (alias: string) => ({ alias, include: [], exclude: [], isNarrowed: false, maxTime: 1_000 });
const begun = { startedAt: new Date(), cluster: plainRun([]).cluster, checks: [], clusterChecks: [] };
const judged = (namespace: string) => ({
  findings: [policyFinding({ namespace })],
  skipped: [],
  judgedBy: ['unbounded-array'],
  measured: sampledCollection(namespace),
});
const policy = { checks: [], settings: {}, suppressions: [], baseline: null, today: '2026-06-15' };
const settings = (outputs: readonly ReportOutput[], aliases = ['eu']): RunNote => ({
  kind: 'settings',
  settings: { outputs, aliases, drawing: { ...RENDER_DEFAULTS, strict: false }, policy },
});
const FOUND: readonly RunNote[] = [
  { kind: 'target', of: 0, target: target('eu') },
  { kind: 'begun', of: 0, run: { ...begun, namespaces: ['shop.a', 'shop.b'] } },
  { kind: 'judged', of: 0, part: judged('shop.a') },
];

async function reported(notes: readonly RunNote[]) {
  const folder = await temporaryFolder();
  const written = { stdout: '', stderr: '' };
  await reportInstead(notes, 'it was blocked', {
    stdout: { write: (text) => void (written.stdout += text) },
    stderr: { write: (text) => void (written.stderr += text) },
    env: {},
    cwd: () => folder,
  });
  return { folder, files: (await readdir(folder)).sort(), ...written };
}

describe('a run of several targets at once that could not end', () => {
  it('reports of each what is known of it', async () => {
    const { folder, stderr } = await reported([
      settings([{ format: 'json', file: 'all.json' }], ['eu', 'us', 'asia']),
      { kind: 'target', of: 0, target: target('eu') },
      { kind: 'target', of: 1, target: target('us') },
      { kind: 'begun', of: 1, run: { ...begun, namespaces: ['shop.a', 'shop.b'] } },
      { kind: 'begun', of: 0, run: { ...begun, namespaces: ['shop.c'] } },
      { kind: 'judged', of: 1, part: judged('shop.a') },
      { kind: 'judged', of: 0, part: judged('shop.c') },
      { kind: 'finished', of: 0, report: whole },
    ]);
    expect(stderr).toBe(' The report holds what was found until then.\n');
    const { targets } = targetReportsSchema.parse(JSON.parse(await readFile(join(folder, 'all.json'), 'utf8')));
    expect(targets.map(({ alias, report }) => [alias, report?.collections.map(({ namespace }) => namespace)])).toEqual([
      ['eu', ['crm.people']],
      ['us', ['shop.a']],
      ['asia', undefined],
    ]);
    expect(targets[0]?.report?.failures ?? []).toEqual([]);
    expect(targets[1]?.report).toMatchObject({
      findings: [{ namespace: 'shop.a' }],
      failures: [{ reason: 'fault', detail: expect.stringContaining('it was blocked') }],
      skipped: expect.arrayContaining([expect.objectContaining({ namespace: 'shop.b' })]),
    });
  });
});

describe('a run that could not end while it wrote its reports', () => {
  const outputs = [
    { format: 'json', file: 'a.json' },
    { format: 'junit', file: null },
    { format: 'sarif', file: 'c.sarif' },
    { format: 'mine/text', file: 'd.txt' },
  ];

  it('has those written that were not, and says which one may be cut off', async () => {
    const notes: RunNote[] = [0, 1].map((of) => ({ kind: 'writing', of }));
    const { files, stdout, stderr } = await reported([settings(outputs), ...FOUND, ...notes]);
    expect(files).toEqual(['c.sarif']);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      ' Its report on stdout may be cut off.\nThe mine/text report was not written: it needs its plugin.\n',
    );
  });

  it('has the file written again that it was at', async () => {
    const { files, stdout } = await reported([settings(outputs), ...FOUND, { kind: 'writing', of: 0 }]);
    expect(files).toEqual(['a.json', 'c.sarif']);
    expect(stdout).toContain('<testsuites');
  });

  it('writes none twice', async () => {
    const { files, stdout, stderr } = await reported([settings(outputs), ...FOUND, { kind: 'reported' }]);
    expect({ files, stdout }).toEqual({ files: [], stdout: '' });
    expect(stderr).toMatch(/^ Its reports were written; /);
  });
});

it.each<[string, readonly RunNote[]]>([
  ['that had not begun to read', []],
  ['whose settings are not known', FOUND],
])('a run %s has found nothing', async (_, notes) => {
  expect(await reported(notes)).toMatchObject({ files: [], stderr: ' Nothing was found until then.\n' });
});
