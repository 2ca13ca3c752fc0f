/** Parts of JSON with comments, each matched in one go: a text or a comment without an end goes on to the end of the file. */
const JSON_PARTS = /"(?:[^"\\]|\\[^])*"?|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\s+|[^]/g;

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Empty if it is no object. Comments and commas at the end are allowed, as in a tsconfig.json. */
export function objectIn(text: string): Json {
  const kept: string[] = [];
  for (const [part] of text.matchAll(JSON_PARTS)) {
    if (/^(?:\/[/*]|\s)/.test(part)) continue;
    if ((part === '}' || part === ']') && kept.at(-1) === ',') kept.pop();
    kept.push(part);
  }
  return objectOf(parsedJson(kept.join('')));
}

/** Undefined if it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Empty if it is none. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The texts in a list, or in the conditions of a package's exports. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
