import type { FixedFinding } from '../finding.js';
import { worstFirst } from '../findings/finding-order.js';
import { groupedBy } from '../grouped-by.js';
import { isActive, statusText } from './finding-status.js';
import type { Place } from './finding-view.js';
import type { Report } from './report.js';
import { type Entry, type Limits, type Section, WHOLE } from './section.js';

/** The findings of the baseline that a run did not show again, by what became of them. */
export interface MissingKnown {
  readonly id: 'fixed' | 'gone' | 'still-there' | 'not-seen';
  readonly heading: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly findings: readonly FixedFinding[];
}

export function missingKnown({
  fixed = [],
  gone = [],
  stillThere = [],
  notSeen = [],
}: Report): readonly MissingKnown[] {
  return [
    { id: 'fixed', heading: 'Fixed', meaning: 'Fixed.', findings: fixed },
    {
      id: 'gone',
      heading: 'Gone with their collections',
      meaning: 'Gone: the collection no longer exists.',
      findings: gone,
    },
    {
      id: 'still-there',
      heading: 'Still there, found directly',
      meaning: 'Still there: the sample missed it, and a direct search found it. It stays known.',
      findings: stillThere,
    },
    {
      id: 'not-seen',
      heading: 'Not seen this time',
      meaning:
        'Not seen this time: another sample, or a shorter record of operations, may have missed it. It stays known.',
      findings: notSeen,
    },
  ];
}

/** What was only not seen this time is counted in the conclusion; it is named if all is shown. */
export function missingSections(report: Report, limits: Limits = WHOLE): Section[] {
  const named = missingKnown(report).filter(({ id }) => id !== 'not-seen' || limits === WHOLE);
  return named.map(({ id, heading, meaning, findings }) => ({
    id,
    heading,
    count: findings.length,
    ...(id !== 'fixed' && { intro: meaning }),
    entries: findings.map((finding) => entryOf(finding, id === 'fixed' ? 'good' : 'aside')),
  }));
}

/** The findings that do not count, by why they do not. */
export function quietSection({ findings }: Report): Section {
  const quiet = worstFirst(findings).filter((finding) => !isActive(finding));
  const entries = [...groupedBy(quiet, statusText)].map(([status, group]) => ({
    head: [status ?? ''],
    tone: 'aside' as const,
    entries: group.map((finding) => entryOf(finding, 'aside')),
  }));
  return { id: 'quiet', heading: 'Suppressed or known', count: quiet.length, entries };
}

function entryOf(finding: Pick<FixedFinding, 'severity' | 'check'> & Place, tone: 'good' | 'aside'): Entry {
  return { head: [{ severity: finding.severity }, finding.check, { place: finding }], tone };
}
