/** What field names that are data look like; `mixed` where they are of several kinds. */
export type FieldNamePattern = 'objectId' | 'uuid' | 'date' | 'number' | 'email' | 'mixed';

const PATTERNS: readonly (readonly [Exclude<FieldNamePattern, 'mixed'>, RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i],
  ['objectId', /^[0-9a-f]{24}$/i],
  ['date', /^[12]\d{3}([-_/.])(?:(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01])(?:[T _]\d.*)?)?|[QWqw]\d{1,2})$/],
  ['number', /^-?\d+$/],
  ['email', /^[^\s@]+@[^\s@]+$/],
];

/** What every name has that matches a pattern: most names have none of it, and the patterns are not tried on them. */
const ANY_PATTERN = /[\d@]|^[a-f-]{24,36}$/i;

/** The data pattern that a field name matches; null for a name that people may have given. */
export function namePattern(name: string): Exclude<FieldNamePattern, 'mixed'> | null {
  if (!ANY_PATTERN.test(name)) return null;
  return PATTERNS.find(([, expression]) => expression.test(name))?.[0] ?? null;
}

/** Digits in a name from which it is a number, a date or an identifier, wherever they stand. "line2" and "iso3166" have fewer. */
const DIGITS_OF_DATA = 5;

/** Characters beyond which a name is a text or a key. The longest names in use, such as FHIR's, have fewer. */
const LONGEST_NAME = 40;

/** Characters from which a name of both cases and digits may be a token: 12 bytes in base64. */
const SHORTEST_TOKEN = 16;

/** Mean length of the words and numbers of a name below which nobody can read it: a camel-cased name has 5, base64 has 2. */
const READABLE_WORD = 3.5;

/** What people write by hand: letters of any script, digits, underscores, hyphens and dollar signs. The empty name tells nothing. */
const IDENTIFIER = /^[\p{L}\p{M}\p{N}_$-]*$/u;

/**
 * Whether a field name by itself looks like data, such as a phone number, a name of a person, an account number or a
 * token: it is no identifier, is very long, holds many digits, or reads like base64. A rule of thumb that errs on the
 * side of data, as such a name must not be shown; whoever asks knows whether most objects share the name.
 */
export function looksLikeData(name: string): boolean {
  const digits = name.match(/\p{N}/gu)?.length ?? 0;
  return digits >= DIGITS_OF_DATA || name.length > LONGEST_NAME || !IDENTIFIER.test(name) || isToken(name);
}

function isToken(name: string): boolean {
  if (name.length < SHORTEST_TOKEN || !/[a-z]/.test(name) || !/[A-Z]/.test(name) || !/\d/.test(name)) return false;
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  return words.join('').length < READABLE_WORD * words.length;
}
