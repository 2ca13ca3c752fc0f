/**
 * Collections with properties drawn at random, for the same question as the scenarios by name: does what is written to
 * grow for good? Each kind is labelled by how it is made. Seeds from `HELD_OUT` on were run only to measure, never to
 * work on what measures growth.
 */
import type { RandomDistributions } from '../random-distributions.js';
import type { GrowthScenario } from './growth-scenarios.js';
import {
  atNight,
  atRandom,
  atRate,
  createdEvenly,
  DocumentPlan,
  inBursts,
  type VirtualWorld,
} from './virtual-world.js';

export const HELD_OUT = 10_001;

interface Kind {
  readonly name: string;
  readonly family: GrowthScenario['family'];
  readonly hiddenFrom?: NonNullable<GrowthScenario['hiddenFrom']>;
  readonly world: (random: RandomDistributions) => VirtualWorld;
}

const between = (random: RandomDistributions, low: number, high: number) => low + (high - low) * random.next();
/** Evenly between the logarithms. */
const scaled = (random: RandomDistributions, low: number, high: number) => low * (high / low) ** random.next();

/** Rates that differ, of which a share is idle, on top of what the documents are created with. */
function unequal(idle: number, deviation: number): Kind['world'] {
  return (random) => {
    const [median, initial] = [scaled(random, 0.5, 12), random.chance(0.5) ? 0 : scaled(random, 2, 15)];
    return createdEvenly(random, 1_000, between(random, 40, 150), (_, createdAt) => {
      const plan = new DocumentPlan(createdAt, initial === 0 ? 0 : random.wholeLognormal(initial, 0.4));
      if (random.chance(idle)) return plan;
      plan.rate = random.lognormal(median, deviation);
      return plan.push(atRandom(random, plan.rate, createdAt));
    });
  };
}

function steadily(count: number, times: (random: RandomDistributions, rate: number, createdAt: number) => number[]) {
  return (random: RandomDistributions) => {
    const rate = scaled(random, 1, 10);
    const oldest = between(random, 40, 150);
    return createdEvenly(random, count, oldest, (_, createdAt) => {
      const plan = new DocumentPlan(createdAt, random.below(4));
      plan.rate = rate;
      return plan.push(times(random, rate, createdAt));
    });
  };
}

const IDLE = [0, 0.5, 0.8] as const;
const DEVIATIONS = [0, 0.5, 1] as const;

/** Growth, and one day on which something else was done to all. */
function withOne(
  doneOn: (plan: DocumentPlan, at: number, times: readonly number[], days: number) => DocumentPlan,
): Kind['world'] {
  return (random) => {
    const [rate, initial, at] = [scaled(random, 1, 8), scaled(random, 5, 200), -between(random, 8, 24)];
    const days = between(random, 1, 5);
    return createdEvenly(random, 500, 60, (_, createdAt) => {
      const plan = new DocumentPlan(createdAt - 40, random.poisson(initial));
      plan.rate = rate;
      const times = atRandom(random, rate, -40);
      return doneOn(plan.push(times), at, times, days);
    });
  };
}

