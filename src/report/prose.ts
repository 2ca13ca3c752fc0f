/** A piece of a text for people: plain words, or a name or code that stood between backticks. */
export interface ProsePart {
  readonly text: string;
  readonly code: boolean;
}

/** Backticks that enclose: what stands between them has none, and they stand where words begin and end, a plural's s aside. */
const ENCLOSED = /(?<![^\s("])(`[^`]+`)(?!(?!s(?:[\s.,:;)]|$))[^\s.,:;)"!?'’–-])/;

/**
 * Splits a text, as messages and remedies are written, into plain words and what stands between backticks. Where a name
 * has backticks of its own, so that it can't be told what they enclose, they stay as they are.
 */
export function prosePartsOf(text: string): ProsePart[] {
  return text
    .split(ENCLOSED)
    .map((part, index) => (index % 2 === 1 ? { text: part.slice(1, -1), code: true } : { text: part, code: false }))
    .filter((part) => part.text !== '');
}
