import type { Finding } from '../finding.js';
import { groupedBy } from '../grouped-by.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { worstFirst } from './finding-order.js';
import { separated } from './further-reasons.js';
import { costOf, knownWorkload, stakeOf, type CollectionBytes } from './impact.js';
import { indexFigures } from './index-figures.js';
import { withSharedArrays } from './shared-arrays.js';
import { withSharedIndexes } from './shared-indexes.js';
import type { StampedFinding } from './stamp.js';

/**
 * The findings as they are reported: what one index or array explains is one, each with what it costs, the worst first.
 *
 * @param workload null if it was not collected
 * @param bytesOf what is known of a collection; null for namespaces that are none
 */
export function rankedFindings(
  stamped: readonly StampedFinding[],
  workload: TracedWorkload | null,
  bytesOf: (namespace: string) => CollectionBytes | null,
): Finding[] {
  const about = groupedBy(stamped, ({ fingerprint }) => fingerprint);
  const operationsOf = (finding: Finding) =>
    separated(finding).flatMap(({ fingerprint }) =>
      (about.get(fingerprint) ?? []).flatMap(({ operations = [] }) => operations),
    );
  const known = workload === null ? null : knownWorkload(workload);
  const told = withSharedIndexes(
    withSharedArrays(stamped.map(({ operations: _operations, ...finding }) => finding)),
    (indexes) => indexFigures(indexes, workload),
  );
  return worstFirst(
    told.map((finding) => {
      const bytes = bytesOf(finding.namespace) ?? { size: null, averageDocumentSize: null };
      const cost = known === null ? null : costOf(operationsOf(finding), known, bytes);
      const impact = { ...cost?.impact, ...stakeOf(finding, bytes) };
      return {
        ...finding,
        ...(Object.keys(impact).length > 0 && { impact }),
        ...(cost !== null && cost.ranBy.length > 0 && { ranBy: [...cost.ranBy] }),
      };
    }),
  );
}
