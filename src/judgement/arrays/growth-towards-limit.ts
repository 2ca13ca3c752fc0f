import type { Problem } from '../../check.js';
import type {
  ArrayGrowth,
  DayRange,
  GrowthEvidence,
  GrowthSource,
  LimitForecast,
  MeasuredGrowth,
} from '../../growth/growth.js';
import { rangeText } from './growth-text.js';

/** Days until documents reach 16 MB up to which it is an error. Judgement: a team needs weeks to move an array to its own collection. */
export const GROWTH_ERROR_DAYS = 90;

/** A forecast that documents reach 16 MB. The path is that of the array that grows; null if it is the document as a whole. */
export interface GrowthTowardsLimit {
  readonly path: string | null;
  readonly sources: readonly GrowthSource[];
  readonly expectedDays: number;
  readonly range: DayRange;
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

export function towardsLimitText({ path, range }: GrowthTowardsLimit): string {
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
