/** JSON on one line with spaces, as people write it: `[{ "$match": { "a": 1 } }]`. */
export function spacedJson(value: unknown): string {
  // JSON escapes the line breaks within strings: all others are between tokens.
  return JSON.stringify(value, null, 1)
    .replaceAll(/(?<=\[)\n *|\n *(?=\])/g, '')
    .replaceAll(/\n */g, ' ');
}
