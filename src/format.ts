import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from './time-units.js';

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
const BYTES_PER_UNIT = 1024;

/** The places of a number's text where a comma goes. Intl takes longer to load than a report takes to be written. */
const THOUSANDS = /\B(?=(?:\d{3})+(?:\.\d)?$)/g;

/** Bytes for people, in binary steps as in mongosh and the server's documentation: 16777216 → "16 MB". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.round(value) >= BYTES_PER_UNIT && unit < BYTE_UNITS.length - 1) {
    value /= BYTES_PER_UNIT;
    unit += 1;
  }
  const digits = value >= 10 || unit === 0 ? 0 : 1;
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${BYTE_UNITS[unit]}`;
}

/** A count with thousands separated: 30000 → "30,000"; fractions keep one digit below 10. */
export function formatCount(count: number): string {
  if (!Number.isInteger(count) && count < 10) return oneDigit(count);
  return count.toFixed(0).replace(THOUSANDS, ',');
}

function oneDigit(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '').replace(THOUSANDS, ',');
}

/** A share from 0 to 1 as per cent: 0.034 → "3.4 %". Never rounds a part to "0 %" or to "100 %". */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  if (percent < 100 && percent > 99.9) return '> 99.9 %';
  const digits = percent >= 10 || Number.isInteger(percent) ? 0 : 1;
  if (digits === 0 && percent < 100 && Math.round(percent) === 100) return `${percent.toFixed(1)} %`;
  return `${percent.toFixed(digits)} %`;
}

/** "1 document", "2 documents", "1,000 documents"; by default the plural is the noun with an s. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** With a capital, as a sentence begins. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * "a", "a and b", "a, b and c"; at most `most` of them, and how many there are beyond: "a, b and 1,990 more".
 *
 * @param more what these are called
 */
export function inWords(items: readonly string[], most = items.length, more = 'more'): string {
  const left = items.length - most;
  const named = left > 0 ? [...items.slice(0, most), `${formatCount(left)} ${more}`] : items;
  const last = named.at(-1) ?? '';
  return named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`;
}

/** Sentences after one another; what does not apply is left out. */
export function sentences(...texts: readonly (string | false)[]): string {
  return texts.filter((text) => text !== false).join(' ');
}

/** A time in ms for people, in one unit: 350 → "350 ms", 8200 → "8.2 s", 5400000 → "1.5 h". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < MS_PER_SECOND) return `${formatCount(Math.round(milliseconds))} ms`;
  if (milliseconds < MS_PER_MINUTE) return `${oneDigit(milliseconds / MS_PER_SECOND)} s`;
  if (milliseconds < MS_PER_HOUR) return `${oneDigit(milliseconds / MS_PER_MINUTE)} min`;
  if (milliseconds < MS_PER_DAY) return `${oneDigit(milliseconds / MS_PER_HOUR)} h`;
  const days = oneDigit(milliseconds / MS_PER_DAY);
  return `${days} ${days === '1' ? 'day' : 'days'}`;
}

/** The day in UTC, as "2026-11-28". */
export function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
