import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeBaseline, baselineIn, readBaseline } from '../../src/policy/baseline-file.js';
import { updatedBaseline } from '../../src/policy/baseline.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const findings = Array.from({ length: 6 }, (_, index) =>
  policyFinding({ path: `path_${index}`, fingerprint: String(index).repeat(16) }),
);
const { report } = policyRun(['shop.orders'], { findings });
const TERMS = ['--until', '2999-12-31', '--reason', 'known', '--owner', 'ann', '--baseline', 'known.jsonl'];

async function acceptAll(also: (folder: string) => Promise<unknown>) {
  const folder = await folderWith({ 'report.json': JSON.stringify(report) });
  const accept = ({ fingerprint }: { readonly fingerprint: string }) =>
    runCaptured(['accept', fingerprint, '--report', 'report.json', ...TERMS], {}, folder);
  const [, ...done] = await Promise.all([also(folder), ...findings.map(accept)]);
  return { folder, done, entries: (await readBaseline(join(folder, 'known.jsonl'))) ?? [] };
}

describe('accept', () => {
  it('six at once: each says that it accepted, and all are in the file', async () => {
    const { folder, done, entries } = await acceptAll(async () => undefined);
    expect(done.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      findings.map(() => ({ exitCode: 0, stderr: '' })),
    );
    expect(entries.map(({ fingerprint }) => fingerprint).sort()).toEqual(
      findings.map(({ fingerprint }) => fingerprint),
    );
    expect((await readdir(folder)).sort()).toEqual(['known.jsonl', 'report.json']);
    expect(await readFile(join(folder, 'known.jsonl'), 'utf8')).toMatch(/\n$/);
  });

  it('is not undone by a run that updates the baseline meanwhile', async () => {
    const { entries } = await acceptAll((folder) =>
      changeBaseline(baselineIn(join(folder, 'known.jsonl')), (now) => updatedBaseline(now, [report])),
    );
    expect(entries.map(({ accepted }) => accepted?.owner)).toEqual(findings.map(() => 'ann'));
  });
});
