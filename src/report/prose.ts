/** A piece of a text for people: plain words, or a name or code that stood between backticks. */
export interface ProsePart {
  readonly text: string;
  readonly code: boolean;
}

/** Splits a text, as messages and remedies are written, into plain words and what stands between backticks. */
export function prosePartsOf(text: string): ProsePart[] {
  return text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) => (/^`[^`]+`$/.test(part) ? { text: part.slice(1, -1), code: true } : { text: part, code: false }));
}
