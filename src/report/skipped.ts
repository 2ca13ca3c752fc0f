import type { Skipped } from '../finding.js';
import { plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { isFault, type SkipReason } from '../presence.js';
import type { Report } from './report.js';
import type { Entry, Limits, Section } from './section.js';
import { listed } from './text-layout.js';

const NAMED = 10;

/** Skipped entries of one reason and cause, of several namespaces; the details are those of the first. */
interface SkippedGroup {
  readonly reason: SkipReason;
  /** Ids of the checks, sorted; "*" alone if it holds for all. */
  readonly checks: readonly string[];
  readonly namespaces: readonly string[];
  /** Namespaces, also those that a written report does not name. */
  readonly count: number;
  readonly details: readonly string[];
}

interface SkippedPlace extends SkippedGroup {
  readonly causes: readonly string[];
}

/** Instead of a namespace, if an entry concerns more than one collection. */
const EVERYWHERE = 'the whole cluster';

export const REASON_TEXT: Readonly<Record<SkipReason, string>> = {
  fault: 'unexpected failure',
  connection: 'connection lost',
  interrupted: 'run interrupted',
  privilege: 'missing privilege',
  authentication: 'user no longer accepted',
  'max-time': 'the run reached --max-time',
  'server-load': 'stopped to spare the server',
  timeout: 'out of time',
  malformed: 'damaged data, or another format',
  bound: 'limit reached',
  unsupported: 'not supported by this server or tier',
  vanished: 'dropped or renamed during the run',
  insufficient: 'too little recorded',
  'too-small': 'too small to tell',
};

/** Reasons in the order in which they are shown, the most worrying first. */
export const SKIP_REASONS_SHOWN = Object.keys(REASON_TEXT) as SkipReason[];

/**
 * What could not be judged, grouped: everything that holds for several namespaces in one group with its checks. By
 * reason, the most worrying first; then the group of most namespaces first.
 */
export function skippedGroups(skipped: readonly Skipped[]): SkippedGroup[] {
  return [...groupedBy(placesOf(skipped), placeKey).values()]
    .map((places) => {
      const [{ reason, checks, details }] = places as [SkippedPlace];
      const count = places.reduce((sum, place) => sum + place.count, 0);
      return { reason, checks, namespaces: places.flatMap(({ namespaces }) => namespaces), count, details };
    })
    .sort((a, b) => SKIP_REASONS_SHOWN.indexOf(a.reason) - SKIP_REASONS_SHOWN.indexOf(b.reason) || b.count - a.count);
}

/** Places are alike by what is missing there, never by the wording. What holds for the whole cluster stands alone. */
function placeKey({ reason, checks, causes, namespaces, details }: SkippedPlace): string {
  return JSON.stringify([reason, checks, causes, namespaces[0] === EVERYWHERE ? details : null]);
}

/** What is said of each namespace, with the same checks together: first each detail with its checks, then details of the same checks. */
function placesOf(skipped: readonly Skipped[]): SkippedPlace[] {
  const said = groupedBy(skipped, (entry) => JSON.stringify([entry.reason, placeOf(entry), entry.detail]));
  const single = [...said.values()].map((entries): SkippedPlace => {
    const [first] = entries as [Skipped];
    const checks = [...new Set(entries.map(({ check }) => check))].sort();
    return {
      reason: first.reason,
      namespaces: placeOf(first),
      count: countOf(first),
      checks: checks.includes('*') ? ['*'] : checks,
      causes: [...new Set(entries.map(({ evidence, code }) => JSON.stringify([evidence, code])))].sort(),
      details: [first.detail],
    };
  });
  return [
    ...groupedBy(single, ({ reason, namespaces, checks }) => JSON.stringify([reason, namespaces, checks])).values(),
  ].map((places) => ({
    ...(places[0] as SkippedPlace),
    causes: [...new Set(places.flatMap(({ causes }) => causes))].sort(),
    details: places.flatMap(({ details }) => details),
  }));
}

function placeOf(entry: Skipped): readonly string[] {
  const namespaces = namespacesOf(entry);
  return namespaces.length === 0 ? [EVERYWHERE] : namespaces;
}

/** One entry for each check and cause. What a check itself says of a collection is kept for as many as an entry names. */
export function groupedSkipped(skipped: readonly Skipped[]): Skipped[] {
  const groups = groupedBy(skipped, keyOf);
  return skipped.flatMap((entry) => {
    const alike = groups.get(keyOf(entry)) ?? [];
    if (alike.length <= (hasTypedCause(entry) ? 1 : NAMED)) return [entry];
    return entry === alike[0] ? [groupOf(entry, alike)] : [];
  });
}

export function writtenReport(report: Report): Report {
  return { ...report, skipped: groupedSkipped(report.skipped) };
}

function keyOf(entry: Skipped): unknown {
  const { check, namespace, reason, evidence, code } = entry;
  return namespace === undefined ? entry : JSON.stringify([check, reason, evidence, code]);
}

function hasTypedCause(entry: Skipped): boolean {
  return entry.evidence !== undefined || isFault(entry);
}

function groupOf({ check, reason, evidence, code, detail }: Skipped, alike: readonly Skipped[]): Skipped {
  const namespaces = alike.flatMap(namespacesOf);
  return {
    check,
    namespaces: namespaces.slice(0, NAMED),
    count: namespaces.length,
    reason,
    ...(evidence !== undefined && { evidence }),
    ...(code !== undefined && { code }),
    detail,
  };
}

export function namespacesOf({ namespace, namespaces }: Skipped): readonly string[] {
  return namespaces ?? (namespace === undefined ? [] : [namespace]);
}

export function countOf({ count = 1 }: Skipped): number {
  return count;
}

/** True if the entry holds for namespaces that it does not name: each may be one of them. */
export function isCut(entry: Skipped): boolean {
  return countOf(entry) > Math.max(1, namespacesOf(entry).length);
}

export function detailOf(entry: Skipped): string {
  if (countOf(entry) === 1) return entry.detail;
  const names = namespacesOf(entry);
  return `${entry.detail} This holds for ${listed(names, names.length, countOf(entry))}.`;
}

/** What the reader can do, the most urgent first. */
const TODO_TEXT = {
  grant: 'Grant a privilege: mongolint role prints the role',
  repeat: 'Rerun with higher limits, such as --timeout or --sample-bytes',
  wait: 'Wait a week, or record more, then rerun',
  sizes: 'State the expected sizes: `expect` in the configuration, or --production FILE',
  nothing: 'Nothing to do: this server, or these data, cannot be judged',
} as const;

type Todo = keyof typeof TODO_TEXT;

export const TODO_OF: Readonly<Record<SkipReason, Todo>> = {
  fault: 'repeat',
  connection: 'repeat',
  interrupted: 'repeat',
  privilege: 'grant',
  authentication: 'grant',
  'max-time': 'repeat',
  'server-load': 'repeat',
  timeout: 'repeat',
  malformed: 'nothing',
  bound: 'repeat',
  unsupported: 'nothing',
  vanished: 'repeat',
  insufficient: 'wait',
  'too-small': 'sizes',
};

/** What could not be judged, by what the reader can do about it. */
export function notJudgedSection(skipped: readonly Skipped[], limits: Limits): Section {
  const groups = skippedGroups(skipped);
  return {
    id: 'not-judged',
    heading: 'Not judged',
    count: new Set(skipped.map((entry) => namespacesOf(entry).join())).size,
    intro: 'What could not be judged is not known to be clean.',
    entries: (Object.keys(TODO_TEXT) as Todo[]).flatMap((todo): Entry[] => {
      const own = groups.filter(({ reason }) => TODO_OF[reason] === todo);
      const shown = own.slice(0, limits.groups);
      const rest = own.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
      const more: Entry[] =
        rest === 0 ? [] : [{ head: [`and ${plural(rest, 'more place')}; --verbose lists all`], tone: 'aside' }];
      const entries = [...shown.map((group) => groupEntry(group, limits)), ...more];
      return own.length === 0 ? [] : [{ head: [TODO_TEXT[todo]], tone: 'caution', entries }];
    }),
  };
}

/** The details are those of the first namespace. */
function groupEntry({ reason, checks, namespaces, count, details }: SkippedGroup, limits: Limits): Entry {
  const example = count > 1 ? 'For example: ' : '';
  return {
    head: [REASON_TEXT[reason]],
    names: namespaces.slice(0, limits.names),
    count,
    note: whichChecks(checks, limits),
    asides: details.slice(0, limits.details).map((detail) => example + detail),
  };
}

function whichChecks(checks: readonly string[], { names }: Limits): string {
  if (checks.includes('*')) return 'every check';
  return checks.length <= names ? checks.join(', ') : plural(checks.length, 'check');
}
