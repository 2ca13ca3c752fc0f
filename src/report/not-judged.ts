import type { SkipReason } from '../evidence/evidence.js';
import type { Skipped } from '../findings/finding.js';
import { plural } from '../format.js';
import type { Paint } from './paint.js';
import { indented, listed, wrapped } from './text-layout.js';

/** Skipped entries of one reason that say the same of several namespaces. */
interface SkippedGroup {
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

/** Names, and groups of one reason, that are shown before the rest is only counted. */
const SHOWN = 5;
const INDENT = 2;

const EVERYWHERE = 'the whole cluster';

/** Every reason in words; in the order in which they are shown, the most worrying first. */
const REASON_TEXT: Readonly<Record<SkipReason, string>> = {
  fault: 'unexpected failure',
  connection: 'connection lost',
  privilege: 'missing privilege',
  timeout: 'out of time',
  malformed: 'data that is not valid BSON',
  bound: 'bound reached',
  unsupported: 'not supported by this server or tier',
  vanished: 'dropped or renamed during the run',
  insufficient: 'too little data to judge by',
};
const REASONS = Object.keys(REASON_TEXT) as SkipReason[];

/**
 * What could not be judged, grouped: by reason, then everything that holds for several namespaces in one entry with
 * its checks. Without `all`, only the first few names and groups are shown and the rest is counted.
 */
export function notJudgedLines(
  skipped: readonly Skipped[],
  width: number,
  paint: Paint,
  { all }: { readonly all: boolean },
): string[] {
  const groups = groupsOf(skipped);
  return REASONS.flatMap((reason) => {
    const ofReason = groups.filter((group) => group.reason === reason);
    if (ofReason.length === 0) return [];
    const shown = all ? ofReason : ofReason.slice(0, SHOWN);
    const rest = ofReason.slice(shown.length).reduce((sum, { namespaces }) => sum + namespaces.length, 0);
    const lines = shown.flatMap((group) => groupLines(group, width - INDENT, paint, all));
    if (rest > 0) lines.push(`and ${plural(rest, 'collection')} more, with other details; all are in --format json`);
    return [paint('caution', REASON_TEXT[reason])].concat(indented(lines, INDENT));
  });
}

function groupLines({ checks, namespaces, details }: SkippedGroup, width: number, paint: Paint, all: boolean): string[] {
  const names = listed(namespaces, all ? namespaces.length : SHOWN, '; all are in --format json');
  const which = whichChecks(checks);
  const example = namespaces.length > 1 ? 'for example: ' : '';
  return [
    ...wrapped(paint('name', names), width),
    ...indented(wrapped(which, width - INDENT), INDENT),
    ...details.flatMap((detail) => indented(wrapped(paint('aside', example + detail), width - INDENT), INDENT)),
  ];
}

function whichChecks(checks: readonly string[]): string {
  if (checks.includes('*')) return 'every check';
  return checks.length === 1 ? checks.join() : `${plural(checks.length, 'check')}: ${checks.join(', ')}`;
}

function groupsOf(skipped: readonly Skipped[]): SkippedGroup[] {
  const groups = new Map<string, { reason: SkipReason; checks: string[]; namespaces: string[]; details: string[] }>();
  for (const { reason, namespace, checks, details } of placesOf(skipped)) {
    const sortedChecks = [...checks].sort();
    const shapes = [...details].map((detail) => shapeOf(detail, namespace)).sort();
    const key = JSON.stringify([reason, sortedChecks, shapes]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reason, checks: sortedChecks, namespaces: [namespace], details: [...details] });
    else group.namespaces.push(namespace);
  }
  return [...groups.values()].sort((a, b) => b.namespaces.length - a.namespaces.length);
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
