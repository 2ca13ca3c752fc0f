import type { EvidenceRun } from '../evidence/evidence-run.js';
import type { KeptCollection } from '../evidence/source.js';
import { grownSince, type KeptRun } from '../growth/measure-growth.js';
import { present, type Absent } from '../presence.js';
import { readEvidence } from './read-evidence.js';

type EarlierGrowth = Map<string, KeptRun[]>;

/**
 * Adds to a run what earlier files of its cluster show of growth.
 *
 * @param timeOver why no more is read of them; null as long as there is time
 * @throws LintError if a file can't be used
 */
export async function withEarlierFiles(
  files: readonly string[],
  timeOver: () => Absent | null,
): Promise<(run: EvidenceRun) => EvidenceRun> {
  const earlier: EarlierGrowth = new Map();
  for (const file of files) if (timeOver() === null) await addFile(file, earlier, timeOver);
  return (run) => ({
    ...run,
    ofCollections: (take) => run.ofCollections((collected) => take(grown(collected, run.startedAt, earlier))),
  });
}

async function addFile(file: string, earlier: EarlierGrowth, timeOver: () => Absent | null): Promise<void> {
  const run = await readEvidence(file, timeOver);
  try {
    await run.ofCollections(({ collection: { uuid }, evidence: { growth } }) => {
      if (uuid === undefined || growth?.present !== true || growth.value.carried === undefined) return;
      const runs = earlier.get(uuid) ?? [];
      earlier.set(uuid, runs);
      runs.push({ at: run.startedAt.getTime(), kept: growth.value.carried });
    });
    // To its end, so that a file that is cut off is refused.
    await run.ofCluster([]);
  } finally {
    await run.close();
  }
}

function grown(collected: KeptCollection, startedAt: Date, earlier: EarlierGrowth): KeptCollection {
  const { collection, evidence } = collected;
  const { growth, documents } = evidence;
  if (collection.uuid === undefined || growth?.present !== true || documents?.present !== true) return collected;
  const runs = (earlier.get(collection.uuid) ?? []).toSorted((one, other) => one.at - other.at);
  const since = grownSince(growth.value, startedAt.getTime(), documents.value.profile, runs);
  return { ...collected, evidence: { ...evidence, growth: present(since) } };
}
