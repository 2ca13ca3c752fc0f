import { describe, expect, it } from 'vitest';
import { fastGrowingArray } from '../../../checks/fast-growing-array/check.js';
import { problems } from '../../support/checks/evidence-builders.js';
import { RANDOM_SCENARIOS } from '../../support/growth/random-scenarios.js';
import { GROWTH_SCENARIOS } from '../../support/growth/growth-scenarios.js';
import { dailyVerdicts } from '../../support/growth/virtual-evidence.js';
import { atRandom, DocumentPlan, type VirtualWorld } from '../../support/growth/virtual-world.js';
import { RandomDistributions } from '../../support/random-distributions.js';

/** Whether each of 30 daily runs says that arrays grow. */
function verdictsOf(world: VirtualWorld): boolean[] {
  return dailyVerdicts(world, ({ arrays: [array] }) => (array?.growth ?? null) !== null);
}

function ofScenario(name: string, seed: number): VirtualWorld {
  const scenario = [...GROWTH_SCENARIOS, ...RANDOM_SCENARIOS].find((one) => one.name === name);
  if (scenario === undefined) throw new TypeError(`there is no scenario "${name}".`);
  return scenario.world(new RandomDistributions(seed * 7_919));
}

/** Documents that are deleted some days after their creation, and grow until then. */
function deletedAfter(days: number, seed: number): VirtualWorld {
  const random = new RandomDistributions(seed);
  const documents = Array.from({ length: 200 * (21 / days) }, () => {
    const plan = new DocumentPlan(-40 * random.next());
    if (plan.createdAt < -days) plan.deletedAt = plan.createdAt + days;
    return plan.push(atRandom(random, 30 / days, plan.createdAt)).document();
  });
  return { documents };
}

describe('none of 30 daily runs says that arrays grow', () => {
  it.each([1, 2, 3, 4, 5])('of documents that are deleted after a day or two, seed %i', (seed) => {
    expect(verdictsOf(deletedAfter(1, seed))).not.toContain(true);
    expect(verdictsOf(deletedAfter(2, seed))).not.toContain(true);
  });

  it.each([41, 42, 43, 44, 45])('that are full at the same length, seed %i', (seed) => {
    expect(verdictsOf(ofScenario('a late cap', seed))).not.toContain(true);
  });
});

it.each([1, 2, 3])('the verdict does not change of documents that are deleted after a week, seed %i', (seed) => {
  const lives = dailyVerdicts(deletedAfter(7, seed), ({ arrays: [array] }) =>
    array?.history?.shape === 'growing' ? array.history.lifetimeDays : null,
  );
  // By the fourth run, which sees three days of them.
  expect(lives[3]).toBeLessThan(20);
  expect(lives.slice(3).map((days) => days !== null && days < 20)).not.toContain(false);
});

it.each([201, 202])('growth that was found in bursts is found in each run after, seed %i', (seed) => {
  const verdicts = verdictsOf(ofScenario('bursts', seed));
  expect(verdicts.slice(4)).not.toContain(false);
});

/** How bad each of 30 daily runs says the growth is. */
function severitiesOf(world: VirtualWorld): string[] {
  return dailyVerdicts(
    world,
    (growth, { profile, sample }) =>
      problems(fastGrowingArray, { paths: profile.paths, profile, sample, growth })[0]?.severity ?? 'none',
  );
}

// Today's forecasts alone cross a line seven, seven and four times.
it.each([
  ['80 % idle, rates apart by 0', 31_007],
  ['50 % idle, rates apart by 0.5', 31_010],
  ['in bursts', 31_008],
])('the severity changes once at most after the fifth run: %s, seed %i', (name, seed) => {
  const severities = severitiesOf(ofScenario(name, seed)).slice(4);
  expect(severities.filter((severity, run) => run > 0 && severity !== severities[run - 1]).length).toBeLessThan(2);
});

const changesIn = (verdicts: readonly boolean[]) =>
  verdicts.filter((verdict, run) => run > 0 && verdict !== verdicts[run - 1]).length;

it.each([
  ['drained each week', 97_301],
  ['drained every few days', 97_301],
  ['queues that rise and fall together', 96_015],
])('the verdict changes once at most after the fourth run: %s, seed %i', (name, seed) => {
  expect(changesIn(verdictsOf(ofScenario(name, seed)).slice(3))).toBeLessThan(2);
});

it.each([
  ['cut to half, once', 97_301],
  ['restored as they were some days before, once', 97_302],
  ['more on some days than on others, by chance', 97_302],
])('growth that was told stays told: %s, seed %i', (name, seed) => {
  const verdicts = verdictsOf(ofScenario(name, seed));
  expect(verdicts).toContain(true);
  expect(verdicts.slice(verdicts.indexOf(true))).not.toContain(false);
});

it.each([97_301, 97_302])('two or three runs tell nothing of queues that all get longer, seed %i', (seed) => {
  expect(verdictsOf(ofScenario('queues that rise and fall with the week', seed)).slice(0, 3)).not.toContain(true);
});

/** Whether each of 30 daily runs with all sources sees growth in the oplog, and tells any. */
function growthByOplog(name: string, seed: number): (readonly [isByOplog: boolean, isTold: boolean])[] {
  return dailyVerdicts(
    ofScenario(name, seed),
    ({ arrays: [array] }) => [array?.oplog?.shape === 'growing', (array?.growth ?? null) !== null] as const,
    ['age', 'oplog'],
    new RandomDistributions(seed),
  );
}

it.each([
  ['a slot for each hour of the week', 98_001],
  ['drained every few days', 98_001],
  ['queues that rise and fall together', 98_109],
])('the oplog alone tells no growth that the same documents belie: %s, seed %i', (name, seed) => {
  const growing = growthByOplog(name, seed);
  expect(growing.slice(4).some(([isByOplog]) => isByOplog)).toBe(true);
  expect(growing.slice(4).some(([, isTold]) => isTold)).toBe(false);
});

it.each([
  ['drained each week', 141_001],
  ['drained each week', 141_002],
])('what the oplog showed to be drained is not told to grow before the next drain: %s, seed %i', (name, seed) => {
  const growing = growthByOplog(name, seed);
  expect(growing.some(([isByOplog]) => isByOplog)).toBe(true);
  expect(growing.some(([, isTold]) => isTold)).toBe(false);
});

it('growth that the second run tells is told by the third, too, if nothing speaks against it', () => {
  expect(verdictsOf(ofScenario('0 % idle, rates apart by 0', 31_009)).slice(0, 5)).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
});

it('the rate of a weekly job is that of all days, once it is found', () => {
  const rates = dailyVerdicts(
    ofScenario('a weekly job', 31_003),
    ({ arrays: [array] }) => array?.growth?.rates.typical,
  );
  const known = rates.flatMap((rate) => (rate === undefined ? [] : [rate.perDay]));
  expect(known.length).toBeGreaterThan(8);
  for (const { estimate } of known) expect(Math.abs(Math.log(estimate / 2))).toBeLessThan(Math.log(2.5));
});
