import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Io } from '../../src/cli/io.js';
import { Spool, type SpoolEntry } from '../../src/cli/spool.js';
import { reportInstead, unfinishedRun } from '../../src/cli/unfinished-run.js';
import { RENDER_DEFAULTS } from '../../src/report/report-options.js';
import { reportSchema } from '../../src/report/report.js';
import { targetReportsSchema } from '../../src/report/target-reports.js';
import { runCaptured } from '../support/captured-io.js';
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

const SETTINGS: SpoolEntry[] = [
  {
    kind: 'settings',
    settings: {
      outputs: [{ format: 'json', file: null }],
      aliases: ['eu'],
      drawing: RENDER_DEFAULTS,
      policy: { checks: [], settings: {}, suppressions: [], baseline: null, today: '2026-06-15' },
    },
  },
  { kind: 'target', of: 0, target: target('eu') },
  { kind: 'begun', of: 0, run: { ...begun, namespaces: ['shop.a', 'shop.b'] } },
  { kind: 'judged', of: 0, part: judged('shop.a') },
];

describe('a run of several targets at once that could not end', () => {
  it('reports of each what is known of it', async () => {
    const folder = await temporaryFolder();
    let stderr = '';
    const io: Io = {
      stdout: { write: () => true },
      stderr: { write: (text) => void (stderr += text) },
      env: {},
      cwd: () => folder,
    };
    const policy = { checks: [], settings: {}, suppressions: [], baseline: null, today: '2026-06-15' };
    const entries: SpoolEntry[] = [
      {
        kind: 'settings',
        settings: {
          outputs: [{ format: 'json', file: 'all.json' }],
          aliases: ['eu', 'us', 'asia'],
          drawing: RENDER_DEFAULTS,
          policy,
        },
      },
      { kind: 'target', of: 0, target: target('eu') },
      { kind: 'target', of: 1, target: target('us') },
      { kind: 'begun', of: 1, run: { ...begun, namespaces: ['shop.a', 'shop.b'] } },
      { kind: 'begun', of: 0, run: { ...begun, namespaces: ['shop.c'] } },
      { kind: 'judged', of: 1, part: judged('shop.a') },
      { kind: 'judged', of: 0, part: judged('shop.c') },
      { kind: 'finished', of: 0, report: whole },
    ];
    const spool = new Spool();
    entries.forEach((entry) => spool.add(entry));
    await reportInstead(spool.file, 'it was blocked', io);
    expect(stderr).toBe(' The report holds what was found until then.\n');
    expect(existsSync(spool.file)).toBe(false);
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

describe('a spool', () => {
  it('is read as far as it was written', async () => {
    const spool = new Spool();
    onTestFinished(() => spool.remove());
    expect(unfinishedRun(await readFile(spool.file, 'utf8'), 'it was killed')).toBeNull();
    SETTINGS.forEach((entry) => spool.add(entry));
    await appendFile(spool.file, '{"kind":"judged","of":0,"pa');
    expect(unfinishedRun(await readFile(spool.file, 'utf8'), 'it was killed')?.targets).toMatchObject([
      { alias: 'eu', report: { summary: { collections: 1 }, startedAt: begun.startedAt.toISOString() } },
    ]);
  });

  it('keeps no operations, whose shapes a report does not hold', async () => {
    const spool = new Spool();
    onTestFinished(() => spool.remove());
    const [finding] = judged('shop.a').findings;
    const operations = [{ shape: 'secret' }] as never;
    spool.add({ kind: 'judged', of: 0, part: { ...judged('shop.a'), findings: [{ ...finding!, operations }] } });
    const text = await readFile(spool.file, 'utf8');
    expect(text).toContain('shop.a');
    expect(text).not.toContain('secret');
  });

  it('is rendered by report, with the exit code of a run that could not lint', async () => {
    const spool = new Spool();
    onTestFinished(() => spool.remove());
    SETTINGS.forEach((entry) => spool.add(entry));
    const { exitCode, stdout } = await runCaptured(['report', spool.file, '--format', 'json']);
    expect(exitCode).toBe(2);
    expect(reportSchema.parse(JSON.parse(stdout))).toMatchObject({
      findings: [{ namespace: 'shop.a' }],
      failures: [{ reason: 'fault', detail: expect.stringContaining('its process was killed') }],
    });
    await writeFile(spool.file, '{"kind":"spool","version":"0.0.1","at":0}\n');
    expect(await runCaptured(['report', spool.file])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("can't be read: it is of mongolint 0.0.1"),
    });
  });
});
