import type { TrackedValues } from './tracked-documents.js';

/**
 * The documents' Mann-Kendall statistics together, in standard errors of what chance would do if each length went up and
 * down at random: a random walk. Sources: D. Helsel and L. Frans, "Regional Kendall test for trend", 2006; the variance by
 * W. F. Sheppard's formula for two normal variables of one sign, 1899.
 */
export function trendOf({ daysAgo, documents }: TrackedValues): number {
  let sum = 0;
  let variance = 0;
  const variances = new Map<string, number>();
  for (const { values } of documents) {
    const runs = daysAgo.flatMap((_, run) => (Number.isNaN(values[run]) ? [] : [run]));
    const signs = runs.flatMap((run, index) =>
      runs.slice(0, index).map((earlier) => Math.sign((values[run] as number) - (values[earlier] as number))),
    );
    if (signs.every((sign) => sign === 0)) continue;
    sum += signs.reduce((total, sign) => total + sign, 0);
    const key = runs.join(' ');
    const known = variances.get(key) ?? walkVariance(runs.map((run) => daysAgo[run] as number));
    variances.set(key, known);
    variance += known;
  }
  return variance === 0 ? 0 : sum / Math.sqrt(variance);
}

function walkVariance(daysAgo: readonly number[]): number {
  const spans = daysAgo.flatMap((to, index) => daysAgo.slice(0, index).map((from) => ({ from, to })));
  let variance = 0;
  for (const one of spans)
    for (const other of spans) {
      const overlap = Math.max(0, Math.min(one.from, other.from) - Math.max(one.to, other.to));
      const lengths = Math.sqrt((one.from - one.to) * (other.from - other.to));
      variance += (2 / Math.PI) * Math.asin(Math.min(1, overlap / lengths));
    }
  return variance;
}
