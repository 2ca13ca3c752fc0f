import { acceptanceSchema } from '../finding.js';
import { formatDay } from '../format.js';
import { LintError } from '../lint-error.js';
import type { ReportNotice } from '../report/report-notice.js';
import { MS_PER_DAY } from '../time-units.js';
import type { Acceptance, BaselineEntry } from './baseline-file.js';

/** Ahead of its end an acceptance is reported. */
const DAYS_OF_NOTICE = 7;

/** True from the day after its last one on: the finding then counts again. */
export function hasEnded({ accepted }: BaselineEntry, today: string): boolean {
  return accepted !== undefined && accepted.until < today;
}

/** The acceptances that have ended while the finding is still there, and those that end within the week. */
export function acceptanceNotices(
  baseline: readonly BaselineEntry[],
  isFound: (entry: BaselineEntry) => boolean,
  today: string,
): ReportNotice[] {
  const soon = formatDay(Date.parse(today) + DAYS_OF_NOTICE * MS_PER_DAY);
  return baseline.filter(isFound).flatMap((entry): ReportNotice[] => {
    const { accepted } = entry;
    if (accepted === undefined || accepted.until > soon) return [];
    const { until, owner, reason } = accepted;
    const who = `by ${owner} (${reason})`;
    return hasEnded(entry, today)
      ? [{ kind: 'acceptance-ended', text: `${nameOf(entry)} was accepted until ${until} ${who}: it counts again.` }]
      : [
          {
            kind: 'acceptance-ending',
            text: `${nameOf(entry)} is accepted until ${until} ${who}, which is within a week.`,
          },
        ];
  });
}

/**
 * Accepts a finding, on each target that has it by the baseline or by a report.
 *
 * @param entries of a baseline
 * @param found those that a report would add to it
 * @throws LintError if the last day is over, or is none
 */
export function withAcceptance(
  entries: readonly BaselineEntry[],
  found: readonly BaselineEntry[],
  fingerprint: string,
  accepted: Acceptance,
): BaselineEntry[] {
  if (!acceptanceSchema.safeParse(accepted).success || accepted.until < accepted.since)
    throw new LintError(`--until takes the last day of the acceptance, ${accepted.since} or later, as YYYY-MM-DD.`);
  const taken = found.filter((entry) => entry.fingerprint === fingerprint);
  // What a report says is newer.
  const isNewer = ({ target }: BaselineEntry) => taken.some((one) => one.target === target);
  const known = entries.filter((entry) => entry.fingerprint === fingerprint && !isNewer(entry));
  const others = entries.filter((entry) => entry.fingerprint !== fingerprint);
  return [...others, ...[...known, ...taken].map((entry) => ({ ...entry, accepted }))];
}

/** Takes acceptances back: what was accepted leaves the baseline, and counts again. */
export function withoutAcceptance(entries: readonly BaselineEntry[], fingerprint: string): BaselineEntry[] {
  return entries.filter((entry) => entry.fingerprint !== fingerprint || entry.accepted === undefined);
}

/** A line for each acceptance, those that end first at the top. */
export function acceptanceLines(entries: readonly BaselineEntry[], today: string): string[] {
  return entries
    .flatMap((entry) => (entry.accepted === undefined ? [] : [{ entry, accepted: entry.accepted }]))
    .toSorted((one, other) => (one.accepted.until < other.accepted.until ? -1 : 1))
    .map(({ entry, accepted: { since, until, owner, reason } }) => {
      const end = hasEnded(entry, today) ? `ended ${until}` : `until ${until}`;
      return `${entry.fingerprint}  ${end}  ${entry.severity}  ${nameOf(entry)}  (${owner} since ${since}: ${reason})`;
    });
}

/** "shop-eu: unbounded-array on shop.orders items" */
export function nameOf({
  check,
  namespace,
  path,
  target,
}: Pick<BaselineEntry, 'check' | 'namespace' | 'path' | 'target'>): string {
  const place = [namespace, path].filter((part) => part !== null).join(' ');
  return `${target === undefined ? '' : `${target}: `}${check} on ${place}`;
}
