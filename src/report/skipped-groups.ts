import type { SkipReason } from '../presence.js';
import type { Skipped } from '../finding.js';
import { groupedBy } from '../grouped-by.js';

/** Skipped entries of one reason that say the same of several namespaces. */
export interface SkippedGroup {
  readonly reason: SkipReason;
  /** Ids of the checks, sorted; "*" alone if it holds for all. */
  readonly checks: readonly string[];
  readonly namespaces: readonly string[];
  readonly details: readonly string[];
}

/** What is skipped in one namespace for one reason. */
interface SkippedPlace {
  readonly reason: SkipReason;
  readonly namespace: string;
  readonly checks: readonly string[];
  readonly details: readonly string[];
}

/** Instead of a namespace, if an entry concerns more than one collection. */
const EVERYWHERE = 'the whole cluster';

export const REASON_TEXT: Readonly<Record<SkipReason, string>> = {
  fault: 'unexpected failure',
  connection: 'connection lost',
  interrupted: 'run interrupted',
  privilege: 'missing privilege',
  authentication: 'user no longer accepted',
  'max-time': "the run's time used up",
  timeout: 'out of time',
  malformed: 'data that is damaged or of another format',
  bound: 'bound reached',
  unsupported: 'not supported by this server or tier',
  vanished: 'dropped or renamed during the run',
  insufficient: 'too little data to judge by',
};

/** Reasons in the order in which they are shown, the most worrying first. */
export const SKIP_REASONS_SHOWN = Object.keys(REASON_TEXT) as SkipReason[];

/** A list of names between backticks, such as those of indexes, whole or cut and counted. */
const NAMES = /`[^`]*`(?:, `[^`]*`)*(?:, \d+ others?)?/g;

/**
 * What could not be judged, grouped: everything that holds for several namespaces in one group with its checks. By
 * reason, the most worrying first; then the group of most namespaces first.
 */
export function skippedGroups(skipped: readonly Skipped[]): SkippedGroup[] {
  const groups = placesOf(skipped).map((place) => ({
    ...place,
    shapes: [...new Set(place.details.map((detail) => shapeOf(detail, place.namespace)))].sort(),
  }));
  return [...groupedBy(groups, ({ reason, checks, shapes }) => JSON.stringify([reason, checks, shapes])).values()]
    .map(([first, ...others]) => toGroup(first as SkippedPlace, others))
    .sort((a, b) => rankOf(a) - rankOf(b) || b.namespaces.length - a.namespaces.length);
}

function toGroup({ reason, checks, namespace, details }: SkippedPlace, others: readonly SkippedPlace[]): SkippedGroup {
  return { reason, checks, namespaces: [namespace, ...others.map((other) => other.namespace)], details };
}

function rankOf({ reason }: SkippedGroup): number {
  return SKIP_REASONS_SHOWN.indexOf(reason);
}

/** What is said of each namespace, with the same checks together: first each detail with its checks, then details of the same checks. */
function placesOf(skipped: readonly Skipped[]): SkippedPlace[] {
  const said = groupedBy(skipped, ({ reason, namespace = EVERYWHERE, detail }) =>
    JSON.stringify([reason, namespace, detail]),
  );
  const single = [...said.values()].map((entries): SkippedPlace => {
    const [{ reason, namespace = EVERYWHERE, detail }] = entries as [Skipped];
    const checks = [...new Set(entries.map(({ check }) => check))].sort();
    return { reason, namespace, checks: checks.includes('*') ? ['*'] : checks, details: [detail] };
  });
  return [
    ...groupedBy(single, ({ reason, namespace, checks }) => JSON.stringify([reason, namespace, checks])).values(),
  ].map((places) => ({
    ...(places[0] as SkippedPlace),
    details: places.flatMap(({ details }) => details),
  }));
}

/** The detail without what differs from namespace to namespace: its name, names of indexes and fields, and figures. */
function shapeOf(detail: string, namespace: string): string {
  return detail
    .replaceAll(namespace, '…')
    .replace(NAMES, '…')
    .replace(/\d[\d.,]*/g, '#');
}
