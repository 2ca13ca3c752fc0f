import type { Comment } from 'oxc-parser';
import type { SourceLine } from './source-line.js';
import type { SourceModule } from './source-module.js';

/** A comment by which somebody agrees not to count a finding of a line. */
export interface Ignore extends SourceLine {
  /** Id of the check. */
  readonly check: string;
  readonly reason: string;
}

/** After `mongolint-ignore`, without blanks around it. */
const IGNORE = /^\s+([a-z][a-z0-9/-]*)\s*:([^]*)$/;
const MARK = 'mongolint-ignore';

/** Stands for the reason in a comment that nobody has finished. */
const NO_REASON = '<reason>';

/** The comment for a check, of which somebody has yet to write the reason. */
export function unfinishedIgnore(check: string): string {
  return `// ${MARK} ${check}: ${NO_REASON}`;
}

/** The comments `// mongolint-ignore CHECK: reason` of a module. Without a reason, a comment says nothing. */
export function ignoresIn(module: SourceModule, comments: readonly Comment[]): readonly Ignore[] {
  return comments.flatMap(({ value, start }) => {
    const text = value.replace(/^[\s*]+/, '').trimEnd();
    const [, check, after = ''] = text.startsWith(MARK) ? (IGNORE.exec(text.slice(MARK.length)) ?? []) : [];
    const reason = after.trim();
    if (check === undefined || reason === '' || reason === NO_REASON || /[\n\r]/.test(reason)) return [];
    return [{ file: module.name, line: module.lineAtOffset(start), check, reason }];
  });
}
