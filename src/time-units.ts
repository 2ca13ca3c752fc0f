/** In ms, or in s if the name says so. */
export const MS_PER_SECOND = 1_000;
export const MS_PER_MINUTE = 60 * MS_PER_SECOND;
export const MS_PER_HOUR = 60 * MS_PER_MINUTE;
export const MS_PER_DAY = 24 * MS_PER_HOUR;
/** The longest time of a timer of Node's. */
export const LONGEST_TIMER = 2 ** 31 - 1;
export const SECONDS_PER_DAY = 24 * 60 * 60;

export const FIRST_TIME = Date.parse('0000-01-01T00:00:00Z');
export const LAST_TIME = Date.UTC(10_000, 0) - 1;

/** True of ms since 1970 if ISO 8601 writes the year in four digits, as every schema demands. False of NaN. */
export function isIsoTime(time: number): boolean {
  return time >= FIRST_TIME && time <= LAST_TIME;
}
