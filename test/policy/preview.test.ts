import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { applyPolicy } from '../../src/policy/apply-policy.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const EVIDENCE = join(packageRoot(), 'test/oracle/evidence/applications/agenda.evidence.jsonl.gz');
const PLUGIN = `
const check = {
  id: 'any-collection', title: 'Any collection', summary: 'all of them', docs: 'https://example.com', since: '1.1.0', preview: true,
  appliesTo: ['collection'], needs: ['storage'], thresholds: {},
  judge: () => [{
    severity: 'error', confidence: 'high', path: null, message: 'There is one.',
    evidence: { source: 'test', window: 'now' }, remedy: { steps: [{ text: 'None.' }] },
  }],
};
export default { meta: { name: 'new', version: '1.0.0' }, checks: [check] };
`;

describe('a check in preview', () => {
  const findings = [policyFinding(), policyFinding({ check: 'new-check' })];
  const policy = { checks: [], settings: {}, suppressions: [], baseline: null, today: '2026-06-15' };

  it('does not count', () => {
    const [report] = applyPolicy([policyRun(['shop.orders'], { findings })], { ...policy, previews: ['new-check'] });
    expect(report?.summary.findings).toEqual({ error: 1, warning: 0, info: 0 });
    expect(report?.findings.map(({ check, suppressed }) => [check, suppressed?.by])).toEqual([
      ['new-check', 'preview'],
      ['unbounded-array', undefined],
    ]);
    expect(report?.notices).toBeUndefined();
  });

  it('fails a run only if previews are asked for, and is marked in the list of checks', async () => {
    const cwd = await folderWith({ 'new.mjs': PLUGIN });
    const run = (...argv: string[]) => runCaptured([...argv, '--plugin', './new.mjs'], {}, cwd);
    const judge = (...argv: string[]) => run('judge', EVIDENCE, '--check', 'new/any-collection', ...argv);
    expect(await judge()).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await judge('--preview')).exitCode).toBe(1);
    expect((await run('checks')).stdout).toMatch(/^new\/any-collection +all of them \(preview\)$/m);
  });
});
