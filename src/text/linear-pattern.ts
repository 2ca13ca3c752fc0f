import { RE2JS } from 're2js';

/** Says in an error what such a pattern must be. */
export const LINEAR_SYNTAX = 'a regular expression as RE2 has them, without lookaheads and backreferences';

/** A regular expression of a user. Whatever it is, the time that it takes grows only with the length of the text. */
export interface LinearPattern {
  readonly groups: ReadonlySet<string>;
  matchesWhole(text: string): boolean;
  /** The named groups of the first match; null if there is none. */
  find(text: string): Readonly<Record<string, string | undefined>> | null;
}

/** Null if RE2 does not take it. Source of the syntax: https://github.com/google/re2/wiki/Syntax */
export function linearPattern(text: string): LinearPattern | null {
  const pattern = compiled(text);
  if (pattern === null) return null;
  const groups = Object.keys(pattern.namedGroups());
  return {
    groups: new Set(groups),
    matchesWhole: (given) => pattern.matches(given),
    find(given) {
      const matcher = pattern.matcher(given);
      if (!matcher.find()) return null;
      return Object.fromEntries(groups.map((name) => [name, matcher.group(name) ?? undefined]));
    },
  };
}

function compiled(text: string): RE2JS | null {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(text));
  } catch {
    return null;
  }
}
