/** Collections whose arrays grow, and others that look like it. Labelled before any of them was measured. */
import { RandomDistributions } from '../random-distributions.js';
import { CURVED, CURVED_AND_UNEQUAL } from './curved-scenarios.js';
import { FILLED_SEVERAL_AT_A_TIME, SEVERAL_AT_A_TIME } from './several-at-a-time.js';
import { atNight, atRandom, atRate, DocumentPlan, inBursts, type VirtualWorld } from './virtual-world.js';

export interface GrowthScenario {
  readonly name: string;
  /** Whether the typical array that is written to grows for good, and will be too long within two years. */
  readonly grows: boolean;
  /** How its growth differs from the simplest; what the forecasts' table is by. */
  readonly family: 'steady' | 'unequal' | 'bursts' | 'curved' | 'curved and unequal' | 'not growing';
  /** Sources that cannot know; all others are to find it. */
  readonly hiddenFrom?: readonly ('age' | 'oplog' | 'history')[];
  readonly world: (random: RandomDistributions) => VirtualWorld;
}

type Plan = (random: RandomDistributions, index: number) => DocumentPlan;

const OLDEST = -90;

function of(count: number, plan: Plan): GrowthScenario['world'] {
  return (random) => ({ documents: Array.from({ length: count }, (_, index) => plan(random, index).document()) });
}

const createdWithin = (random: RandomDistributions, days = OLDEST) => days * random.next();

function pushing(random: RandomDistributions, perDay: number, createdAt = createdWithin(random), initial = 0) {
  const plan = new DocumentPlan(createdAt, initial).push(atRandom(random, perDay, createdAt));
  plan.rate = perDay;
  return plan;
}

function inOfficeHours(at: number): number {
  const hour = at - Math.floor(at);
  return hour >= 0.3 && hour < 0.7 ? 7.5 : 0;
}

