import type { Problem, Threshold } from '../../check.js';
import type {
  ArrayGrowth,
  GrowthEvidence,
  GrowthSource,
  LimitForecast,
  MeasuredGrowth,
} from '../../evidence/growth/growth.js';
import type { DayRange } from '../../evidence/growth/forecast.js';
import { rangeText } from './growth-text.js';

/** The threshold that growth towards 16 MB is judged by, for a check to offer as its own. */
export const GROWTH_THRESHOLDS = {
  growthErrorDays: {
    default: 90,
    unit: 'days',
    description: 'days until documents have 16 MB, at the rate measured, from which an error is given',
    source: 'judgement: moving an array into a collection of its own takes a team weeks',
  },
} as const satisfies Readonly<Record<string, Threshold>>;

/** A forecast that documents reach 16 MB, and the array that brings them there; null where it is the documents as a whole. */
export interface GrowthTowardsLimit {
  readonly path: string | null;
  readonly sources: readonly GrowthSource[];
  readonly expectedDays: number;
  readonly range: DayRange;
}

/**
 * What brings documents to 16 MB soonest, where a forecast can be made of it. What a busy hour shows does not count.
 *
 * @param growth undefined where it was not measured
 */
export function growthTowardsLimit(growth: GrowthEvidence | undefined): GrowthTowardsLimit | null {
  const all = [
    ...(growth?.arrays ?? []).map(arrayTowardsLimit),
    towards(null, growth?.sizes.growth ?? null, growth?.sizes.forecast ?? null),
  ];
  const made = all.filter((one) => one !== null);
  return made.length === 0 ? null : made.reduce((a, b) => (b.expectedDays < a.expectedDays ? b : a));
}

/** The same of the arrays at one path. */
export function arrayTowardsLimit({ path, forecasts, growth }: ArrayGrowth): GrowthTowardsLimit | null {
  return towards(path, growth, forecasts.find(({ unit }) => unit === 'bytes') ?? null);
}

/** A problem of documents that grow: an error where they have 16 MB in so few days. As it is where they do not grow. */
export function withGrowthTowardsLimit(
  problem: Problem,
  growth: GrowthTowardsLimit | null,
  errorDays: number,
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

/** "The growth of `log` brings documents to 16 MB in 3 to 5 weeks, at the rate measured." */
export function towardsLimitText({ path, range }: GrowthTowardsLimit): string {
  const what = path === null ? 'Their growth' : `The growth of \`${path}\``;
  return `${what} brings documents to 16 MB ${rangeText(range)}, at the rate measured.`;
}

function towards(
  path: string | null,
  growth: MeasuredGrowth | null,
  forecast: LimitForecast | null,
): GrowthTowardsLimit | null {
  const range = forecast?.largest ?? forecast?.typical ?? null;
  if (growth === null || growth.confidence === 'low' || forecast === null || range === null || range.latest === 0)
    return null;
  return { path, sources: growth.sources, expectedDays: forecast.expectedDays, range };
}
