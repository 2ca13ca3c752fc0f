import type { Connection } from '../connect/connect.js';
import type { Inventory } from '../inventory/inventory.js';
import type { ClusterEvidenceName, CollectedClusterEvidence } from './cluster-evidence.js';
import { present } from './evidence.js';
import { collectWorkload } from './workload/collect-workload.js';

/**
 * Collects, once, the evidence of the whole cluster that the enabled checks need, and no other.
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