const GROWING: readonly Omit<GrowthScenario, 'grows'>[] = [
  { name: 'steady appends', family: 'steady', world: of(1_000, (random) => pushing(random, 2)) },
  { name: 'steady, few a document', family: 'steady', world: of(1_000, (random) => pushing(random, 0.5)) },
  { name: 'twelve busy documents', family: 'steady', world: of(12, (random) => pushing(random, 30)) },
  {
    name: 'one document of a thousand',
    family: 'steady',
    hiddenFrom: ['age'],
    world: of(1_000, (random, index) =>
      index === 0 ? pushing(random, 50, -40) : new DocumentPlan(createdWithin(random), random.below(30)),
    ),
  },
  {
    name: 'rates lognormal, 0.5',
    family: 'unequal',
    world: of(300, (random) => pushing(random, random.lognormal(3, 0.5))),
  },
  {
    name: 'rates lognormal, 1',
    family: 'unequal',
    world: of(1_000, (random) => pushing(random, random.lognormal(1, 1))),
  },
  {
    name: 'rates by Zipf',
    family: 'unequal',
    hiddenFrom: ['age'],
    world: of(1_000, (random, index) => pushing(random, 700 / (index + 1))),
  },
  {
    name: 'four fifths idle',
    family: 'unequal',
    world: of(1_000, (random, index) =>
      index % 5 === 0
        ? pushing(random, random.lognormal(3, 0.5))
        : new DocumentPlan(createdWithin(random), random.below(6)),
    ),
  },
  {
    name: 'four fifths idle, rates lognormal, 1',
    family: 'unequal',
    world: of(1_000, (random) =>
      random.chance(0.2)
        ? pushing(random, random.lognormal(3, 1))
        : new DocumentPlan(createdWithin(random), random.below(6)),
    ),
  },
  {
    name: 'half idle, rates lognormal, 1',
    family: 'unequal',
    world: of(1_000, (random) =>
      random.chance(0.5)
        ? pushing(random, random.lognormal(2, 1), createdWithin(random), random.wholeLognormal(5, 0.4))
        : new DocumentPlan(createdWithin(random), random.wholeLognormal(5, 0.4)),
    ),
  },
  {
    name: 'one in twenty grows',
    family: 'unequal',
    hiddenFrom: ['age'],
    world: of(1_000, (random, index) =>
      index % 20 === 0 ? pushing(random, 5) : new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.5)),
    ),
  },
  {
    name: 'nightly batches',
    family: 'bursts',
    world: of(1_000, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      plan.rate = 4;
      return plan.push(atNight(random, 4, plan.createdAt));
    }),
  },
  {
    name: 'nightly batches, unequal',
    family: 'bursts',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      plan.rate = random.lognormal(3, 0.7);
      return plan.push(atNight(random, plan.rate, plan.createdAt, 1, 0.9));
    }),
  },
  {
    // Five daily runs see one step, as of a backfill.
    name: 'a weekly job',
    family: 'bursts',
    hiddenFrom: ['oplog', 'history'],
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      plan.rate = 2;
      return plan.push(atNight(random, 14, plan.createdAt, 7, 3.4));
    }),
  },
  {
    name: 'bursts',
    family: 'bursts',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      plan.rate = 3;
      return plan.push(inBursts(random, 3, 12, plan.createdAt));
    }),
  },
  {
    name: 'in office hours',
    family: 'bursts',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      plan.rate = 3;
      return plan.push(atRate(random, inOfficeHours, 7.5, plan.createdAt));
    }),
  },
  {
    // Daily runs see two steps, as of two backfills.
    name: 'began two days ago',
    family: 'curved',
    hiddenFrom: ['age', 'history'],
    world: of(600, (random) => {
      const plan = new DocumentPlan(-30 + OLDEST * random.next(), random.wholeLognormal(10, 0.4));
      plan.rate = 5;
      return plan.push(atRandom(random, 5, -2));
    }),
  },
  {
    name: 'faster and faster',
    family: 'curved',
    world: of(600, (random) => {
      const [plan, doublesIn] = [new DocumentPlan(createdWithin(random)), 30];
      const rateAt = (at: number) => 4 * 2 ** (at / doublesIn);
      plan.rate = 4;
      plan.gainIn = (days) => ((rateAt(days) - 4) * doublesIn) / Math.log(2);
      return plan.push(atRate(random, rateAt, 4, plan.createdAt));
    }),
  },
  {
    name: 'slower with age',
    family: 'curved',
    world: of(600, (random) => {
      const [plan, first] = [new DocumentPlan(createdWithin(random)), 8];
      const rateAt = (at: number) => first / (1 + (at - plan.createdAt) / 40);
      plan.rate = rateAt(0);
      plan.gainIn = (days) => first * 40 * Math.log((1 + (days - plan.createdAt) / 40) / (1 - plan.createdAt / 40));
      return plan.push(atRate(random, rateAt, first, plan.createdAt));
    }),
  },
  {
    name: 'seasons of creation, growing',
    family: 'unequal',
    world: of(600, (random) => {
      const createdAt = createdWithin(random);
      return pushing(random, 3 + 2 * Math.sin((2 * Math.PI * createdAt) / 60), createdAt);
    }),
  },
  {
    name: 'some removed again',
    family: 'steady',
    world: of(600, (random) => {
      const plan = pushing(random, 5);
      plan.rate = 4;
      return plan.writeWhole(atRandom(random, 1, plan.createdAt), (length) => length - 1);
    }),
  },
  {
    name: 'saved whole when longer',
    family: 'steady',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      plan.rate = 3;
      return plan.writeWhole(atRandom(random, 3, plan.createdAt), (length) => length + 1);
    }),
  },
  {
    name: 'saved whole, mostly as it was',
    family: 'steady',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      plan.rate = 1;
      return plan.writeWhole(atRandom(random, 5, plan.createdAt), (length) => length + (random.chance(0.2) ? 1 : 0));
    }),
  },
  {
    name: 'last element set again',
    family: 'steady',
    world: of(600, (random) => {
      const plan = pushing(random, 2);
      return plan.set(atRandom(random, 3, plan.createdAt), (length) => Math.max(0, length - 1));
    }),
  },
  {
    name: 'restored three days ago',
    family: 'steady',
    hiddenFrom: ['age'],
    world: of(600, (random) => {
      const plan = new DocumentPlan(-10 + OLDEST * random.next(), random.wholeLognormal(40, 0.6));
      plan.rate = 3;
      return plan.push(atRandom(random, 3, -3));
    }),
  },
  {
    name: 'deleted after 60 days, at 500',
    family: 'steady',
    world: of(600, (random) => {
      const createdAt = -90 * random.next();
      const plan = pushing(random, 8, createdAt);
      if (createdAt < -60) plan.deletedAt = createdAt + 60;
      return plan;
    }),
  },
];

