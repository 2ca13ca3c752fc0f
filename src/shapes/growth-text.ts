import type { DayRange } from '../evidence/growth/forecast.js';
import type { GrowthSource, LimitForecast } from '../evidence/growth/growth.js';
import { formatBytes, formatCount } from '../format.js';

/** Units of time in days, and from how many days on they are used. */
const TIME_UNITS = [
  { name: 'minute', days: 1 / (24 * 60), from: 0 },
  { name: 'hour', days: 1 / 24, from: 1 / 12 },
  { name: 'day', days: 1, from: 2 },
  { name: 'week', days: 7, from: 21 },
  { name: 'month', days: 30.44, from: 90 },
  { name: 'year', days: 365.25, from: 730 },
] as const;
type TimeUnit = (typeof TIME_UNITS)[number];

/** Below so many units of time a figure keeps a digit after the point. */
const FEW = 3;

/** The sources of growth in the words of a sentence. */
const SOURCE_TEXT: Readonly<Record<GrowthSource, string>> = {
  age: 'the ages of the documents',
  oplog: 'the oplog',
  history: 'earlier runs',
};

/** "the ages of the documents and the oplog". */
export function growthSourcesText(sources: readonly GrowthSource[]): string {
  const names = sources.map((source) => SOURCE_TEXT[source]);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** A rate per day in a unit of time in which it is no small fraction: "4.2 elements a day", "3 elements a month". */
export function rateText(perDay: number, unit: 'elements' | 'bytes'): string {
  const time = TIME_UNITS.find(({ days }) => days >= 1 && perDay * days >= 1) ?? (TIME_UNITS.at(-1) as TimeUnit);
  const amount = perDay * time.days;
  if (unit === 'bytes') return `${formatBytes(amount)} a ${time.name}`;
  const count = formatCount(amount);
  return `${count} ${count === '1' ? 'element' : 'elements'} a ${time.name}`;
}

/** When something comes about: "in 9 to 12 weeks", "within 5 hours". Null where it has, or is not forecast. */
export function rangeText(range: DayRange | null): string | null {
  if (range === null || range.latest === 0) return null;
  const unit = TIME_UNITS.findLast(({ from }) => range.latest >= from) as TimeUnit;
  const [earliest, latest] = [figure(Math.floor, range.earliest, unit), figure(Math.ceil, range.latest, unit)];
  const name = latest === '1' ? unit.name : `${unit.name}s`;
  if (earliest === '0') return `within ${latest} ${name}`;
  return earliest === latest ? `in ${latest} ${name}` : `in ${earliest} to ${latest} ${name}`;
}

/**
 * When arrays reach the limits: "A typical array reaches 200 elements in 9 to 12 weeks; the largest reaches 1,000 elements
 * in 2 to 3 months and its document 16 MB in 2 to 4 years." Empty where nothing is forecast.
 */
export function forecastText(forecasts: readonly LimitForecast[]): string {
  const clauses = [clauseOf('a typical array', 'typical', forecasts), clauseOf('the largest', 'largest', forecasts)].filter((clause) => clause !== null);
  const text = clauses.join('; ');
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

function clauseOf(subject: string, which: 'typical' | 'largest', forecasts: readonly LimitForecast[]): string | null {
  const parts = forecasts.flatMap((forecast) => {
    const when = rangeText(forecast[which]);
    if (when === null) return [];
    return [forecast.unit === 'bytes' ? `its document ${formatBytes(forecast.limit)} ${when}` : `${formatCount(forecast.limit)} elements ${when}`];
  });
  if (parts.length === 0) return null;
  return `${subject} reaches ${parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`}`;
}

function figure(round: (value: number) => number, days: number, { days: unit }: TimeUnit): string {
  const amount = days / unit;
  return String(amount < FEW ? round(amount * 10) / 10 : round(amount));
}
