import { describe, expect, it } from 'vitest';
import { renderReport } from '../../src/index.js';
import { buildReport, type RunResult } from '../../src/report/build-report.js';
import { clusterTexts } from '../../src/report/coverage.js';
import { reportSchema } from '../../src/report/report.js';
import { policyFinding } from '../support/policy-finding.js';

function run(parts: Partial<RunResult> = {}): RunResult {
  const nothing = { findings: [], skipped: [], judgedBy: [] };
  return {
    finishedAt: new Date(1),
    startedAt: new Date(0),
    cluster: {
      topology: 'replicaSet',
      version: '6.0.5',
      engine: { name: 'MongoDB', version: null },
      name: 'rs0',
      atlas: false,
      readFrom: 'primary',
    },
    checks: [],
    skipped: [],
    judged: [],
    ofCluster: nothing,
    failures: [],
    errorCodes: [],
    ...parts,
  };
}

describe('the tier that a report names', () => {
  it.each([
    [false, [8000], null],
    [true, [], 'atlas'],
    [true, [13, 59], 'atlas'],
    [true, [13, 8000], 'atlas-free-or-flex'],
  ])('on Atlas %s, after errors %j, is %s', (atlas, errorCodes, tier) => {
    const { cluster } = run();
    expect(buildReport(run({ cluster: { ...cluster, atlas }, errorCodes })).cluster.tier).toBe(tier);
  });
});

it('puts the worst findings first, and counts them', () => {
  const findings = (['info', 'error', 'warning'] as const).map((severity) => policyFinding({ severity }));
  const report = buildReport(run({ ofCluster: { findings, skipped: [], judgedBy: [] } }));
  expect(report.findings.map(({ severity }) => severity)).toEqual(['error', 'warning', 'info']);
  expect(report.summary.findings).toEqual({ error: 1, warning: 1, info: 1 });
});

describe('the versions that mongolint was tested on', () => {
  it.each([
    ['4.4.29', 'replica set rs0, MongoDB 4.4.29, which is older than the oldest tested version (6.0.5)'],
    ['6.0.5', 'replica set rs0, MongoDB 6.0.5'],
    ['7.0.28', 'replica set rs0, MongoDB 7.0.28'],
    ['8.0.4', 'replica set rs0, MongoDB 8.0.4, which is newer than the newest tested version (7.0.28)'],
  ])('stand beside %s if it is none of them', (version, text) => {
    const { cluster } = run();
    const report = reportSchema.parse(buildReport(run({ cluster: { ...cluster, version } })));
    expect(clusterTexts(report.cluster)).toEqual([text]);
  });

  it('stand in every format that has a head', async () => {
    const { cluster } = run();
    const report = buildReport(run({ cluster: { ...cluster, version: '8.0.4' } }));
    for (const format of ['table', 'html', 'markdown', 'json'])
      expect((await renderReport(report, format)).replaceAll(/\s+/g, ' ')).toMatch(
        /newest tested version \(7\.0\.28\)|"newest": ?"7\.0\.28"/,
      );
  });
});
