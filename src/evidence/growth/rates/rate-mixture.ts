import { probit } from 'simple-statistics';
import { idleShare, likelihoodOfNothing, LognormalRates, product, type Counted } from './lognormal-rates.js';

/** Elements that an array gained since it was first seen. */
export interface CountedGain {
  readonly gained: number;
  readonly days: number;
}

export interface GainingNothing {
  readonly arrays: number;
  readonly chance: (rate: number) => number;
}

/** Rates per day between which they may lie, in steps of equal ratios. */
const RATES = 48;
/** Bursts of the slowest in the days in which arrays count as written to. */
const SLOWEST = 0.05;
/** Beyond it, odds would be infinite. */
const MOST_LIKELIER = 50;
/** Away from the lognormal distribution, as far as the gains insist. */
const FREE_ROUNDS = 16;
const HALF_SAMPLES = 16;
/** Of standard errors, as 15 halves tell them with an error of their own: Student's t of 15 degrees of freedom by the normal. */
const FEW_HALVES = 1.753 / probit(0.95);

/**
 * The lognormal mixture of Poisson rates that makes the gains most likely, then some rounds towards that of any shape
 * (N. Laird, "Nonparametric Maximum Likelihood Estimation of a Mixing Distribution", 1978), whose median would jump between
 * its few rates. Fast arrays are seen more often, so each rate counts for the arrays that are written to.
 */
export class RateMixture {
  private readonly rates: readonly number[];
  private readonly step: number;
  private readonly likelihoods: readonly Float64Array[];
  /** By rate: arrays of that rate that are written to, for each that is counted. */
  private readonly arraysPerCounted: readonly number[];
  private readonly nothing: { readonly arrays: number; readonly chances: Float64Array };
  /** By array, the place of its likelihoods: arrays that gained as much in as many days share them. */
  private readonly places: Int32Array;
  private readonly all: Counted;
  private readonly lognormal: LognormalRates;

  /**
   * @param activeDays in which an array counts as written to if it had one write
   * @param burst elements that come together
   * @param arraysPerCounted for how many arrays that are written to one stands, by its rate
   * @param nothing arrays without a gain, which are idle or slow
   */
  constructor(
    gains: readonly CountedGain[],
    activeDays: number,
    burst: number,
    arraysPerCounted: (rate: number) => number,
    nothing: GainingNothing = { arrays: 0, chance: () => 0 },
  ) {
    const fastest = Math.max(...gains.map(({ gained, days }) => (gained + 1) / Math.max(days, activeDays / 50)));
    const slowest = Math.min((SLOWEST * burst) / activeDays, fastest / 1_000);
    this.rates = Array.from({ length: RATES }, (_, index) => slowest * (fastest / slowest) ** (index / (RATES - 1)));
    this.step = Math.log(fastest / slowest) / (RATES - 1);
    const distinct = new Map(gains.map((gain) => [keyOf(gain), gain]));
    const places = new Map([...distinct.keys()].map((key, place) => [key, place]));
    this.places = Int32Array.from(gains, (gain) => places.get(keyOf(gain)) as number);
    this.likelihoods = [...distinct.values()].map((gain) => likelihoodsOf(gain, this.rates, burst));
    this.all = this.counted(() => true);
    this.arraysPerCounted = this.rates.map(arraysPerCounted);
    this.nothing = { arrays: nothing.arrays, chances: Float64Array.from(this.rates, nothing.chance) };
    this.lognormal = new LognormalRates(this.rates.map(Math.log), this.likelihoods, this.nothing.chances);
  }

  fit(): FittedRates {
    const shares = this.shares(this.all, this.nothing.arrays);
    return { median: this.medianOf(shares), ...this.posteriors(shares) };
  }

  // From halves of the arrays (P. McCarthy, "Pseudo-replication", 1969), and as they leave open whether the shape is lognormal:
  // by what the gains say, or evenly if they are too few to (J. Hoeting et al., "Bayesian Model Averaging", 1999).
  errorOf({ median }: FittedRates, oddsOf: 'gains' | 'even' = 'even'): number {
    let squares = 0;
    for (let half = 1; half < HALF_SAMPLES; half += 1) {
      const other = this.medianOf(
        this.shares(
          this.counted((index) => isInHalf(index, half)),
          this.nothing.arrays / 2,
        ),
      );
      squares += Math.log(other / median) ** 2;
    }
    const lognormal = this.lognormal.likeliestShares(this.all, this.nothing.arrays);
    const odds = oddsOf === 'even' ? 1 : this.oddsAgainst(lognormal);
    const apart = (Math.log(this.medianOf(lognormal) / median) * Math.sqrt(odds)) / (1 + odds);
    return Math.hypot(FEW_HALVES * Math.sqrt(squares / (HALF_SAMPLES - 1)), apart);
  }

