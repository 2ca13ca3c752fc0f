import { gammaln } from 'simple-statistics';

/**
 * The chance that a figure which lies exactly on a line crosses it, by the luck of a sample: so small that a job that judges
 * ten such figures a day is wrong once in three years.
 */
export const LINE_RISK = 1e-4;
/** Standard deviations of a normal distribution, on one side. */
export const LINE_DEVIATIONS = 3.719;
/**
 * What was seen so often in a random sample shows in a further one, too: what is expected half a time is seen so often in
 * one of 5,000 samples, and what is expected 20 times, less often in one of 50,000 (Poisson).
 */
export const LEAST_SEEN = 5;
const HALVINGS = 50;
const NEGLIGIBLE = 1e-12;

export type Interval = readonly [low: number, high: number];

/**
 * The ranks, from 1, between which a quantile of everything lies, if `count` values were drawn at random. Order statistics:
 * the number of values below it is binomial, here by Cornish and Fisher's expansion (Revue de l'Institut International de
 * Statistique, 1938), which is off by one rank at most.
 *
 * @param share of the values that the quantile reaches, 0 to 1
 */
export function rankInterval(count: number, share: number): Interval {
  const spread = LINE_DEVIATIONS * Math.sqrt(count * share * (1 - share));
  const skew = ((LINE_DEVIATIONS ** 2 - 1) / 6) * (1 - 2 * share);
  const within = (rank: number) => Math.min(count, Math.max(1, rank));
  return [within(Math.floor(count * share - spread + skew)), within(Math.ceil(count * share + spread + skew))];
}

/**
 * The share of everything, 0 to 1, if so many of the values drawn at random have a property: the exact binomial interval of
 * Clopper and Pearson (Biometrika 26, 1934).
 *
 * @param risk that it lies beyond, on each side
 */
export function shareInterval(hits: number, trials: number, risk: number = LINE_RISK): Interval {
  if (trials === 0) return [0, 1];
  return [
    hits === 0 ? 0 : shareWhere((share) => 1 - atMost(hits - 1, trials, share) > risk),
    hits === trials ? 1 : shareWhere((share) => atMost(hits, trials, share) < risk),
  ];
}

/** Fisher's z (Metron 1, 1921). */
export function correlationInterval(correlation: number, pairs: number): Interval {
  if (pairs <= 3) return [-1, 1];
  const z = Math.atanh(Math.min(1 - NEGLIGIBLE, Math.max(NEGLIGIBLE - 1, correlation)));
  const error = LINE_DEVIATIONS / Math.sqrt(pairs - 3);
  return [Math.tanh(z - error), Math.tanh(z + error)];
}

function shareWhere(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The binomial probability of at most so many hits. */
function atMost(hits: number, trials: number, share: number): number {
  if (hits >= trials || share <= 0) return 1;
  if (share >= 1) return 0;
  return hits < trials * share ? tail(hits, trials, share) : 1 - tail(trials - hits - 1, trials, 1 - share);
}

/** For `hits` below the mean. */
function tail(hits: number, trials: number, share: number): number {
  let term = Math.exp(
    gammaln(trials + 1) -
      gammaln(hits + 1) -
      gammaln(trials - hits + 1) +
      hits * Math.log(share) +
      (trials - hits) * Math.log1p(-share),
  );
  let sum = term;
  for (let each = hits; each > 0 && term > sum * NEGLIGIBLE; each -= 1) {
    term *= (each / (trials - each + 1)) * ((1 - share) / share);
    sum += term;
  }
  return sum;
}