const GROWING: readonly Kind[] = [
  ...IDLE.flatMap((idle) =>
    DEVIATIONS.map((deviation): Kind => ({
      name: `${100 * idle} % idle, rates apart by ${deviation}`,
      family: deviation === 0 && idle === 0 ? 'steady' : 'unequal',
      world: unequal(idle, deviation),
    })),
  ),
  {
    name: 'one in twenty, beside idle ones',
    family: 'unequal',
    hiddenFrom: ['age'],
    world(random) {
      const [rate, lengths] = [scaled(random, 1, 10), scaled(random, 5, 40)];
      return createdEvenly(random, 1_000, 90, (_, createdAt) => {
        const plan = new DocumentPlan(createdAt, random.wholeLognormal(lengths, 0.5));
        if (!random.chance(0.05)) return plan;
        plan.rate = random.lognormal(rate, 0.3);
        return plan.push(atRandom(random, plan.rate, createdAt));
      });
    },
  },
  {
    name: 'appended each night',
    family: 'bursts',
    world: steadily(500, (random, rate, from) => atNight(random, rate, from)),
  },
  {
    name: 'in bursts',
    family: 'bursts',
    world: steadily(500, (random, rate, from) => inBursts(random, rate, 8, from)),
  },
  {
    // Five daily runs see four days, all of them slow.
    name: 'twice as many on some days of the week',
    family: 'bursts',
    hiddenFrom: ['history'],
    world: steadily(500, (random, rate, from) =>
      atRate(random, (at) => (((Math.floor(at) % 7) + 7) % 7 < 3 ? 1.75 * rate : 0.4375 * rate), 1.75 * rate, from),
    ),
  },
  {
    name: 'more on some days than on others, by chance',
    family: 'bursts',
    world(random) {
      const [rate, deviation] = [scaled(random, 1, 8), between(random, 0.2, 0.5)];
      const ofDay = Array.from({ length: 121 }, () => random.lognormal(rate, deviation));
      return createdEvenly(random, 500, 120, (_, createdAt) => {
        const plan = new DocumentPlan(createdAt, random.below(4));
        plan.rate = rate * Math.exp(deviation ** 2 / 2);
        return plan.push(ofDay.flatMap((many, day) => random.list(random.poisson(many), () => -day - random.next())));
      });
    },
  },
  {
    name: 'cut to half, once',
    family: 'steady',
    hiddenFrom: ['age'],
    world: withOne((plan, at) => plan.writeWhole([at], (length) => Math.floor(length / 2))),
  },
  {
    name: 'restored as they were some days before, once',
    family: 'steady',
    hiddenFrom: ['age'],
    world: withOne((plan, at, times, days) => {
      const before = times.filter((time) => time < at - days).length;
      return plan.writeWhole([at], () => plan.initial + before);
    }),
  },
  {
    name: 'ever faster',
    family: 'curved',
    world(random) {
      const [rate, doublesIn] = [scaled(random, 1, 6), between(random, 25, 90)];
      return createdEvenly(random, 600, 90, (_, createdAt) => {
        const plan = new DocumentPlan(createdAt);
        plan.rate = rate;
        plan.gainIn = (days) => (rate * (2 ** (days / doublesIn) - 1) * doublesIn) / Math.log(2);
        return plan.push(atRate(random, (at) => rate * 2 ** (at / doublesIn), rate, createdAt));
      });
    },
  },
  {
    name: 'ever slower with age',
    family: 'curved',
    world(random) {
      const [first, halved] = [scaled(random, 3, 12), between(random, 30, 90)];
      return createdEvenly(random, 600, 90, (_, createdAt) => {
        const plan = new DocumentPlan(createdAt);
        const rateAt = (at: number) => first / (1 + (at - createdAt) / halved);
        plan.rate = rateAt(0);
        plan.gainIn = (days) => first * halved * Math.log((1 + (days - createdAt) / halved) / (1 - createdAt / halved));
        return plan.push(atRate(random, rateAt, first, createdAt));
      });
    },
  },
];

