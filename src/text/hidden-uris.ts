export const HIDDEN = '<connection string>';

/** From a scheme, or from a colon that an @ follows, to the end of the line: passwords hold spaces and quotation marks too. */
const LIKE_A_URI = /(?:mongodb(?:\+srv)?:|(?<!\S)(?!\(?file:)\S*(?::\/\/|:\S*@)|\b(?!file:)\w+:\/\/\S*@)[^\n]*/gi;

/** Hides what could be a connection string, this one among them, in a text that others worded. */
export function withoutUris(text: string, uri = ''): string {
  const clean = uri === '' ? text : text.replaceAll(uri, HIDDEN);
  return clean.replace(LIKE_A_URI, HIDDEN);
}

/** Whether a text may be meant as a connection string, where another thing is expected. */
export function isLikeUri(text: string): boolean {
  return /:\/\/|mongodb(?:\+srv)?(?::|\/\/)|:.*@/is.test(text);
}
