import { isIsoTime } from '../time-units.js';
import { quantity } from './quantity.js';

/** How a time may be written, for errors. */
export const SINCE_EXAMPLES =
  'a date or time, such as 2026-11-27 or 2026-11-27T08:00Z, or how long ago, such as 90min, 2h or 7d';

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