/** So many elements while the documents are young. */
function whileYoung(random: RandomDistributions, days: number, elements: number, oldest: number): DocumentPlan {
  const plan = new DocumentPlan(createdWithin(random, oldest));
  const end = Math.min(0, plan.createdAt + days);
  return plan.push(atRandom(random, elements / days, plan.createdAt, end));
}

const NOT_GROWING: readonly Omit<GrowthScenario, 'grows' | 'family'>[] = [
  {
    name: 'slots set at random',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random), 24);
      return plan.set(atRandom(random, 4, plan.createdAt), () => random.below(24));
    }),
  },
  {
    name: 'a slot for each hour of the week',
    world: of(100, (random) => {
      const plan = new DocumentPlan(-20 + OLDEST * random.next(), 168);
      const times = Array.from({ length: 24 * 30 }, (_, hour) => -hour / 24 - random.next() / 48);
      return plan.set(times, (_, at) => Math.floor(((((at - 2.3) % 7) + 7) % 7) * 24));
    }),
  },
  {
    name: 'cut by $slice',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random), 0);
      return plan.pushAndSlice(atRandom(random, 4, plan.createdAt), 50);
    }),
  },
  {
    name: 'cut by $slice, many still below',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      return plan.pushAndSlice(atRandom(random, 2, plan.createdAt), 100);
    }),
  },
  {
    name: 'a late cap',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      return plan.push(atRandom(random, 5, plan.createdAt), 300);
    }),
  },
  {
    name: 'queues',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random), 10);
      plan.push(atRandom(random, 4, plan.createdAt), 25);
      return plan.writeWhole(atRandom(random, 4, plan.createdAt), (length) => length - 1);
    }),
  },
  {
    name: 'a rolling 30 days',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random, -120));
      const times = atRandom(random, 2, plan.createdAt);
      plan.push(times);
      for (let night = -Math.floor(-plan.createdAt) + 0.1; night < 0; night += 1) {
        const left = times.filter((at) => at < night && at >= night - 30).length;
        if (times.some((at) => at < night - 30 && at >= night - 31)) plan.writeWhole([night], () => left);
      }
      return plan;
    }),
  },
  {
    name: 'buckets of 200',
    world: of(60 * 20, (random, index) => {
      const start = -20 + (index % 20) + (index % 7) / 7;
      const plan = new DocumentPlan(start);
      return plan.push(atRandom(random, 200, start, Math.min(0, start + 1.5)), 200);
    }),
  },
  {
    name: 'buckets of a day',
    world: of(60 * 20, (random, index) => {
      const start = -20 + (index % 20);
      const plan = new DocumentPlan(start);
      return plan.push(atRandom(random, 40 + 40 * random.next(), start, Math.min(0, start + 1)));
    }),
  },
  { name: 'young for five days', world: of(1_500, (random) => whileYoung(random, 5, 40, -200)) },
  { name: 'young for thirty days', world: of(1_500, (random) => whileYoung(random, 30, 60, -200)) },
  {
    name: 'deleted after three days',
    world: of(3_000, (random) => {
      const plan = new DocumentPlan(createdWithin(random, -20));
      plan.push(atRandom(random, 10, plan.createdAt));
      if (plan.createdAt < -3) plan.deletedAt = plan.createdAt + 3;
      return plan;
    }),
  },
  {
    name: 'a backfill of one',
    world: of(1_000, (random) =>
      new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.5)).push([-2 + random.next() / 24]),
    ),
  },
  {
    name: 'a backfill of five',
    world: of(1_000, (random) => {
      const plan = new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.5));
      return plan.push(random.list(5, () => -2 + random.next() / 24));
    }),
  },
  {
    name: 'two backfills',
    world: of(1_000, (random) => {
      const plan = new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.5));
      return plan.push([
        ...random.list(3, () => -4.5 + random.next() / 24),
        ...random.list(3, () => -1.5 + random.next() / 24),
      ]);
    }),
  },
  {
    name: 'a backfill of a day, document by document',
    world: of(1_000, (random, index) => {
      const at = -2 + index / 1_000;
      const plan = new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.5));
      return plan.push(random.list(6, () => at + random.next() / 1_440));
    }),
  },
  {
    name: 'restored, and not written to',
    world: of(600, (random) => new DocumentPlan(createdWithin(random), random.wholeLognormal(40, 0.6))),
  },
  {
    name: '$addToSet of twelve tags',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random));
      const kinds = new Set<number>();
      const added = atRandom(random, 0.4, plan.createdAt).filter(() => {
        const kind = random.below(12);
        return !kinds.has(kind) && kinds.add(kind);
      });
      return plan.writeWhole(added, (length) => length + 1);
    }),
  },
  {
    name: 'longer from the start, the older',
    world: of(600, (random) => {
      const createdAt = createdWithin(random);
      return new DocumentPlan(createdAt, Math.round(30 - 0.6 * createdAt + random.normal(0, 5)));
    }),
  },
  {
    name: 'seasons of creation',
    world: of(600, (random) => {
      const createdAt = createdWithin(random, -150);
      const season = 40 - 20 * Math.sin((2 * Math.PI * (createdAt + 75)) / 300);
      return new DocumentPlan(createdAt, Math.max(0, Math.round(season + random.normal(0, 6))));
    }),
  },
  {
    name: 'two kinds',
    world: of(600, (random) => {
      const createdAt = createdWithin(random);
      return new DocumentPlan(createdAt, random.wholeLognormal(createdAt < -45 ? 80 : 10, 0.3));
    }),
  },
  {
    name: 'versions of a schema',
    world: of(600, (random) => {
      const createdAt = createdWithin(random);
      return new DocumentPlan(
        createdAt,
        random.wholeLognormal([20, 40, 60, 80][Math.floor(-createdAt / 22.6)] ?? 80, 0.25),
      );
    }),
  },
  {
    name: 'four fifths idle, the others in versions of a schema',
    world: of(1_000, (random) => {
      const createdAt = createdWithin(random);
      const long = [20, 40, 60, 80][Math.floor(-createdAt / 22.6)] ?? 80;
      return new DocumentPlan(createdAt, random.chance(0.2) ? random.wholeLognormal(long, 0.25) : random.below(6));
    }),
  },
  {
    name: 'half idle, the others young for thirty days',
    world: of(1_000, (random) =>
      random.chance(0.5)
        ? whileYoung(random, 30, random.lognormal(60, 0.5), -200)
        : new DocumentPlan(createdWithin(random, -200), random.below(6)),
    ),
  },
  {
    name: 'four fifths idle, the others with a late cap',
    world: of(1_000, (random) => {
      const plan = new DocumentPlan(createdWithin(random), random.below(6));
      return random.chance(0.2) ? plan.push(atRandom(random, random.lognormal(5, 0.5), plan.createdAt), 150) : plan;
    }),
  },
  {
    name: 'half idle, the others longer from the start, the older',
    world: of(1_000, (random) => {
      const createdAt = createdWithin(random);
      const long = Math.round(30 - 0.6 * createdAt + random.normal(0, 5));
      return new DocumentPlan(createdAt, random.chance(0.5) ? long : random.below(6));
    }),
  },
  {
    name: 'the older, the more of a longer kind',
    world: of(1_000, (random) => {
      const createdAt = createdWithin(random);
      return new DocumentPlan(createdAt, random.wholeLognormal(random.chance(-createdAt / 120) ? 60 : 5, 0.5));
    }),
  },
  {
    name: 'short ones deleted',
    world: of(2_000, (random) => {
      const plan = new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.8));
      if (random.next() < -plan.createdAt / 90 && plan.initial < 25) plan.deletedAt = plan.createdAt * random.next();
      return plan;
    }),
  },
  {
    name: 'replaced as a whole',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random), 20);
      return plan.writeWhole(atRandom(random, 2, plan.createdAt), () => random.poisson(20));
    }),
  },
  {
    name: 'last element of a fixed list',
    world: of(600, (random) => {
      const plan = new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.5));
      return plan.set(atRandom(random, 3, plan.createdAt), (length) => Math.max(0, length - 1));
    }),
  },
  {
    name: 'idle',
    world: of(600, (random) => new DocumentPlan(createdWithin(random), random.wholeLognormal(20, 0.8))),
  },
];

export const GROWTH_SCENARIOS: readonly GrowthScenario[] = [
  ...[...GROWING, ...SEVERAL_AT_A_TIME, ...CURVED, ...CURVED_AND_UNEQUAL].map((one) => ({ ...one, grows: true })),
  ...[...NOT_GROWING, ...FILLED_SEVERAL_AT_A_TIME].map((one) => ({
    ...one,
    grows: false,
    family: 'not growing' as const,
  })),
];
