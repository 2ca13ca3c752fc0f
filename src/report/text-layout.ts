import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { formatCount } from '../format.js';
import { isNarrow, wrappedNarrow } from './narrow-text.js';

/** Backticks around text without any, at the beginning and the end of words; a plural's s may follow. */
const ENCLOSED = /(?<![^\s("])(`[^`]+`)(?!(?!s(?:[\s.,:;)]|$))[^\s.,:;)"!?'’–-])/;

const ELLIPSIS = '…';

/** With less, no name fits into a line. Columns. */
export const LEAST_WIDTH = 60;

/** Columns that a text takes on a terminal; wide characters take two, colours none. */
export function textWidth(text: string): number {
  return isNarrow(text) ? text.length : stringWidth(text);
}

/**
 * Breaks a text between words into lines of at most `width` columns; only a longer word makes a longer line. A number in plain
 * text stays with its unit, and a bracket with what it holds.
 */
export function wrapped(text: string, width: number): string[] {
  return isNarrow(text) ? wrappedNarrow(text, width) : wrapAnsi(text, width).split('\n');
}

/** Puts items one after another into lines of at most `width` columns. Only an item longer than a line is broken. */
export function flowed(items: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const joined = `${lines.at(-1) ?? ''}${separator}${item}`;
    if (lines.length > 0 && textWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(...(textWidth(item) <= width ? [item] : wrapped(item, width)));
  }
  return lines;
}

export function padded(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return side === 'right' ? text + space : space + text;
}

/** Cuts a text to `width` columns, with an ellipsis at the end, or in the middle where both ends tell something. */
export function clipped(text: string, width: number, where: 'end' | 'middle' = 'end'): string {
  if (textWidth(text) <= width) return text;
  const characters = isNarrow(text)
    ? Array.from(text)
    : Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
  const room = Math.max(0, width - textWidth(ELLIPSIS));
  const tailRoom = where === 'middle' ? Math.ceil(room / 2) : 0;
  const tail = taken(characters.toReversed(), tailRoom).toReversed();
  const head = taken(characters, room - textWidth(tail.join('')));
  return head.join('') + ELLIPSIS + tail.join('');
}

function taken(characters: readonly string[], width: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += textWidth(character);
    if (used > width) break;
    kept.push(character);
  }
  return kept;
}

/** Names after one another, at most `limit` of them; the rest is counted: "a, b and 1,990 more". */
export function listed(names: readonly string[], limit: number, count = names.length): string {
  const rest = count - Math.min(limit, names.length);
  return rest > 0 ? `${names.slice(0, limit).join(', ')} and ${formatCount(rest)} more` : names.join(', ');
}

/** Lines with a label before the first, all aligned behind the label's column. */
export function labelled(label: string, labelWidth: number, lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const head = padded(index === 0 ? label : '', labelWidth);
    return line === '' ? head.trimEnd() : head + line;
  });
}

interface ProsePart {
  readonly text: string;
  readonly code: boolean;
}

/**
 * Splits a message or a remedy into plain words and what is between backticks. If a name has backticks of its own, they stay,
 * since they may enclose anything.
 */
export function prosePartsOf(text: string): ProsePart[] {
  return text
    .split(ENCLOSED)
    .map((part, index) => (index % 2 === 1 ? { text: part.slice(1, -1), code: true } : { text: part, code: false }))
    .filter((part) => part.text !== '');
}

/** A point within a name or a figure ends no sentence. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=\.)\s+(?=[A-Z`{])/);
}
