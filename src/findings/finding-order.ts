import type { Finding, Impact } from '../finding.js';
import { CONFIDENCES, SEVERITIES } from '../finding/severity.js';
import { groupedBy } from '../grouped-by.js';
import { compareTexts } from '../text/compare-texts.js';

export interface NamespaceFindings {
  readonly namespace: string;
  readonly findings: readonly Finding[];
}

/** Share of what is examined from which a finding ranks by its waste; below, by what is at stake. Judgement. */
const LEAST_WASTE = 0.01;

/** False of a finding that stands apart from the others, whatever its severity. */
export function isMain({ group }: Pick<Finding, 'group'>): boolean {
  return group === undefined;
}

/**
 * Those that stand apart last. By severity, then by waste, days left and bytes at stake, then by confidence, namespace, check and path. So findings that
 * were reported before the impact of findings was known keep their order.
 */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      Number(isMain(b)) - Number(isMain(a)) ||
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      byImpact(a.impact, b.impact) ||
      CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
      compareTexts(a.namespace, b.namespace) ||
      compareTexts(a.check, b.check) ||
      compareTexts(a.path ?? '', b.path ?? ''),
  );
}

function byImpact(one: Impact = {}, other: Impact = {}): number {
  return (
    wasteOf(other) - wasteOf(one) ||
    compareNumbers(one.daysLeft ?? Infinity, other.daysLeft ?? Infinity) ||
    (other.bytesAtStake ?? 0) - (one.bytesAtStake ?? 0)
  );
}

function wasteOf({ share = 0 }: Impact): number {
  return share < LEAST_WASTE ? 0 : share;
}

function compareNumbers(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** The namespace with the worst finding comes first. */
export function byNamespace(findings: readonly Finding[]): NamespaceFindings[] {
  const groups = groupedBy(worstFirst(findings), ({ namespace }) => namespace);
  return [...groups].map(([namespace, group]) => ({ namespace, findings: group }));
}
