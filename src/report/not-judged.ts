import type { Skipped } from '../finding.js';
import { plural } from '../format.js';
import type { SkipReason } from '../presence.js';
import type { Paint } from './paint.js';
import { type SkippedGroup, skippedGroups } from './skipped-groups.js';
import { indented, listed, wrapped } from './text-layout.js';

const SHOWN_NAMES = 3;
/** Groups of each remedy, unless every one is wanted. */
const SHOWN_GROUPS = 2;
const INDENT = 2;

/** What the reader can do, the most urgent first. */
const TODO_TEXT = {
  grant: 'Grant a right: mongolint role prints the role',
  repeat: 'Run again, if need be with a longer time or a higher bound',
  wait: 'Wait a week, or let more be recorded, and run again',
  sizes: 'Give the sizes to expect: `expect` in the configuration, or --production FILE',
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
export function skippedByTodo(
  skipped: readonly Skipped[],
): { readonly todo: string; readonly groups: readonly SkippedGroup[] }[] {
  const groups = skippedGroups(skipped);
  return (Object.keys(TODO_TEXT) as Todo[]).flatMap((todo) => {
    const own = groups.filter(({ reason }) => TODO_OF[reason] === todo);
    return own.length === 0 ? [] : [{ todo: TODO_TEXT[todo], groups: own }];
  });
}

/** Lines of what could not be judged. Without `all`, long lists are cut and counted. */
export function notJudgedLines(
  skipped: readonly Skipped[],
  width: number,
  paint: Paint,
  { all }: { readonly all: boolean },
): string[] {
  return skippedByTodo(skipped).flatMap(({ todo, groups }) => {
    const shown = all ? groups : groups.slice(0, SHOWN_GROUPS);
    const rest = groups.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
    const lines = shown.flatMap((group) => groupLines(group, width - INDENT, paint, all));
    return [
      ...wrapped(paint('caution', todo), width),
      ...indented(lines, INDENT),
      ...(rest === 0
        ? []
        : indented([paint('aside', `and ${plural(rest, 'more place')}; --verbose lists all`)], INDENT)),
    ];
  });
}

function groupLines(
  { checks, namespaces, count, details }: SkippedGroup,
  width: number,
  paint: Paint,
  all: boolean,
): string[] {
  const names = listed(namespaces, all ? namespaces.length : SHOWN_NAMES, count);
  const [first = ''] = details;
  const said = all ? details : [first];
  const example = count > 1 ? 'for example: ' : '';
  return [
    ...wrapped(`${paint('name', names)}: ${whichChecks(checks, all)}`, width),
    ...said.flatMap((detail) => indented(wrapped(paint('aside', example + detail), width - INDENT), INDENT)),
  ];
}

function whichChecks(checks: readonly string[], all: boolean): string {
  if (checks.includes('*')) return 'every check';
  if (checks.length === 1) return checks.join();
  return all ? `${plural(checks.length, 'check')}: ${checks.join(', ')}` : plural(checks.length, 'check');
}
