/** Collections whose arrays grow, and others that look like it. Labelled by how they are made, before any was measured. */
import type { RandomDistributions } from '../random-distributions.js';
import { atNight, atRandom, atRate, DocumentPlan, inBursts, type VirtualWorld } from './virtual-world.js';

export interface GrowthScenario {
  readonly name: string;
  /** Whether the typical array that is written to grows for good, and will be too long within two years. */
  readonly grows: boolean;
  /** Sources that cannot know; all others are to find it. */
  readonly hiddenFrom?: readonly ('age' | 'oplog' | 'history')[];
  readonly world: (random: RandomDistributions) => VirtualWorld;
}

type Plan = (random: RandomDistributions, index: number) => DocumentPlan;

const OLDEST = -90;

function of(count: number, plan: Plan): GrowthScenario['world'] {
  return (random) => ({ documents: Array.from({ length: count }, (_, index) => plan(random, index).document()) });
}

const created = (random: RandomDistributions, days = OLDEST) => days * random.next();

/** A document that does not change. */
const idle = (random: RandomDistributions, most: number) => new DocumentPlan(created(random), random.below(most));

/** Growth at a rate, by writes at times. */
function growing(rate: number, createdAt: number, write: (plan: DocumentPlan) => DocumentPlan): DocumentPlan {
  const plan = new DocumentPlan(createdAt);
  plan.rate = rate;
  return write(plan);
}

function pushing(random: RandomDistributions, rate: number, createdAt = created(random)): DocumentPlan {
  return growing(rate, createdAt, (plan) => plan.push(atRandom(random, rate, createdAt)));
}

/** So many elements while the documents are young. */
function whileYoung(random: RandomDistributions, days: number, elements: number): DocumentPlan {
  const plan = new DocumentPlan(created(random, -200));
  return plan.push(atRandom(random, elements / days, plan.createdAt, Math.min(0, plan.createdAt + days)));
}

const GROWING: readonly Omit<GrowthScenario, 'grows'>[] = [
  { name: 'steady appends', world: of(1_000, (random) => pushing(random, 2)) },
  // Ages need more documents.
  { name: 'twelve busy documents', hiddenFrom: ['age'], world: of(12, (random) => pushing(random, 30)) },
  {
    name: 'one document of a thousand',
    hiddenFrom: ['age', 'history'],
    world: of(1_000, (random, index) => (index === 0 ? pushing(random, 50, -40) : idle(random, 30))),
  },
  { name: 'rates lognormal, 1', world: of(1_000, (random) => pushing(random, random.lognormal(1, 1))) },
  {
    name: 'rates by Zipf',
    hiddenFrom: ['age'],
    world: of(1_000, (random, index) => pushing(random, 700 / (index + 1))),
  },
  {
    name: 'four fifths idle',
    hiddenFrom: ['age'],
    world: of(1_000, (random, index) =>
      index % 5 === 0 ? pushing(random, random.lognormal(3, 0.5)) : idle(random, 6),
    ),
  },
  {
    name: 'one in twenty grows',
    hiddenFrom: ['age'],
    world: of(1_000, (random, index) => (index % 20 === 0 ? pushing(random, 5) : idle(random, 40))),
  },
  {
    name: 'nightly batches',
    world: of(1_000, (random) => growing(4, created(random), (plan) => plan.push(atNight(random, 4, plan.createdAt)))),
  },
  {
    name: 'bursts',
    world: of(600, (random) =>
      growing(3, created(random), (plan) => plan.push(inBursts(random, 3, 12, plan.createdAt))),
    ),
  },
  {
    // Daily runs see two steps, as of two backfills.
    name: 'began two days ago',
    hiddenFrom: ['age', 'history'],
    world: of(600, (random) => {
      const plan = new DocumentPlan(-30 + created(random), random.wholeLognormal(10, 0.4));
      plan.rate = 5;
      return plan.push(atRandom(random, 5, -2));
    }),
  },
  {
    name: 'five at a time',
    world: of(800, (random) =>
      growing(3, created(random), (plan) => plan.pushEach(atRandom(random, 3 / 5, plan.createdAt), () => 5)),
    ),
  },
  {
    name: 'saved whole, four more each time',
    world: of(800, (random) =>
      growing(4, created(random), (plan) =>
        plan.writeWhole(atRandom(random, 1, plan.createdAt), (length) => length + 4),
      ),
    ),
  },
  {
    name: 'some removed again',
    world: of(600, (random) =>
      growing(4, created(random), (plan) =>
        plan
          .push(atRandom(random, 5, plan.createdAt))
          .writeWhole(atRandom(random, 1, plan.createdAt), (length) => length - 1),
      ),
    ),
  },
  {
    name: 'faster and faster',
    world: of(600, (random) =>
      growing(4, created(random), (plan) => plan.push(atRate(random, (at) => 4 * 2 ** (at / 30), 4, plan.createdAt))),
    ),
  },
  {
    name: 'slower with age',
    world: of(600, (random) => {
      const createdAt = created(random);
      const rateAt = (at: number) => 8 / (1 + (at - createdAt) / 40);
      return growing(rateAt(0), createdAt, (plan) => plan.push(atRate(random, rateAt, 8, createdAt)));
    }),
  },
];

