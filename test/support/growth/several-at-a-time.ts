/** Collections whose writes add several elements each. Labelled before any of them was measured. */
import type { RandomDistributions } from '../random-distributions.js';
import { atRandom, createdEvenly, DocumentPlan, type VirtualWorld } from './virtual-world.js';

const DOCUMENTS = 800;
const DAYS = 90;

const of =
  (plan: Parameters<typeof createdEvenly>[3]) =>
  (random: RandomDistributions): VirtualWorld =>
    createdEvenly(random, DOCUMENTS, DAYS, plan);

const nightsSince = (createdAt: number, hours: () => number) =>
  Array.from({ length: DAYS }, (_, night) => -night - 0.6 + hours() / 24).filter((at) => at > createdAt);

export const SEVERAL_AT_A_TIME = [
  {
    name: 'one each night, by a job of an hour',
    family: 'bursts' as const,
    world: of((random, createdAt) => {
      const plan = new DocumentPlan(createdAt).push(nightsSince(createdAt, () => random.next()));
      plan.rate = 1;
      return plan;
    }),
  },
  {
    name: 'five at a time',
    family: 'bursts' as const,
    world: of((random, createdAt) => {
      const plan = new DocumentPlan(createdAt).pushEach(atRandom(random, 3 / 5, createdAt), () => 5);
      plan.rate = 3;
      return plan;
    }),
  },
  {
    name: 'one to nine at a time, unequal',
    family: 'unequal' as const,
    world: of((random, createdAt) => {
      const plan = new DocumentPlan(createdAt);
      plan.rate = random.lognormal(4, 0.5);
      return plan.pushEach(atRandom(random, plan.rate / 5, createdAt), () => 1 + random.below(9));
    }),
  },
  {
    name: 'saved whole, four more each time',
    family: 'bursts' as const,
    world: of((random, createdAt) => {
      const plan = new DocumentPlan(createdAt).writeWhole(atRandom(random, 1, createdAt), (length) => length + 4);
      plan.rate = 4;
      return plan;
    }),
  },
  {
    name: 'saved whole each night, with what came that day',
    family: 'unequal' as const,
    world: of((random, createdAt) => {
      const plan = new DocumentPlan(createdAt);
      plan.rate = random.lognormal(4, 0.5);
      return plan.writeWhole(
        nightsSince(createdAt, () => 0),
        (length) => length + random.poisson(plan.rate),
      );
    }),
  },
];

export const FILLED_SEVERAL_AT_A_TIME = [
  {
    name: 'five at a time while young',
    world: of((random, createdAt) =>
      new DocumentPlan(createdAt).pushEach(atRandom(random, 2, createdAt, Math.min(0, createdAt + 8)), () => 5),
    ),
  },
  {
    name: 'five at a time, emptied at random',
    world: of((random, createdAt) =>
      new DocumentPlan(createdAt)
        .pushEach(atRandom(random, 1, createdAt), () => 5)
        .writeWhole(atRandom(random, 0.3, createdAt), () => 0),
    ),
  },
  {
    name: 'saved whole, four more each time, up to 60',
    world: of((random, createdAt) =>
      new DocumentPlan(createdAt).writeWhole(atRandom(random, 1, createdAt), (length) => Math.min(60, length + 4)),
    ),
  },
  {
    name: 'saved whole each night while young, with what came that day',
    world: of((random, createdAt) =>
      new DocumentPlan(createdAt).writeWhole(
        nightsSince(createdAt, () => 0).filter((at) => at < createdAt + 12),
        (length) => length + random.poisson(5),
      ),
    ),
  },
];
