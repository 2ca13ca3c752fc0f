/** What a text may stand for: a value of one of these types, in the form in which libraries write it. */
export const TEXT_FORMATS = ['objectId', 'uuid', 'date', 'number'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

const OBJECT_ID_LENGTH = 24;
const UUID_LENGTH = 36;
const DAY_LENGTH = 10;
/** In digits, from which a double does not hold every whole number. */
const LONGEST_NUMBER = 15;

const [ZERO, NINE, HYPHEN, POINT, SPACE, UPPER_T] = [0x30, 0x39, 0x2d, 0x2e, 0x20, 0x54];
const DAY_DIGITS = [0, 1, 2, 3, 5, 6, 8, 9];
const UUID_HYPHENS = [8, 13, 18, 23];

/** The format of a text in UTF-8, by its bytes alone; most texts are none after a look at their length. */
export function textFormat(bytes: Uint8Array, from: number, length: number): TextFormat | null {
  if (length === OBJECT_ID_LENGTH && isHex(bytes, from, length, [])) return 'objectId';
  if (length === UUID_LENGTH && isHex(bytes, from, length, UUID_HYPHENS)) return 'uuid';
  if (length >= DAY_LENGTH && isDay(bytes, from, length)) return 'date';
  return length > 0 && length <= LONGEST_NUMBER && isNumber(bytes, from, length) ? 'number' : null;
}

function isHex(bytes: Uint8Array, from: number, length: number, hyphens: readonly number[]): boolean {
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[from + at] as number;
    // With the sixth bit set, a letter is in lower case.
    const letter = byte | 0x20;
    const isDigit = isDigitByte(byte) || (letter >= 0x61 && letter <= 0x66);
    if (hyphens.includes(at) ? byte !== HYPHEN : !isDigit) return false;
  }
  return true;
}

/** ISO 8601, as `toISOString` writes it, or the day alone. */
function isDay(bytes: Uint8Array, from: number, length: number): boolean {
  if (bytes[from + 4] !== HYPHEN || bytes[from + 7] !== HYPHEN) return false;
  const next = bytes[from + DAY_LENGTH];
  if (length > DAY_LENGTH && next !== UPPER_T && next !== SPACE) return false;
  return DAY_DIGITS.every((at) => isDigitByte(bytes[from + at] as number));
}

/** A leading zero belongs to a code, such as that of a post office. */
function isNumber(bytes: Uint8Array, from: number, length: number): boolean {
  const start = bytes[from] === HYPHEN ? 1 : 0;
  if (length === start || (bytes[from + start] === ZERO && length > start + 1 && bytes[from + start + 1] !== POINT))
    return false;
  let points = 0;
  for (let at = start; at < length; at += 1) {
    const byte = bytes[from + at] as number;
    if (byte === POINT && at > start && at < length - 1) points += 1;
    else if (!isDigitByte(byte)) return false;
  }
  return points <= 1;
}

function isDigitByte(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}
