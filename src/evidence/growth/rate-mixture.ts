/** Elements that an array gained since the first entry of it that was drawn. */
export interface CountedGain {
  readonly gained: number;
  readonly days: number;
  /** Entries of it that were drawn. */
  readonly draws: number;
}

/** Rates per day between which they may lie, in steps of equal ratios. */
const RATES = 48;
const ROUNDS = 80;
/** From shares that are nearly right. */
const FEW_ROUNDS = 12;

/**
 * How fast arrays grow whose entries were drawn: the mixture of Poisson rates that makes the gains most likely (N. Laird,
 * "Nonparametric Maximum Likelihood Estimation of a Mixing Distribution", 1978). Arrays are drawn in proportion to their
 * rate, so that of the mixture's rates each counts as often as the share of such arrays that is written to at all.
 */
export class RateMixture {
  private readonly rates: readonly number[];
  private readonly likelihoods: readonly Float64Array[];
  /** By rate: arrays of that rate that are written to, for each entry drawn of one. */
  private readonly arraysPerDraw: readonly number[];

  /**
   * @param activeDays in which an array counts as written to if it had one write
   * @param burst elements that come together
   * @param arraysPerDraw for how many arrays that are written to a draw stands, by its rate
   * @param isSeen the chance that an array of a rate was written to in so many days, if others are left out
   */
  constructor(
    private readonly gains: readonly CountedGain[],
    activeDays: number,
    burst = 1,
    arraysPerDraw = (rate: number) => -Math.expm1((-rate / burst) * activeDays) / rate,
    isSeen?: (rate: number, days: number) => number,
  ) {
    const fastest = Math.max(...gains.map(({ gained, days }) => (gained + 1) / Math.max(days, activeDays / 50)));
    const slowest = Math.min(0.05 / activeDays, fastest / 1_000);
    this.rates = Array.from({ length: RATES }, (_, index) => slowest * (fastest / slowest) ** (index / (RATES - 1)));
    this.likelihoods = gains.map((gain) => likelihoodsOf(gain, this.rates, burst, isSeen));
    this.arraysPerDraw = this.rates.map(arraysPerDraw);
  }

  fit(): FittedRates {
    const shares = this.shares(
      Float64Array.from(this.rates, () => 1 / RATES),
      ROUNDS,
      () => false,
    );
    return { median: this.medianOf(shares), shares, ...this.posteriors(shares) };
  }

  /** The median without some of the arrays. */
  medianWithout({ shares }: FittedRates, isLeftOut: (index: number) => boolean): number {
    return this.medianOf(this.shares(shares, FEW_ROUNDS, isLeftOut));
  }

  private shares(from: Float64Array, rounds: number, isLeftOut: (index: number) => boolean): Float64Array {
    let shares = from;
    for (let round = 0; round < rounds; round += 1) {
      const next = new Float64Array(RATES);
      for (const [index, likelihood] of this.likelihoods.entries())
        if (!isLeftOut(index)) addPosterior(next, likelihood, shares, this.drawsOf(index));
      const total = next.reduce((sum, share) => sum + share, 0);
      shares = next.map((share) => share / total);
    }
    return shares;
  }

  private drawsOf(index: number): number {
    return (this.gains[index] as CountedGain).draws;
  }

  /** Over arrays, not over their entries. */
  private medianOf(shares: Float64Array): number {
    const arrays = this.rates.map((_, index) => (shares[index] as number) * (this.arraysPerDraw[index] as number));
    const half = arrays.reduce((sum, share) => sum + share, 0) / 2;
    let below = 0;
    for (const [index, share] of arrays.entries()) {
      if (below + share >= half) {
        const step = Math.log((this.rates[1] as number) / (this.rates[0] as number));
        return (this.rates[index] as number) * Math.exp(step * ((half - below) / share - 0.5));
      }
      below += share;
    }
    return this.rates.at(-1) as number;
  }

  private posteriors(shares: Float64Array): Pick<FittedRates, 'rates' | 'weights'> {
    const rates: number[] = [];
    const weights: number[] = [];
    for (const [index, likelihood] of this.likelihoods.entries()) {
      const posterior = new Float64Array(RATES);
      addPosterior(posterior, likelihood, shares, 1);
      rates.push(posterior.reduce((sum, share, rate) => sum + share * (this.rates[rate] as number), 0));
      const perDraw = posterior.reduce((sum, share, rate) => sum + share * (this.arraysPerDraw[rate] as number), 0);
      weights.push(this.drawsOf(index) * perDraw);
    }
    return { rates, weights };
  }
}

export interface FittedRates {
  /** Elements per day of the median array that is written to. */
  readonly median: number;
  /** Of the drawn entries, by rate. */
  readonly shares: Float64Array;
  /** For each array, its rate in view of all others, and for how many arrays it stands. */
  readonly rates: readonly number[];
  readonly weights: readonly number[];
}

function addPosterior(to: Float64Array, likelihood: Float64Array, shares: Float64Array, weight: number): void {
  let total = 0;
  for (let index = 0; index < RATES; index += 1) total += (likelihood[index] as number) * (shares[index] as number);
  if (total === 0) return;
  const factor = weight / total;
  for (let index = 0; index < RATES; index += 1)
    (to[index] as number) += factor * (likelihood[index] as number) * (shares[index] as number);
}

/** Relative to the most likely rate, so that none underflows. */
function likelihoodsOf(
  { gained, days }: CountedGain,
  rates: readonly number[],
  burst: number,
  isSeen: (rate: number, days: number) => number = () => 1,
): Float64Array {
  const logs = rates.map((rate) => gained * Math.log(rate * days) - rate * days);
  const highest = Math.max(...logs);
  return Float64Array.from(
    logs,
    (log, index) => Math.exp((log - highest) / burst) / isSeen(rates[index] as number, days),
  );
}