  private oddsAgainst(lognormal: Float64Array): number {
    const fitted = this.shares(this.all, this.nothing.arrays);
    return Math.exp(Math.min(MOST_LIKELIER, this.likelihoodOf(fitted) - this.likelihoodOf(lognormal)));
  }

  private likelihoodOf(shares: Float64Array): number {
    const total = shares.reduce((sum, share) => sum + share, 0);
    const gaining = this.likelihoods.reduce(
      (sum, likelihood, place) => sum + (this.all.at[place] as number) * Math.log(product(likelihood, shares) / total),
      0,
    );
    const chanceOfNothing = product(this.nothing.chances, shares) / total;
    return gaining + likelihoodOfNothing(this.nothing.arrays, this.all.arrays, chanceOfNothing);
  }

  private counted(isCounted: (index: number) => boolean): Counted {
    const at = new Int32Array(this.likelihoods.length);
    let arrays = 0;
    for (const [index, place] of this.places.entries()) {
      if (!isCounted(index)) continue;
      (at[place] as number) += 1;
      arrays += 1;
    }
    return { arrays, at };
  }

  private shares(counted: Counted, nothing: number): Float64Array {
    const first = this.lognormal.likeliestShares(counted, nothing);
    const total = first.reduce((sum, share) => sum + share, 0);
    let shares = first.map((share) => share / total);
    let idle = idleShare(nothing, counted.arrays, product(this.nothing.chances, shares));
    for (let round = 0; round < FREE_ROUNDS; round += 1) {
      const next = new Float64Array(RATES);
      for (const [place, arrays] of counted.at.entries())
        if (arrays > 0) addPosterior(next, this.likelihoods[place] as Float64Array, shares, arrays);
      const slow = (1 - idle) * product(this.nothing.chances, shares);
      if (slow > 0) addPosterior(next, this.nothing.chances, shares, (nothing * slow) / (idle + slow));
      const notIdle = next.reduce((sum, share) => sum + share, 0);
      shares = next.map((share) => share / notIdle);
      idle = 1 - notIdle / (counted.arrays + nothing);
    }
    return shares;
  }

  /** Over arrays, not over their entries. */
  private medianOf(shares: Float64Array): number {
    const arrays = this.rates.map((_, index) => (shares[index] as number) * (this.arraysPerCounted[index] as number));
    const half = arrays.reduce((sum, share) => sum + share, 0) / 2;
    let below = 0;
    for (const [index, share] of arrays.entries()) {
      if (below + share >= half) {
        return (this.rates[index] as number) * Math.exp(this.step * ((half - below) / share - 0.5));
      }
      below += share;
    }
    return this.rates.at(-1) as number;
  }

  private posteriors(shares: Float64Array): Pick<FittedRates, 'rates' | 'weights'> {
    const each = this.likelihoods.map((likelihood) => {
      const posterior = new Float64Array(RATES);
      addPosterior(posterior, likelihood, shares);
      return {
        rate: posterior.reduce((sum, share, rate) => sum + share * (this.rates[rate] as number), 0),
        weight: posterior.reduce((sum, share, rate) => sum + share * (this.arraysPerCounted[rate] as number), 0),
      };
    });
    const byArray = Array.from(this.places, (place) => each[place] as (typeof each)[number]);
    return { rates: byArray.map(({ rate }) => rate), weights: byArray.map(({ weight }) => weight) };
  }
}

export interface FittedRates {
  /** Elements per day of the median array that is written to. */
  readonly median: number;
  /** For each array, its rate in view of all others, and for how many arrays it stands. */
  readonly rates: readonly number[];
  readonly weights: readonly number[];
}

/** By J. Hadamard's matrix, so that any two halves share half of theirs. */
function isInHalf(index: number, half: number): boolean {
  let [common, isEven] = [(index % HALF_SAMPLES) & half, true];
  for (; common > 0; common >>= 1) if ((common & 1) === 1) isEven = !isEven;
  return isEven;
}

function keyOf({ gained, days }: CountedGain): string {
  return `${gained} ${days}`;
}

function addPosterior(to: Float64Array, likelihood: Float64Array, shares: Float64Array, arrays = 1): void {
  const total = product(likelihood, shares);
  if (total === 0) return;
  const factor = arrays / total;
  for (let index = 0; index < RATES; index += 1)
    (to[index] as number) += factor * (likelihood[index] as number) * (shares[index] as number);
}

/** Relative to the most likely rate, so that none underflows. */
function likelihoodsOf({ gained, days }: CountedGain, rates: readonly number[], burst: number): Float64Array {
  const logs = rates.map((rate) => gained * Math.log(rate * days) - rate * days);
  const highest = Math.max(...logs);
  return Float64Array.from(logs, (log) => Math.exp((log - highest) / burst));
}
