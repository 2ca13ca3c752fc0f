import { describe, expect, it } from 'vitest';
import { buildReport, type RunResult } from '../../src/report/build-report.js';
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
