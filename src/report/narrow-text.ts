/** Characters that take one column each: those of nearly every report. To load the libraries for all others takes half as long as to start Node. */
const NARROW = /^[\x20-\x7e·×µ–—‘’“”…≤≥─▏▎▍▌▋▊▉█]*$/;

/** Between words, but not between a number and its unit or its sign (<, >), nor inside a bracket next to it. */
const BETWEEN_WORDS = /(?<![{[(<>≤≥])(?:(?<!\d) +| +(?!(?:[KMGTP]?B|ms|s|min|h|%)(?!\w)))(?![ }\])])/;

/** Whether each character of a line takes one column. */
export function isNarrow(text: string): boolean {
  return NARROW.test(text);
}

/** Breaks a narrow text between words into lines of at most `width` columns; only a longer word makes a longer line. */
export function wrappedNarrow(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.trim().split(BETWEEN_WORDS)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function indented(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
}
