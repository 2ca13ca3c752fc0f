import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Handover } from '../../src/cli/handover.js';
import type { Io } from '../../src/cli/io.js';
import { reportUnfinishedRun } from '../../src/cli/unfinished-run.js';
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
    const handed: Handover[] = [
      {
        kind: 'settings',
        settings: {
          outputs: [{ format: 'json', file: 'all.json' }],
          aliases: ['eu', 'us', 'asia'],
          drawing: { quiet: false, verbose: false },
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
    await reportUnfinishedRun(handed, 'it was blocked', io);
    expect(stderr).toMatch(/could not finish the run, because it was blocked/);
    const { targets } = targetReportsSchema.parse(JSON.parse(await readFile(join(folder, 'all.json'), 'utf8')));
    expect(targets.map(({ alias, report }) => [alias, report?.collections.map(({ namespace }) => namespace)])).toEqual([
      ['eu', ['crm.people']],
      ['us', ['shop.a']],
      ['asia', undefined],
    ]);
    expect(targets[0]?.report?.failures ?? []).toEqual([]);
    expect(targets[1]?.report).toMatchObject({
      findings: [{ namespace: 'shop.a' }],
      failures: [{ reason: 'fault' }],
      skipped: expect.arrayContaining([expect.objectContaining({ namespace: 'shop.b' })]),
    });
  });
});
