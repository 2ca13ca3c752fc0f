/** Orders texts by their UTF-16 code units, the same on every machine, unlike an order by language. For `sort`. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
