import type { SkipReason } from '../evidence/evidence.js';
import type { Skipped } from '../findings/finding.js';

/** Skipped entries of one reason that say the same of several namespaces. */
export interface SkippedGroup {
  readonly reason: SkipReason;
  /** Ids of the checks, sorted; "*" alone where it holds for all. */
  readonly checks: readonly string[];
  readonly namespaces: readonly string[];
  /** What is said of the first namespace. */
  readonly details: readonly string[];
}

/** What is skipped in one namespace for one reason. */
interface SkippedPlace {
  readonly reason: SkipReason;
  readonly namespace: string;
  readonly checks: Set<string>;
  readonly details: Set<string>;
}

/** Stands for the namespace where an entry speaks of more than one collection. */
const EVERYWHERE = 'the whole cluster';

/** Every reason in words. */
export const REASON_TEXT: Readonly<Record<SkipReason, string>> = {
  fault: 'unexpected failure',
  connection: 'connection lost',
  interrupted: 'run interrupted',
  privilege: 'missing privilege',
  timeout: 'out of time',
  malformed: 'data that is not valid BSON',
  bound: 'bound reached',
  unsupported: 'not supported by this server or tier',
  vanished: 'dropped or renamed during the run',
  insufficient: 'too little data to judge by',
};

/** Reasons in the order in which they are shown, the most worrying first. */
export const SKIP_REASONS_SHOWN = Object.keys(REASON_TEXT) as SkipReason[];

/**
 * What could not be judged, grouped: everything that holds for several namespaces in one group with its checks. By
 * reason, the most worrying first; then the group of most namespaces first.
 */
export function skippedGroups(skipped: readonly Skipped[]): SkippedGroup[] {
  const groups = new Map<string, { reason: SkipReason; checks: string[]; namespaces: string[]; details: string[] }>();
  for (const { reason, namespace, checks, details } of placesOf(skipped)) {
    const sortedChecks = [...checks].sort();
    const shapes = [...details].map((detail) => shapeOf(detail, namespace)).sort();
    const key = JSON.stringify([reason, sortedChecks, shapes]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reason, checks: sortedChecks, namespaces: [namespace], details: [...details] });
    else group.namespaces.push(namespace);
  }
  return [...groups.values()].sort((a, b) => rankOf(a) - rankOf(b) || b.namespaces.length - a.namespaces.length);
}

function rankOf({ reason }: SkippedGroup): number {
  return SKIP_REASONS_SHOWN.indexOf(reason);
}

function placesOf(skipped: readonly Skipped[]): SkippedPlace[] {
  const places = new Map<string, SkippedPlace>();
  for (const { check, namespace = EVERYWHERE, reason, detail } of skipped) {
    const key = JSON.stringify([reason, namespace]);
    const place = places.get(key) ?? { reason, namespace, checks: new Set(), details: new Set() };
    places.set(key, place);
    place.checks.add(check);
    place.details.add(detail);
  }
  return [...places.values()];
}

/** The detail without what differs from namespace to namespace: its name, and figures. */
function shapeOf(detail: string, namespace: string): string {
  return detail.replaceAll(namespace, '…').replace(/\d[\d.,]*/g, '#');
}
