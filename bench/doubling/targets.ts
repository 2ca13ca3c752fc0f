import { copyFile, link, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/program.js';
import { packageRoot } from '../../src/package-root.js';
import type { Dimension } from './measured-phases.js';

/** Files of this version do not tell of which cluster they are, so that copies under other names are other clusters. */
const RECORDED = join(packageRoot(), 'test/evidence/recorded/v1/replica-set.evidence.jsonl.gz');

/** Clusters of 85 collections, judged one after the other in one process, and their reports merged. */
export async function targetsDimension(sizes: readonly number[]): Promise<Dimension> {
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-doubling-'));
  const first = join(folder, 'recorded.evidence.jsonl.gz');
  await copyFile(RECORDED, first);
  const files: string[] = [];
  for (let index = 0; index < Math.max(...sizes); index += 1) {
    files.push(join(folder, `cluster-${String(index).padStart(5, '0')}.evidence.jsonl.gz`));
    await link(first, files[index] ?? '');
  }
  const reports = join(folder, 'reports.json');
  const formats = ['json', 'markdown', 'table'].flatMap((name) => [
    '--format',
    `${name}=${join(folder, `merged.${name}`)}`,
  ]);
  return {
    name: 'targets',
    sizes,
    begin: (size) => ({
      'judge their evidence': () => run(['judge', ...files.slice(0, size), '--format', `json=${reports}`]),
      'merge their reports': () => run(['report', '--merge', reports, ...formats]),
    }),
    end: () => rm(folder, { recursive: true }),
  };
}

/** @throws Error if the command failed */
export async function run(argv: readonly string[]): Promise<void> {
  let told = '';
  const code = await runCommandLine([...argv, '--no-config', '--quiet'], {
    stdout: { write: () => {} },
    stderr: { write: (text) => (told += text) },
    env: {},
    cwd: () => process.cwd(),
  });
  if (code > 1) throw new Error(`mongolint ${argv[0]} ended with exit code ${code}: ${told}`);
}
