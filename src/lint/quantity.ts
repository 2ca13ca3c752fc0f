import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND, isIsoTime } from '../time-units.js';

/** How a time may be written, for errors. */
export const SINCE_EXAMPLES =
  'a date or time, such as 2026-11-27 or 2026-11-27T08:00Z, or how long ago, such as 90min, 2h or 7d';

const BYTES_PER_KB = 1024;

/** Each unit in ms, or in bytes. Sizes go in binary steps, as everywhere in mongolint and in mongosh. */
const UNITS = {
  ms: { ms: 1, s: MS_PER_SECOND, min: MS_PER_MINUTE, m: MS_PER_MINUTE, h: MS_PER_HOUR, d: MS_PER_DAY },
  bytes: { b: 1, kb: BYTES_PER_KB, mb: BYTES_PER_KB ** 2, gb: BYTES_PER_KB ** 3 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>;

export type QuantityUnit = keyof typeof UNITS;

/** How a time or a size may be written, for errors and for `--help`. */
export const QUANTITY_EXAMPLES: Readonly<Record<QuantityUnit, string>> = {
  ms: '500ms, 15s, 10min or 1h',
  bytes: '64KB, 64MB or 1GB',
};

/**
 * A time in ms or a size in bytes, as people write it: "15s", "1.5 h", "64MB", or a number alone in ms or bytes.
 *
 * @returns a whole number, or null if the text is none, or has a unit that does not fit
 */
export function quantity(text: string, unit: QuantityUnit): number | null {
  const [, digits, name = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const units: Readonly<Record<string, number>> = UNITS[unit];
  const factor = name === '' ? 1 : units[name.toLowerCase()];
  const value = factor === undefined ? Number.NaN : Number(digits) * factor;
  return Number.isSafeInteger(value) ? value : null;
}

export function isQuantityUnit(unit: string | undefined): unit is QuantityUnit {
  return unit !== undefined && Object.hasOwn(UNITS, unit);
}

/**
 * A time as people write it: in ISO 8601, or how long ago.
 *
 * @returns ms since 1970, or null if the text is neither, or in the future
 */
export function sinceTime(text: string, now: number): number | null {
  const isAgo = /[a-z]$/i.test(text) && !text.includes('-');
  const ago = isAgo ? quantity(text, 'ms') : null;
  const time = isAgo ? (ago === null ? Number.NaN : now - ago) : /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return isIsoTime(time) && time <= now ? time : null;
}

export function isSince(text: string): boolean {
  return sinceTime(text, Date.now()) !== null;
}
