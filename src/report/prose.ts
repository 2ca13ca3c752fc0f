export interface ProsePart {
  readonly text: string;
  readonly code: boolean;
}

/** Backticks around text without any, at the beginning and the end of words; a plural's s may follow. */
const ENCLOSED = /(?<![^\s("])(`[^`]+`)(?!(?!s(?:[\s.,:;)]|$))[^\s.,:;)"!?'’–-])/;

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
