import type { Finding } from '../finding.js';
import type { Severity } from '../finding/severity.js';
import { worstFirst } from '../findings/finding-order.js';
import { formatCount } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { adviceOf } from './remedy-steps.js';

/** Findings of one check with one advice from which the first is shown in full and the others are a line each. Judgement. */
const FEWEST_ALIKE: Readonly<Record<Severity, number>> = { error: Infinity, warning: 4, info: 2 };

/** A finding that is shown in full, and those of other places that it stands for. */
export interface ShownFinding {
  readonly finding: Finding;
  readonly alike: readonly Finding[];
}

/**
 * The findings, the worst first. Several of one check and severity whose remedies differ only in names and figures are one
 * group. An error stands for itself, and so does what several checks found.
 */
export function shownFindings(findings: readonly Finding[]): ShownFinding[] {
  const ordered = worstFirst(findings);
  const groups = groupedBy(ordered, groupOf);
  return ordered.flatMap((finding): ShownFinding[] => {
    const [first, ...alike] = groups.get(groupOf(finding)) ?? [];
    if (standsForItself(finding) || alike.length + 1 < FEWEST_ALIKE[finding.severity]) return [{ finding, alike: [] }];
    return finding === first ? [{ finding, alike }] : [];
  });
}

export function moreAlike(alike: readonly Finding[]): string {
  return `and ${formatCount(alike.length)} more like it`;
}

function standsForItself({ severity, furtherReasons = [] }: Finding): boolean {
  return FEWEST_ALIKE[severity] === Infinity || furtherReasons.length > 0;
}

function groupOf(finding: Finding): string {
  const { check, severity, remedy, baseline } = finding;
  return JSON.stringify([
    standsForItself(finding),
    check,
    severity,
    baseline,
    advicePattern(adviceOf(remedy), finding),
  ]);
}

/** Without names, keys of indexes and figures. */
function advicePattern(advice: string, { namespace }: Finding): string {
  return advice
    .replaceAll(namespace, '…')
    .replaceAll(/`[^`]*`|\{[^}]*\}/g, '…')
    .replaceAll(/\d[\d,.]*(?: [KMGTP]?B\b)?/g, '…');
}
