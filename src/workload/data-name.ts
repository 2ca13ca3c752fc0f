/** What field names that are data look like; `numbered` if only their digits differ, `mixed` if they are of several kinds. */
export const FIELD_NAME_PATTERNS = ['objectId', 'uuid', 'hex', 'date', 'number', 'email', 'numbered', 'mixed'] as const;
export type FieldNamePattern = (typeof FIELD_NAME_PATTERNS)[number];

const PATTERNS: readonly (readonly [Exclude<FieldNamePattern, 'mixed'>, RegExp])[] = [
  ['uuid', /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i],
  ['objectId', /^[0-9a-f]{24}$/i],
  ['date', /^[12]\d{3}([-_/.])(?:(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01])(?:[T _]\d.*)?)?|[QWqw]\d{1,2})$/],
  ['number', /^-?\d+$/],
  ['email', /^[^\s@]+@[^\s@]+$/],
  // Ids and hashes: whole bytes, at least four, with both kinds of digits.
  ['hex', /^(?=.*\d)(?=.*[a-f])(?:[0-9a-f]{2}){4,32}$/i],
];

/** Every name that matches a pattern has one of these: most names have none, and skip the patterns. */
const ANY_PATTERN = /[\d@]|^[a-f-]{24,36}$/i;

/** The data pattern that a field name matches; null for a name that people may have given. */
export function namePattern(name: string): Exclude<FieldNamePattern, 'mixed'> | null {
  if (!ANY_PATTERN.test(name)) return null;
  return PATTERNS.find(([, expression]) => expression.test(name))?.[0] ?? null;
}

/** Digits from which a name holds a number, a date or an identifier. "line2" and "iso3166" have fewer. */
const DIGITS_OF_DATA = 5;

/** Characters beyond which a name is a text or a key. The longest names in use, such as FHIR's, have fewer. */
const LONGEST_NAME = 40;

/** Characters from which a name of both cases and digits may be a token: 12 bytes in base64. */
const SHORTEST_TOKEN = 16;

/** Mean length of its words and numbers below which a name is unreadable: camel case has 5, base64 has 2. */
const READABLE_WORD = 3.5;

/** Letters of any script, digits, underscores, hyphens, dollar signs. An empty name says nothing. */
const IDENTIFIER = /^[\p{L}\p{M}\p{N}_$-]*$/u;

/**
 * Whether a field name by itself looks like data: a phone number, a person's name, an account number, a token. A rule
 * of thumb that errs on the side of data, because such a name must not be shown.
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
