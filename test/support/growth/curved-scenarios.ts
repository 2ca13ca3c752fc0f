/** Collections whose rates change, and are unequal. Labelled before any of them was measured. */
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

export const CURVED_AND_UNEQUAL: readonly {
  readonly name: string;
  readonly family: 'curved and unequal';
  readonly world: (random: RandomDistributions) => VirtualWorld;
}[] = [
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
