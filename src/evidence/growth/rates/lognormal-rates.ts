import { probit } from 'simple-statistics';

/** Of the rates' logarithms, as far as they need be told apart. */
const DEVIATIONS = [0, 0.1, 0.2, 0.35, 0.55, 0.8, 1.1, 1.5] as const;
/** In the logarithm of the likelihood, for rates to be further apart than need be: a chance of 5 % (S. Wilks, 1938). */
const SURELY_LIKELIER = probit(0.95) ** 2 / 2;

/** Some of the arrays: how many, and how many of each likelihoods. */
export interface Counted {
  readonly arrays: number;
  readonly at: Int32Array;
}

interface NormalRates {
  readonly center: number;
  readonly deviation: number;
}

interface NormalFit {
  readonly logs: Float64Array;
  readonly chanceOfNothing: number;
}

/** The center that is likeliest for a deviation, with the likelihoods there and beside it. */
interface Top {
  readonly place: number;
  readonly before: number;
  readonly highest: number;
  readonly after: number;
}

/** Lognormal distributions of Poisson rates, and which of them makes the gains of some arrays likeliest. */
export class LognormalRates {
  private readonly step: number;
  private readonly fits = new Map<number, NormalFit>();

  /** @param logs of the rates, in equal steps @param likelihoods of each rate, for each distinct gain */
  constructor(
    private readonly logs: readonly number[],
    private readonly likelihoods: readonly Float64Array[],
    private readonly chancesOfNothing: Float64Array,
  ) {
    const [first, last] = [logs[0], logs.at(-1)] as [number, number];
    this.step = (last - first) / (logs.length - 1);
  }

  /** By rate, the shares of the likeliest one, which sum to anything. @param nothing arrays without a gain */
  likeliestShares(counted: Counted, nothing: number): Float64Array {
    return this.normalShares(this.likeliest(counted, nothing));
  }

  private likeliest(counted: Counted, nothing: number): NormalRates {
    const likelihoodAt = (deviation: number, center: number) => {
      const fit = this.normalFit(deviation, center);
      if (fit === null) return -Infinity;
      return sumOf(fit.logs, counted) + likelihoodOfNothing(nothing, counted.arrays, fit.chanceOfNothing);
    };
    let [best, greatest] = [{ center: 0, deviation: 0 }, -Infinity];
    for (const [at, { place, before, highest, after }] of this.tops(likelihoodAt).entries()) {
      if (highest < greatest + SURELY_LIKELIER) continue;
      greatest = highest;
      // The top of the parabola through three of them.
      const curve = before - 2 * highest + after;
      const shift = Number.isFinite(curve) && curve < 0 ? (before - after) / (2 * curve) : 0;
      best = { center: (this.logs[place] as number) + shift * this.step, deviation: DEVIATIONS[at] as number };
    }
    return best;
  }

  // For each deviation, from the widest on. Poisson likelihoods are concave in the logarithm of the rate, and so they are
  // under a normal distribution of it (A. Prékopa, 1973): there is one top, which lies near that of the next wider one.
  private tops(likelihoodAt: (deviation: number, center: number) => number): Top[] {
    const tops: Top[] = [];
    let from = this.logs.length >> 1;
    for (let deviation = DEVIATIONS.length - 1; deviation >= 0; deviation -= 1) {
      const top = climbed((center) => likelihoodAt(deviation, center), this.logs.length, from);
      tops.unshift(top);
      from = top.place;
    }
    return tops;
  }

  private normalFit(at: number, place: number): NormalFit | null {
    const center = this.logs[place];
    if (center === undefined) return null;
    const key = at * this.logs.length + place;
    const known = this.fits.get(key);
    if (known !== undefined) return known;
    const shares = this.normalShares({ center, deviation: DEVIATIONS[at] as number });
    const total = shares.reduce((sum, share) => sum + share, 0);
    const fit = {
      logs: Float64Array.from(this.likelihoods, (likelihood) => Math.log(product(likelihood, shares) / total)),
      chanceOfNothing: product(this.chancesOfNothing, shares) / total,
    };
    this.fits.set(key, fit);
    return fit;
  }

  private normalShares({ center, deviation }: NormalRates): Float64Array {
    const width = Math.max(deviation, this.step / 2);
    return Float64Array.from(this.logs, (log) => Math.exp(-0.5 * ((log - center) / width) ** 2));
  }
}

/** Uphill from a place; where nothing is possible there, the highest of all. */
function climbed(heightAt: (place: number) => number, places: number, from: number): Top {
  let place = heightAt(from) === -Infinity ? highestOf(heightAt, places) : from;
  let [before, highest, after] = [heightAt(place - 1), heightAt(place), heightAt(place + 1)];
  while (before > highest) {
    place -= 1;
    [before, highest, after] = [heightAt(place - 1), before, highest];
  }
  while (after > highest) {
    place += 1;
    [before, highest, after] = [highest, after, heightAt(place + 1)];
  }
  return { place, before, highest, after };
}

function highestOf(heightAt: (place: number) => number, places: number): number {
  const heights = Array.from({ length: places }, (_, place) => heightAt(place));
  return heights.indexOf(Math.max(...heights));
}

export function idleShare(nothing: number, gaining: number, chanceOfNothing: number): number {
  return Math.max(0, (nothing / (nothing + gaining) - chanceOfNothing) / (1 - chanceOfNothing));
}

export function likelihoodOfNothing(nothing: number, gaining: number, chanceOfNothing: number): number {
  if (nothing === 0) return 0;
  const idle = idleShare(nothing, gaining, chanceOfNothing);
  return nothing * Math.log(idle + (1 - idle) * chanceOfNothing) + gaining * Math.log(1 - idle);
}

function sumOf(values: Float64Array, { at }: Counted): number {
  let sum = 0;
  for (let place = 0; place < at.length; place += 1) {
    const arrays = at[place] as number;
    // What none has may be infinite.
    if (arrays > 0) sum += arrays * (values[place] as number);
  }
  return sum;
}

export function product(one: Float64Array, other: Float64Array): number {
  let total = 0;
  for (let index = 0; index < one.length; index += 1) total += (one[index] as number) * (other[index] as number);
  return total;
}
