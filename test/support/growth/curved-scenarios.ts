/** Collections whose rates change, and may be unequal. Labelled before any of them was measured. */
import type { RandomDistributions } from '../random-distributions.js';
import { atRate, DocumentPlan, type VirtualWorld } from './virtual-world.js';

const DOCUMENTS = 600;
const OLDEST = -90;

/** Elements a day, and what is gained between two times, by when a document was created and its own factor. */
interface Course {
  readonly rateAt: (at: number, createdAt: number) => number;
  readonly gained: (from: number, to: number, createdAt: number) => number;
  /** Of the logarithms of the factors. */
  readonly deviation: number;
}

const worldOf =
  ({ rateAt, gained, deviation }: Course) =>
  (random: RandomDistributions): VirtualWorld => ({
    documents: Array.from({ length: DOCUMENTS }, () => {
      const createdAt = OLDEST * random.next();
      const factor = random.lognormal(1, deviation);
      const plan = new DocumentPlan(createdAt);
      const own = (at: number) => factor * rateAt(at, createdAt);
      plan.rate = own(0);
      plan.gainIn = (days) => factor * gained(0, days, createdAt);
      return plan.push(atRate(random, own, Math.max(own(0), own(createdAt)), createdAt)).document();
    }),
  });

const doubling = (rate: number, inDays: number, deviation: number): Course => ({
  rateAt: (at) => rate * 2 ** (at / inDays),
  gained: (from, to) => ((rate * inDays) / Math.LN2) * (2 ** (to / inDays) - 2 ** (from / inDays)),
  deviation,
});

/**
 * A rate that changes by a factor within `OLDEST` days, as a straight line in one of its powers: 1 is linear, 0 exponential,
 * -1 hyperbolic. Part of it may never change.
 */
function drawnRate(random: RandomDistributions): (days: number) => number {
  const [isRising, now] = [random.chance(0.5), 2 * 4 ** random.next()];
  const factor = (1.5 * 2.5 ** random.next()) ** (isRising ? 1 : -1);
  const power = 2 * random.next() * (isRising ? 1 : -1);
  const fixed = random.chance(0.5) ? 0 : 0.5 * random.next();
  const last = fixed + (1 - fixed) * factor;
  return (days) => {
    const changed = (1 + (factor ** power - 1) * (days / -OLDEST)) ** (1 / power);
    return (now * (fixed + (1 - fixed) * changed)) / last;
  };
}

const STEPS = 64;

/** By the trapezoidal rule. */
function integral(rateAt: (at: number) => number, from: number, to: number): number {
  const step = (to - from) / STEPS;
  const inner = Array.from({ length: STEPS - 1 }, (_, index) => rateAt(from + step * (index + 1)));
  return step * inner.reduce((sum, rate) => sum + rate, (rateAt(from) + rateAt(to)) / 2);
}

/** @param deviation of the logarithms of the rates */
function drawn(isByAge: boolean, deviation: number) {
  return (random: RandomDistributions): VirtualWorld => {
    const rate = drawnRate(random);
    const rateAt = (at: number, createdAt: number) => rate(at - (isByAge ? createdAt : OLDEST));
    const gained = (from: number, to: number, createdAt: number) => integral((at) => rateAt(at, createdAt), from, to);
    return worldOf({ rateAt, gained, deviation })(random);
  };
}

interface CurvedScenario<Family> {
  readonly name: string;
  readonly family: Family;
  readonly world: (random: RandomDistributions) => VirtualWorld;
}

export const CURVED: readonly CurvedScenario<'curved'>[] = [
  { name: 'by a curve with age that is drawn at random', family: 'curved', world: drawn(true, 0) },
  { name: 'by a curve for all that is drawn at random', family: 'curved', world: drawn(false, 0) },
];

export const CURVED_AND_UNEQUAL: readonly CurvedScenario<'curved and unequal'>[] = [
  {
    name: 'slower with age, at unequal rates',
    family: 'curved and unequal',
    world: worldOf({
      rateAt: (at, createdAt) => 8 / (1 + (at - createdAt) / 40),
      gained: (from, to, createdAt) => 8 * 40 * Math.log((40 + to - createdAt) / (40 + from - createdAt)),
      deviation: 0.5,
    }),
  },
  {
    name: 'halved with age, at more unequal rates',
    family: 'curved and unequal',
    world: worldOf({
      rateAt: (at, createdAt) => 8 * 2 ** ((createdAt - at) / 60),
      gained: (from, to, createdAt) =>
        ((8 * 60) / Math.LN2) * (2 ** ((createdAt - from) / 60) - 2 ** ((createdAt - to) / 60)),
      deviation: 0.7,
    }),
  },
  { name: 'faster and faster, at unequal rates', family: 'curved and unequal', world: worldOf(doubling(4, 30, 0.5)) },
  { name: 'slower and slower, at unequal rates', family: 'curved and unequal', world: worldOf(doubling(3, -60, 0.5)) },
];
