import { isClusterCheck, type AnyCheck } from '../check.js';
import type { ClusterEvidenceName } from '../evidence/cluster-evidence.js';
import type { EvidenceName } from '../evidence/evidence.js';
import type { NeededEvidence } from '../evidence/privileges.js';

/** The names of the evidence that the checks need, as each lists them. */
export function neededEvidence(checks: readonly AnyCheck[]): NeededEvidence {
  return {
    ofCollections: checks.flatMap(({ needs }) => needs as readonly EvidenceName[]),
    ofCluster: checks
      .filter(isClusterCheck)
      .flatMap(({ clusterNeeds }) => clusterNeeds as readonly ClusterEvidenceName[]),
  };
}
