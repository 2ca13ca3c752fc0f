import type { Finding, FurtherReason } from '../finding.js';
import { SEVERITIES } from '../finding/severity.js';
import { groupedBy } from '../grouped-by.js';
import { picked } from '../plain.js';
import { compareTexts } from '../text/compare-texts.js';

/** What is of a finding as a whole, and so of each of its reasons. */
const OF_WHOLE = ['impact', 'ranBy', 'locations', 'furtherPlaces', 'owner', 'suppressed', 'baseline'] as const;

/** What a finding is made of: each check's own finding, with the remedy that it has by itself. */
export function separated(whole: Finding): [Finding, ...Finding[]] {
  if (whole.furtherReasons === undefined) return [whole];
  const { furtherReasons, ...finding } = whole;
  const others = furtherReasons.map((reason): Finding => ({
    ...reason,
    ...picked(finding, OF_WHOLE),
    namespace: reason.namespace ?? finding.namespace,
    remedy: reason.remedy ?? finding.remedy,
  }));
  return [finding, ...others];
}

/**
 * One finding of several that one remedy puts right: the worst, with the others as its further reasons.
 *
 * @param arePlaces whether they are places at which one check found the same
 */
export function combined(
  findings: readonly Finding[],
  remedy: Finding['remedy'],
  { arePlaces = false }: { readonly arePlaces?: boolean } = {},
): Finding {
  const [worst, ...others] = findings.flatMap(separated).toSorted(bySeverityAndCheck);
  if (worst === undefined) throw new Error('There is nothing to combine.');
  if (others.length === 0) return { ...worst, remedy };
  return { ...worst, remedy, furtherReasons: others.map((other) => reasonOf(other, { ...worst, remedy }, arePlaces)) };
}

/** True if the further reasons of a finding are other places at which its check found the same. */
export function standsForPlaces({ check, furtherReasons = [] }: Finding): boolean {
  return furtherReasons.some((reason) => reason.namespace !== undefined && reason.check === check);
}

/** The finding with others that it causes as further reasons. */
export function withReasons(finding: Finding, others: readonly Finding[]): Finding {
  if (others.length === 0) return finding;
  const reasons = others.map((other) => reasonOf(other, finding, false));
  return { ...finding, furtherReasons: [...(finding.furtherReasons ?? []), ...reasons] };
}

/**
 * The finding after each of what it is made of was marked. Reasons that are marked otherwise, such as one that is suppressed,
 * become findings of their own.
 */
export function markedEach(finding: Finding, mark: (one: Finding) => Finding): Finding[] {
  if (finding.furtherReasons === undefined) return [mark(finding)];
  const all = separated(finding);
  const each = all.map(mark);
  if (each.every((one, index) => one === all[index])) return [finding];
  const marked = groupedBy(each, ({ suppressed, baseline, owner }) =>
    JSON.stringify([suppressed, baseline?.status, owner]),
  );
  const arePlaces = standsForPlaces(finding);
  return [...marked.values()].flatMap((alike) => {
    const isShared = alike.some(({ remedy }) => remedy === finding.remedy);
    return isShared ? [combined(alike, finding.remedy, { arePlaces })] : alike;
  });
}

/** Not by confidence, which may differ from run to run. */
function bySeverityAndCheck(one: Finding, other: Finding): number {
  return (
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    compareTexts(one.check, other.check) ||
    compareTexts(one.path ?? '', other.path ?? '')
  );
}

function reasonOf(finding: Finding, whole: Finding, isPlace: boolean): FurtherReason {
  const isOfReason = ([name]: [string, unknown]) => !(OF_WHOLE as readonly string[]).includes(name);
  const ofReason = Object.fromEntries(Object.entries(finding).filter(isOfReason));
  const { namespace, remedy, ...own } = ofReason as Omit<Finding, (typeof OF_WHOLE)[number]>;
  const reason = isPlace || namespace !== whole.namespace ? { ...own, namespace } : own;
  const isShared = remedy === whole.remedy || JSON.stringify(remedy) === JSON.stringify(whole.remedy);
  return isShared ? reason : { ...reason, remedy };
}