const NOT_GROWING: readonly Omit<Kind, 'family'>[] = [
  {
    name: 'queues that rise and fall together',
    world(random) {
      // One walk for all: load of the day.
      const load = Array.from({ length: 400 }, () => 0);
      for (let day = 1; day < load.length; day += 1) load[day] = 0.7 * (load[day - 1] as number) + random.normal();
      const level = scaled(random, 10, 60);
      return createdEvenly(random, 400, 120, (_, createdAt) => queue(random, createdAt, level, load));
    },
  },
  {
    name: 'queues that rise and fall with the week',
    world(random) {
      const [level, swing, day] = [scaled(random, 10, 60), between(random, 0.1, 0.6), 7 * random.next()];
      const load = Array.from({ length: 400 }, (_, at) => (swing / 0.3) * Math.sin(((at + day) / 7) * 2 * Math.PI));
      return createdEvenly(random, 400, 120, (_, createdAt) => queue(random, createdAt, level, load));
    },
  },
  {
    name: 'drained each week',
    hiddenFrom: ['history'],
    world: drained(() => 7),
  },
  {
    // Four days may not see it.
    name: 'drained every few days',
    hiddenFrom: ['history'],
    world: drained((random) => 2 + random.below(12)),
  },
  {
    name: 'lists that are saved anew',
    world(random) {
      const [mean, perDay] = [scaled(random, 5, 80), scaled(random, 0.2, 5)];
      return createdEvenly(random, 500, 120, (_, createdAt) =>
        new DocumentPlan(createdAt, random.poisson(mean)).writeWhole(atRandom(random, perDay, createdAt), () =>
          random.poisson(mean),
        ),
      );
    },
  },
  {
    name: 'up and down at random',
    world(random) {
      const perDay = scaled(random, 0.5, 6);
      return createdEvenly(random, 500, 60, (_, createdAt) =>
        new DocumentPlan(createdAt, 60).writeWhole(
          atRandom(random, perDay, createdAt),
          (length) => length + (random.chance(0.5) ? 1 : -1),
        ),
      );
    },
  },
  {
    name: 'capped',
    world(random) {
      const [rate, reached] = [scaled(random, 1, 12), between(random, 5, 60)];
      return createdEvenly(random, 800, 100, (_, createdAt) =>
        new DocumentPlan(createdAt).push(atRandom(random, rate, createdAt), Math.round(rate * reached)),
      );
    },
  },
  {
    name: 'only while young',
    world(random) {
      const [days, elements] = [between(random, 3, 40), scaled(random, 10, 120)];
      return createdEvenly(random, 1_000, 5 * days, (_, createdAt) => {
        const many = random.lognormal(elements, 0.3);
        return new DocumentPlan(createdAt).push(
          atRandom(random, many / days, createdAt, Math.min(0, createdAt + days)),
        );
      });
    },
  },
  {
    name: 'longer from the start, the older',
    world(random) {
      const [first, perDay, noise] = [between(random, 10, 40), between(random, 0.2, 1), between(random, 2, 8)];
      return createdEvenly(
        random,
        700,
        100,
        (_, createdAt) =>
          new DocumentPlan(createdAt, Math.max(0, Math.round(first - perDay * createdAt + random.normal(0, noise)))),
      );
    },
  },
  {
    name: 'longer from the start, the older, by a share',
    hiddenFrom: ['age'],
    world(random) {
      const [first, perDay] = [between(random, 10, 40), between(random, 0.2, 0.6)];
      return createdEvenly(
        random,
        700,
        100,
        (_, createdAt) => new DocumentPlan(createdAt, random.wholeLognormal(first - perDay * createdAt, 0.25)),
      );
    },
  },
  {
    name: 'versions of a schema',
    world(random) {
      const count = 2 + random.below(3);
      const levels = Array.from({ length: count }, () => scaled(random, 5, 80)).sort((a, b) => a - b);
      return createdEvenly(
        random,
        700,
        100,
        (_, createdAt) =>
          new DocumentPlan(
            createdAt,
            random.wholeLognormal(levels[Math.min(count - 1, Math.floor((-createdAt / 100) * count))] as number, 0.3),
          ),
      );
    },
  },
  {
    name: 'backfills on two days',
    world(random) {
      const [first, second] = [between(random, 1, 4), between(random, 0, 1)];
      const elements = 1 + random.below(8);
      return createdEvenly(random, 600, 100, (_, createdAt) =>
        new DocumentPlan(createdAt - 5, random.wholeLognormal(20, 0.6)).push(
          [-first, -second].flatMap((at) => Array.from({ length: elements }, () => at - random.next() / 24)),
        ),
      );
    },
  },
  {
    name: 'deleted soon',
    hiddenFrom: ['age'],
    world(random) {
      const [life, rate] = [between(random, 1.5, 4), scaled(random, 2, 20)];
      return createdEvenly(random, 3_000, 25, (_, createdAt) => {
        const plan = new DocumentPlan(createdAt).push(atRandom(random, rate, createdAt));
        if (createdAt < -life) plan.deletedAt = createdAt + life;
        return plan;
      });
    },
  },
  {
    name: 'idle, of a heavy tail',
    world(random) {
      const deviation = between(random, 0.3, 1.8);
      return createdEvenly(
        random,
        800,
        120,
        (_, createdAt) => new DocumentPlan(createdAt, random.wholeLognormal(10, deviation)),
      );
    },
  },
];

function drained(every: (random: RandomDistributions) => number): Kind['world'] {
  return (random) => {
    const [rate, left, days] = [scaled(random, 1, 8), scaled(random, 1, 20), every(random)];
    const first = days * random.next();
    return createdEvenly(random, 400, 120, (_, createdAt) => {
      const plan = new DocumentPlan(createdAt, random.poisson(left)).push(atRandom(random, rate, createdAt));
      for (let at = -first; at > createdAt; at -= days) plan.writeWhole([at], () => random.poisson(left));
      return plan;
    });
  };
}

function queue(random: RandomDistributions, createdAt: number, level: number, load: readonly number[]): DocumentPlan {
  const plan = new DocumentPlan(createdAt, Math.round(level));
  for (let day = Math.ceil(createdAt) + 1; day <= 0; day += 1) {
    const common = level * Math.exp(0.3 * (load[load.length - 1 + day] ?? 0));
    plan.writeWhole([day - 0.5], () => random.poisson(common));
  }
  return plan;
}

export const RANDOM_SCENARIOS: readonly GrowthScenario[] = [
  ...GROWING.map((kind) => ({ ...kind, grows: true })),
  ...NOT_GROWING.map((kind) => ({ ...kind, grows: false, family: 'not growing' as const })),
];
