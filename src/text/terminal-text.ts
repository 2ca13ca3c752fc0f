/**
 * Characters that are not printed but act, or cannot be seen: control characters of C0 and C1 (terminal escapes begin
 * with them), format characters (bidirectional marks, zero-width characters, tags), lone surrogates, line and
 * paragraph separators, what Unicode lists as ignorable (fillers, lone variation selectors), and code points that are
 * no characters, which XML does not even allow.
 */
const UNPRINTABLE = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`;

/** A backslash that would read as one of the escapes written here. */
const LOOKALIKE_ESCAPE = String.raw`\\(?=x[0-9A-F]{2}|u\{)`;

// An emoji is matched as a whole first, so that the joiners and selectors inside it are kept.
const EMOJI_OR_UNPRINTABLE = madeOnce(() => new RegExp(String.raw`\p{RGI_Emoji}|[${UNPRINTABLE}]`, 'gv'));
const EMOJI_OR_AMBIGUOUS = madeOnce(
  () => new RegExp(String.raw`\p{RGI_Emoji}|[${UNPRINTABLE}]|${LOOKALIKE_ESCAPE}`, 'gv'),
);
const UNPRINTABLE_IN_JSON = new RegExp(String.raw`[[${UNPRINTABLE}]--\n]`, 'gv');
const LONE_UNPRINTABLE = new RegExp(String.raw`^(?:[${UNPRINTABLE}]|\\)$`, 'v');
/** What nearly all texts are made of: ASCII but for the backslash, the letters of Latin-1, dashes and the like. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e\xa1-\xac\xae-\xff–—‘’“”…≤≥−·×]*$/;

/** Highest code point that `\xNN` can name. */
const LAST_TWO_DIGIT_CODE_POINT = 0xff;

/**
 * Makes a text safe and honest to print on a terminal: what would act or could not be seen is shown escaped, as `\xNN`
 * up to U+00FF and as `\u{NNNN}` above. Ordinary text in any script stays, emoji with joiners too. Different texts
 * stay different: a backslash that already reads like such an escape is escaped itself.
 */
export function terminalText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(EMOJI_OR_AMBIGUOUS(), escaped);
}

/**
 * Makes JavaScript source without line breaks safe to print. What is escaped must be in string literals: there the
 * escapes mean the same characters.
 */
export function terminalJavaScript(source: string): string {
  return PLAIN.test(source) ? source : source.replace(EMOJI_OR_UNPRINTABLE(), escaped);
}

/**
 * Makes JSON text safe to print, with JSON's own `\uNNNN`; it means the same. `JSON.stringify` escapes C0 controls and
 * lone surrogates only, and a report is often looked at with `cat`.
 */
export function terminalJson(json: string): string {
  return json.replace(UNPRINTABLE_IN_JSON, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/** Applies {@link terminalText} to every string in plain data, names of keys included. */
export function terminalData<T>(data: T): T;
export function terminalData(data: unknown): unknown {
  if (typeof data === 'string') return terminalText(data);
  if (Array.isArray(data)) return data.map((item: unknown) => terminalData(item));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [terminalText(key), terminalData(value)]));
}

/** The emoji take 4 ms of each start to compile. */
function madeOnce(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= make());
}

function escaped(match: string): string {
  if (!LONE_UNPRINTABLE.test(match)) return match;
  const codePoint = match.codePointAt(0) ?? 0;
  const digits = codePoint.toString(16).toUpperCase();
  return codePoint <= LAST_TWO_DIGIT_CODE_POINT ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits.padStart(4, '0')}}`;
}
