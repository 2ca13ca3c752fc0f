import type { Problem } from '../../check.js';
import { capitalized, formatBytes, formatCount, inWords, plural } from '../../format.js';
import type {
  ArrayGrowth,
  DayRange,
  GrowthEvidence,
  GrowthSource,
  LimitForecast,
  MeasuredGrowth,
} from '../../growth/growth.js';
import { SECONDS_PER_DAY } from '../../time-units.js';

/** Days until documents reach 16 MB up to which it is an error. Judgement: a team needs weeks to move an array to its own collection. */
export const GROWTH_ERROR_DAYS = 90;

/** A forecast that documents reach 16 MB. The path is that of the array that grows; null if it is the document as a whole. */
export interface GrowthTowardsLimit {
  readonly path: string | null;
  readonly sources: readonly GrowthSource[];
  readonly expectedDays: number;
  readonly range: DayRange;
}

/** Units of time in days, and the number of days from which each is used. */
const TIME_UNITS = [
  { name: 'minute', days: 1 / (24 * 60), from: 0 },
  { name: 'hour', days: 1 / 24, from: 1 / 12 },
  { name: 'day', days: 1, from: 2 },
  { name: 'week', days: 7, from: 21 },
  { name: 'month', days: 30.44, from: 90 },
  { name: 'year', days: 365.25, from: 730 },
] as const;

type TimeUnit = (typeof TIME_UNITS)[number];

const RATE_UNITS = [{ name: 'second', days: 1 / SECONDS_PER_DAY }, ...TIME_UNITS] as const;

/** Units of time below which a figure keeps one decimal. */
const FEW = 3;

const SOURCE_NAMES: Readonly<Record<GrowthSource, string>> = { age: 'sample', oplog: 'oplog', history: 'history' };

const SOURCE_TEXT: Readonly<Record<GrowthSource, string>> = {
  age: 'the ages of the documents',
  oplog: 'the oplog',
  history: 'earlier runs',
};

export function growthSourceNames(sources: readonly GrowthSource[]): string[] {
  return sources.map((source) => SOURCE_NAMES[source]);
}

export function growthSourcesText(sources: readonly GrowthSource[]): string {
  return inWords(sources.map((source) => SOURCE_TEXT[source]));
}

/** "4.2 elements a day", "3 elements a month". @param shortestDays the shortest unit of time that may be used, in days */
export function rateText(perDay: number, unit: 'elements' | 'bytes', shortestDays = 1): string {
  const time =
    RATE_UNITS.find(({ days }) => days >= shortestDays && perDay * days >= 1) ?? (TIME_UNITS.at(-1) as TimeUnit);
  const amount = perDay * time.days;
  const each = time.name === 'hour' ? 'an hour' : `a ${time.name}`;
  if (unit === 'bytes') return `${formatBytes(amount)} ${each}`;
  const count = formatCount(amount);
  return `${count} ${count === '1' ? 'element' : 'elements'} ${each}`;
}

/** "in 9 to 12 weeks", "within 5 hours". Null if it has happened already, or is not forecast. */
export function rangeText(range: DayRange | null): string | null {
  if (range === null || range.latest === 0) return null;
  const unit = TIME_UNITS.findLast(({ from }) => range.latest >= from) as TimeUnit;
  const [earliest, latest] = [figure(Math.floor, range.earliest, unit), figure(Math.ceil, range.latest, unit)];
  const name = latest === '1' ? unit.name : `${unit.name}s`;
  if (earliest === '0') return `within ${latest} ${name}`;
  return earliest === latest ? `in ${latest} ${name}` : `in ${earliest} to ${latest} ${name}`;
}

/** "A typical array reaches 200 elements in 9 to 12 weeks; the largest reaches 1,000 elements in 2 to 3 months." Empty without a forecast. */
export function forecastText(forecasts: readonly LimitForecast[]): string {
  const clauses = [
    clauseOf('a typical array', 'typical', forecasts),
    clauseOf('the largest', 'largest', forecasts),
  ].filter((clause) => clause !== null);
  const text = clauses.join('; ');
  return text === '' ? '' : `${capitalized(text)}.`;
}

function clauseOf(subject: string, which: 'typical' | 'largest', forecasts: readonly LimitForecast[]): string | null {
  const parts = forecasts.flatMap(({ unit, limit, ...forecast }) => {
    const when = rangeText(forecast[which]);
    return when === null
      ? []
      : [{ unit, text: `${unit === 'bytes' ? formatBytes(limit) : plural(limit, 'element')} ${when}` }];
  });
  const [first] = parts;
  if (first === undefined) return null;
  const texts = parts.map(({ unit, text }) =>
    unit === 'bytes' && first.unit === 'elements' ? `its document ${text}` : text,
  );
  const whose = first.unit === 'bytes' ? `the document of ${subject}` : subject;
  return `${whose} reaches ${inWords(texts)}`;
}

function figure(round: (value: number) => number, days: number, { days: unit }: TimeUnit): string {
  const amount = days / unit;
  return String(amount < FEW ? round(amount * 10) / 10 : round(amount));
}

/** What brings documents to 16 MB first, if a forecast can be made. A single busy hour does not count. */
export function growthTowardsLimit(growth: GrowthEvidence | undefined): GrowthTowardsLimit | null {
  const all = [
    ...(growth?.arrays ?? []).map(arrayTowardsLimit),
    towards(null, growth?.sizes.growth ?? null, growth?.sizes.forecast ?? null),
  ];
  const made = all.filter((one) => one !== null);
  return made.length === 0 ? null : made.reduce((a, b) => (b.expectedDays < a.expectedDays ? b : a));
}

export function arrayTowardsLimit({ path, forecasts, growth }: ArrayGrowth): GrowthTowardsLimit | null {
  return towards(path, growth, forecasts.find(({ unit }) => unit === 'bytes') ?? null);
}

/** Adds the forecast to a problem: an error if documents reach 16 MB soon. */
export function withGrowthTowardsLimit(
  problem: Problem,
  growth: GrowthTowardsLimit | null,
  errorDays = GROWTH_ERROR_DAYS,
): Problem {
  if (growth === null) return problem;
  return {
    ...problem,
    severity: growth.expectedDays <= errorDays && problem.confidence !== 'low' ? 'error' : problem.severity,
    message: `${problem.message} ${towardsLimitText(growth)}`,
    evidence: Object.assign({}, problem.evidence, {
      forecastDays: { '16 MB': [growth.range.earliest, growth.range.latest] },
    }),
  };
}

function towardsLimitText({ path, range }: GrowthTowardsLimit): string {
  const why = path === null ? '' : `, because \`${path}\` grows`;
  return `At the measured rate, documents reach 16 MB ${rangeText(range)}${why}.`;
}

function towards(
  path: string | null,
  growth: MeasuredGrowth | null,
  forecast: LimitForecast | null,
): GrowthTowardsLimit | null {
  const range = forecast?.largest ?? forecast?.typical ?? null;
  if (growth === null || growth.confidence === 'low' || forecast === null || range === null || range.latest === 0)
    return null;
  return {
    path,
    sources: growth.sources,
    expectedDays: forecast.expectedDays,
    range,
  };
}
