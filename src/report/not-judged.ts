import type { Skipped } from '../finding.js';
import { plural } from '../format.js';
import type { Paint } from './paint.js';
import { REASON_TEXT, SKIP_REASONS_SHOWN, type SkippedGroup, skippedGroups } from './skipped-groups.js';
import { indented, listed, wrapped } from './text-layout.js';

const SHOWN = 5;
const INDENT = 2;

/** What could not be judged, grouped by reason. Without `all`, long lists are cut and counted. */
export function notJudgedLines(
  skipped: readonly Skipped[],
  width: number,
  paint: Paint,
  { all }: { readonly all: boolean },
): string[] {
  const groups = skippedGroups(skipped);
  return SKIP_REASONS_SHOWN.flatMap((reason) => {
    const ofReason = groups.filter((group) => group.reason === reason);
    if (ofReason.length === 0) return [];
    const shown = all ? ofReason : ofReason.slice(0, SHOWN);
    const rest = ofReason.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
    const lines = shown.flatMap((group) => groupLines(group, width - INDENT, paint, all));
    if (rest > 0) lines.push(`and ${plural(rest, 'collection')} more, with other details; --verbose lists all`);
    const help =
      reason === 'privilege'
        ? wrapped(
            paint('aside', 'mongolint role prints a role that grants what the enabled checks need.'),
            width - INDENT,
          )
        : [];
    return [paint('caution', REASON_TEXT[reason])].concat(indented([...lines, ...help], INDENT));
  });
}

function groupLines(
  { checks, namespaces, count, details }: SkippedGroup,
  width: number,
  paint: Paint,
  all: boolean,
): string[] {
  const names = listed(namespaces, all ? namespaces.length : SHOWN, all ? '' : '; --verbose lists all', count);
  const which = whichChecks(checks);
  const example = count > 1 ? 'for example: ' : '';
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
