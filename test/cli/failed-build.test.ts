/** What the log of a build says if all reports go to files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';

const EVIDENCE = join(packageRoot(), 'test/oracle/evidence/incidents/comments-of-a-viral-post.evidence.jsonl.gz');

async function judged(...args: readonly string[]) {
  const folder = await folderWith({ 'mongolint.config.yaml': '' });
  const run = await runCaptured(['judge', EVIDENCE, '--format', 'json=report.json', ...args], {}, folder);
  return { ...run, report: JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) };
}

it('says what was found and where the report is, if that fails it', async () => {
  const { exitCode, stdout, stderr, report } = await judged('--fail-on', 'warning');
  expect(report.findings.length).toBeGreaterThan(0);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^1 warning in 1 of 1 collection\..*\nSee report\.json\.\n$/);
});

it('says nothing if it passes, or is to be quiet', async () => {
  expect(await judged('--fail-on', 'never')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await judged('--fail-on', 'warning', '--quiet')).toMatchObject({ exitCode: 1, stderr: '' });
});
