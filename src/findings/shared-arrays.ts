import { groupedBy } from '../grouped-by.js';
import { combined } from './further-reasons.js';
import { worstFirst } from './finding-order.js';
import type { StampedFinding } from './stamp.js';

/** Findings of a collection that one array causes are one, with the remedy of the worst and all of their reasons. */
export function withSharedArrays(findings: readonly StampedFinding[]): StampedFinding[] {
  const groups = groupedBy(findings, (finding) =>
    finding.causedBy === undefined ? finding : JSON.stringify([finding.namespace, finding.causedBy]),
  );
  return [...groups.values()].map((group) => oneFinding(group.map(({ causedBy: _causedBy, ...finding }) => finding)));
}

function oneFinding(group: readonly StampedFinding[]): StampedFinding {
  const [worst] = worstFirst(group);
  if (worst === undefined) throw new Error('There is nothing to combine.');
  return group.length === 1 ? worst : combined(group, worst.remedy);
}
