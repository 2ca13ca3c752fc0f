import type { ReportNotice } from '../report/report-notice.js';
import { acceptanceSchema, type Acceptance } from '../acceptance.js';
import { LintError } from '../lint-error.js';
import { MS_PER_DAY } from '../time-units.js';
import type { BaselineEntry } from './baseline-entry.js';

/** Ahead of its end an acceptance is reported. */
const DAYS_OF_NOTICE = 7;

const ISO_DATE_LENGTH = 'YYYY-MM-DD'.length;

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
  const soon = new Date(Date.parse(today) + DAYS_OF_NOTICE * MS_PER_DAY).toISOString().slice(0, ISO_DATE_LENGTH);
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
 * Accepts a finding of the baseline, or one that is found in a report.
 *
 * @param entries of a baseline, and those that a report would add to it
 * @throws LintError if it is in neither, or the last day is over
 */
export function withAcceptance(
  entries: readonly BaselineEntry[],
  found: readonly BaselineEntry[],
  fingerprint: string,
  accepted: Acceptance,
): BaselineEntry[] {
  if (!acceptanceSchema.safeParse(accepted).success || accepted.until < accepted.since)
    throw new LintError(
      `--until takes the last day on which it is accepted, from ${accepted.since} on, as YYYY-MM-DD.`,
    );
  const known = entries.filter((entry) => entry.fingerprint === fingerprint);
  const taken = found.filter((entry) => entry.fingerprint === fingerprint);
  // What a report says is newer.
  const chosen = taken.length > 0 ? taken : known;
  if (chosen.length === 0)
    throw new LintError(
      `There is no finding ${fingerprint}: give the report that has it, as --format json wrote it, with --from FILE.`,
    );
  const isReplaced = (entry: BaselineEntry) =>
    chosen.some((one) => one.fingerprint === entry.fingerprint && one.target === entry.target);
  return [...entries.filter((entry) => !isReplaced(entry)), ...chosen.map((entry) => ({ ...entry, accepted }))];
}

/** Takes acceptances back: what was accepted leaves the baseline, and counts again. @throws LintError if there is none */
export function withoutAcceptance(entries: readonly BaselineEntry[], fingerprint: string): BaselineEntry[] {
  const left = entries.filter((entry) => entry.fingerprint !== fingerprint || entry.accepted === undefined);
  if (left.length === entries.length)
    throw new LintError(
      `The finding ${fingerprint} is not accepted: \`mongolint accept --list\` lists those that are.`,
    );
  return left;
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

function nameOf({ check, namespace, path, target }: BaselineEntry): string {
  const place = [namespace, path].filter((part) => part !== null).join(' ');
  return `${target === undefined ? '' : `${target}: `}${check} on ${place}`;
}
