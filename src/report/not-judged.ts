import type { Skipped } from '../finding.js';
import { plural } from '../format.js';
import type { SkipReason } from '../presence.js';
import type { Entry, Limits, Section } from './section.js';
import { namespacesOf, REASON_TEXT, type SkippedGroup, skippedGroups } from './skipped-groups.js';

/** What the reader can do, the most urgent first. */
const TODO_TEXT = {
  grant: 'Grant a right: mongolint role prints the role',
  repeat: 'Rerun, if need be with more time or higher limits',
  wait: 'Wait a week, or record more, then rerun',
  sizes: 'State the expected sizes: `expect` in the configuration, or --production FILE',
  nothing: 'Nothing to do: this server, or these data, cannot be judged',
} as const;

type Todo = keyof typeof TODO_TEXT;

const TODO_OF: Readonly<Record<SkipReason, Todo>> = {
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