const NOT_GROWING: readonly Omit<GrowthScenario, 'grows'>[] = [
  {
    name: 'slots set at random',
    world: of(600, (random) => {
      const plan = new DocumentPlan(created(random), 24);
      return plan.set(atRandom(random, 4, plan.createdAt), () => random.below(24));
    }),
  },
  {
    name: 'cut by $slice, many still below',
    world: of(600, (random) => {
      const plan = new DocumentPlan(created(random));
      return plan.pushAndSlice(atRandom(random, 2, plan.createdAt), 100);
    }),
  },
  {
    name: 'a late cap',
    world: of(600, (random) => {
      const plan = new DocumentPlan(created(random));
      return plan.push(atRandom(random, 5, plan.createdAt), 300);
    }),
  },
  {
    name: 'queues',
    world: of(600, (random) => {
      const plan = new DocumentPlan(created(random), 10);
      plan.push(atRandom(random, 4, plan.createdAt), 25);
      return plan.writeWhole(atRandom(random, 4, plan.createdAt), (length) => length - 1);
    }),
  },
  {
    name: 'buckets of 200',
    world: of(60 * 20, (random, index) => {
      const start = -20 + (index % 20) + (index % 7) / 7;
      return new DocumentPlan(start).push(atRandom(random, 200, start, Math.min(0, start + 1.5)), 200);
    }),
  },
  { name: 'recordings of five days', world: of(1_500, (random) => whileYoung(random, 5, 40)) },
  { name: 'young for thirty days', world: of(1_500, (random) => whileYoung(random, 30, 60)) },
  {
    name: 'two backfills',
    world: of(1_000, (random) => {
      const plan = new DocumentPlan(created(random), random.wholeLognormal(20, 0.5));
      return plan.push([
        ...random.list(3, () => -4.5 + random.next() / 24),
        ...random.list(3, () => -1.5 + random.next() / 24),
      ]);
    }),
  },
  {
    name: 'longer from the start, the older',
    world: of(600, (random) => {
      const createdAt = created(random);
      return new DocumentPlan(createdAt, Math.round(30 - 0.6 * createdAt + random.normal(0, 5)));
    }),
  },
  {
    name: 'versions of a schema',
    world: of(600, (random) => {
      const createdAt = created(random);
      const long = [20, 40, 60, 80][Math.floor(-createdAt / 22.6)] ?? 80;
      return new DocumentPlan(createdAt, random.wholeLognormal(long, 0.25));
    }),
  },
  {
    name: 'replaced as a whole',
    world: of(600, (random) => {
      const plan = new DocumentPlan(created(random), 20);
      return plan.writeWhole(atRandom(random, 2, plan.createdAt), () => random.poisson(20));
    }),
  },
];

export const GROWTH_SCENARIOS: readonly GrowthScenario[] = [
  ...GROWING.map((one) => ({ ...one, grows: true })),
  ...NOT_GROWING.map((one) => ({ ...one, grows: false })),
];
