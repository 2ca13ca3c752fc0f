import type { Connection } from '../connect/connect.js';
import type { Inventory } from '../inventory/inventory.js';
import { collectChildren } from './children/collect-children.js';
import type { ClusterEvidenceName, CollectedClusterEvidence, CollectedTracedEvidence } from './cluster-evidence.js';
import { present } from '../presence.js';
import { collectReferenceIntegrity, type IntegrityOptions } from './references/collect-integrity.js';
import { collectReferences } from './references/collect-references.js';
import type { ReferringCollection } from './references/reference-questions.js';
import { collectWorkload } from '../workload/collect-workload.js';

/**
 * Collects, once and beside the sampling, the evidence of the whole cluster that the enabled checks need, and no other.
 *
 * @param logFiles paths of mongod logs to read
 * @throws LintError where a log file can't be opened
 */
export async function collectClusterEvidence(
  { reader, cluster }: Pick<Connection, 'reader' | 'cluster'>,
  { known, collections }: Inventory,
  needs: ReadonlySet<ClusterEvidenceName>,
  logFiles: readonly string[],
): Promise<CollectedClusterEvidence> {
  const server = present({ version: cluster.version });
  if (!needs.has('workload')) return { server };
  const databases = [...new Set(collections.map(({ database }) => database))];
  return { server, workload: present(await collectWorkload(reader, { databases, collections: known, logFiles })) };
}

/**
 * Collects the evidence of the whole cluster that rests on what was sampled.
 *
 * @param kept every linted collection with what was sampled of it
 * @param collected what of the whole cluster is known already: children are counted where its workload joins them
 * @param options reads under way at once, and whether `_id`s may be kept
 */
export async function collectSampledEvidence(
  { reader }: Pick<Connection, 'reader'>,
  kept: readonly ReferringCollection[],
  needs: ReadonlySet<ClusterEvidenceName>,
  { workload }: CollectedTracedEvidence,
  options: IntegrityOptions,
): Promise<Omit<CollectedClusterEvidence, 'workload'>> {
  const { concurrency } = options;
  const isAnySought = needs.has('references') || needs.has('referenceIntegrity');
  const found = isAnySought ? await collectReferences(reader, kept, concurrency) : undefined;
  return {
    ...(found !== undefined && { references: present(found) }),
    ...(found !== undefined &&
      needs.has('referenceIntegrity') && {
        referenceIntegrity: present(await collectReferenceIntegrity(reader, kept, found, options)),
      }),
    ...(needs.has('children') &&
      workload !== undefined && {
        children: workload.present
          ? present(await collectChildren(reader, workload.value, kept, concurrency))
          : workload,
      }),
  };
}
