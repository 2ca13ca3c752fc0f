import { formatCount } from '../format.js';
import { htmlText } from './html/prose-html.js';
import { prosePartsOf } from './text-layout.js';
import { clipped } from './text-layout.js';

/** GitHub takes 65,536 characters in a comment; a hundred are left for the mark of the job that writes it. */
export const COMMENT_LIMIT = 65_436;

/** By this line a job finds the comment that it wrote before, to replace it: `mongolint comment` adds which job. */
export const COMMENT_MARKER = '<!-- mongolint -->';

/** Longest name that is shown whole; a longer one is cut in the middle. Columns. */
const NAME_WIDTH = 80;

/** Never cut, since it is run or written as it stands. */
const STATEMENT = /^(?:db\.|\{)/;

/** Characters that can be structure within a line of GitHub's Markdown, its tables, HTML and formulas included. */
const STRUCTURE = /[\\`*_[\]<|~$&]/g;

/** What would be a list, a heading, a quotation or a rule at the beginning of a line. */
const STRUCTURE_AT_START = /^([-+=#>]|\d+(?=[.)]))/;

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Keeps two characters from being read as one thing, and shows nothing. */
const BREAK = '&#8203;';

/**
 * Where GitHub makes links, notifications or pictures of plain text, whatever is escaped: addresses, @mentions, #123,
 * GH-123, :emoji:. Each is broken behind its first part.
 */
const AUTOMATIC = /(@|:(?=\/\/)|www(?=\.)|#(?=\d)|GH-(?=\d)|:(?=[\w+-]+:))/gi;

/** Markdown that shows exactly this text, with what is between backticks as code. */
export function markdownText(text: string): string {
  const parts = prosePartsOf(text.trim()).map((part) =>
    part.code ? (STATEMENT.test(part.text) ? codeSpan(part.text) : markdownCode(part.text)) : inertText(part.text),
  );
  return parts.join('').replace(STRUCTURE_AT_START, (match) => (/\d/.test(match) ? `${match}${BREAK}` : `\\${match}`));
}

/** A name as inline code. It can stand in a table's cell too. */
export function markdownCode(name: string): string {
  return codeSpan(clipped(name, NAME_WIDTH, 'middle'));
}

function codeSpan(text: string): string {
  // A code span has no escapes: what could end it, or the cell, becomes character references.
  return /^(?! )[^`|]+(?<! )$/.test(text) ? `\`${text}\`` : `<code>${characterReferences(text)}</code>`;
}

/** A name as code for the inside of an HTML block, where Markdown is not read. */
export function htmlBlockCode(name: string): string {
  return `<code>${htmlText(clipped(name, NAME_WIDTH, 'middle'))}</code>`;
}

/** Lines of code as a block that nothing in them can end. */
export function markdownCodeBlock(lines: readonly string[], language: string): string[] {
  const longest = Math.max(2, ...Array.from(lines.join('\n').matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}

function inertText(text: string): string {
  return text
    .split(AUTOMATIC)
    .map((part, index) =>
      index % 2 === 0 ? part.replace(STRUCTURE, '\\$&') : `${part.replace(STRUCTURE, '\\$&')}${BREAK}`,
    )
    .join('');
}

function characterReferences(text: string): string {
  return text.replace(ASCII_PUNCTUATION, (character) => `&#${character.codePointAt(0)};`);
}

/** A part of the comment. Its last pieces are left out if there is no room. */
export interface MarkdownSection {
  /** In the order of weight; each ends with a line break. */
  readonly pieces: readonly string[];
  /** The part of the remaining characters that it may take. */
  readonly share: number;
  readonly wrap: (pieces: string) => string;
}

export function foldedSection(heading: string, pieces: readonly string[], share: number): MarkdownSection {
  return { pieces, share, wrap: (text) => `<details>\n<summary>${heading}</summary>\n\n${text}\n</details>\n\n` };
}

/** As many pieces as fit into `room` characters, and how many were left out; empty without pieces. */
export function filledSection({ pieces, wrap }: MarkdownSection, room: number): string {
  if (pieces.length === 0) return '';
  const whole = wrap(pieces.join(''));
  if (whole.length <= room) return whole;
  let left = room - wrap(leftOutText(pieces.length, pieces.length)).length;
  const fitting = pieces.findIndex((piece) => {
    left -= piece.length;
    return left < 0;
  });
  const text = wrap(pieces.slice(0, fitting).join('') + leftOutText(pieces.length - fitting, pieces.length));
  return text.length <= room ? text : '';
}

function leftOutText(left: number, all: number): string {
  return `\n${formatCount(left)} of ${formatCount(all)} are cut off here, to stay within GitHub's limit for a comment. \`--format html\` and \`--format json\` have all.\n`;
}
