import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DriftComparison } from '../../src/drift/drift-comparison.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import type { Dimension } from './measured-phases.js';
import { recordedLines, replicatedRun } from './replicated-cluster.js';
import { writeRun } from './judged-run.js';

/** Collections of the recorded cluster, with its operations and references, in as many databases as it takes. */
export async function collectionsDimension(sizes: readonly number[]): Promise<Dimension> {
  const lines = await recordedLines();
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-doubling-'));
  const file = join(folder, 'cluster.evidence.jsonl.gz');
  return {
    name: 'collections',
    sizes,
    begin: (size) => ({
      'write their evidence': () => writeRun(file, replicatedRun(lines, size), size),
      async 'judge that file'() {
        const { report } = await judgeEvidence({ file });
        if (report.collections.length !== size)
          throw new Error(`${size} collections were ${report.collections.length}.`);
      },
      'compare it with itself': () => compareWithItself(file),
    }),
    end: () => rm(folder, { recursive: true }),
  };
}

/** What `mongolint compare` adds to judging both files. */
async function compareWithItself(file: string): Promise<void> {
  const { readEvidence } = await import('../../src/evidence-file/read-evidence.js');
  const drift = new DriftComparison({ old: file, new: file });
  for (const side of ['old', 'new'] as const) {
    const run = await readEvidence(file);
    drift.begin(side, { cluster: run.cluster, inventory: run.inventory, globs: [] });
    await run.ofCollections((collected) => drift.take(side, collected));
    await run.close();
  }
  drift.result();
}
