import { formatCount } from '../format.js';

/** Characters that GitHub takes in a comment. */
export const COMMENT_LIMIT = 65_536;

/** By this line a job finds the comment that it wrote before, to replace it. */
export const COMMENT_MARKER = '<!-- mongolint -->';

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
