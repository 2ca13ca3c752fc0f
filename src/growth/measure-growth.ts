import { quantileSorted } from 'simple-statistics';
import { groupedBy } from '../grouped-by.js';
import { absent, derived, type Evidence, present } from '../presence.js';
import type { DocumentProfile, DocumentSample } from '../profile/document-profile.js';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import { placeOf } from '../profile/growth-sample/growth-sample.js';
import type { SampleMethod } from '../profile/sampling/sample-plan.js';
import { MS_PER_DAY } from '../time-units.js';
import { ageGrowth } from './age-growth.js';
import { arrayForecasts, combineGrowth, type LastForecasts, sizeForecast } from './combine.js';
import type { ArrayGrowth, GrowthEvidence, KeptGrowth, SourceWindow } from './growth.js';
import { historyGrowth, type SketchedRun, sketchOf } from './history-growth.js';
import { AGES, HISTORY } from './limits.js';
import { oplogGrowth } from './oplog-growth.js';
import type { SampledWrite } from './oplog-writes.js';
import type { OplogOfCollection } from './present-lengths.js';

/** What a run kept of a collection. `at` in ms since 1970. */
export interface KeptRun {
  readonly at: number;
  readonly kept: KeptGrowth;
}

export interface GrowthInput {
  readonly sample: Pick<DocumentSample, 'method'>;
  readonly profile: DocumentProfile;
  readonly profiled: ProfiledGrowth;
  readonly documents: number;
  readonly oplog: Evidence<OplogOfCollection>;
  /** What earlier runs kept of the collection, in order of time, with the salt of the history. */
  readonly earlier: readonly KeptRun[];
  /** The salt of the history's hashes; null without a history. */
  readonly salt: string | null;
  readonly now: number;
}

const NO_ARRAYS = { documents: [], lengths: [] };

export function measureGrowth(input: GrowthInput): GrowthEvidence {
  const { profile, profiled, oplog, now, documents, salt } = input;
  const { sample, lengths } = profiled;
  // A clock may be a day ahead.
  const times = Array.from(sample.objectIdTimes, (time) => (time > now + MS_PER_DAY ? NaN : Math.min(time, now)));
  const ages = ageSource(times);
  const aged = (values: ArrayLike<number>, placeAt = (index: number) => index) =>
    Array.from(ages.present ? values : [], (value, index) => ({
      value,
      age: (now - (times[placeAt(index)] as number)) / MS_PER_DAY,
    })).filter(({ age }) => !Number.isNaN(age));
  const paths = profile.paths.flatMap(({ path, array }) => (array === undefined ? [] : [path]));
  const writes = byPath(oplog.present ? oplog.value.writes : [], paths);
  const arrays = paths.map((path) => {
    const series = lengths.get(path) ?? NO_ARRAYS;
    const share = series.lengths.length / Math.max(1, sample.numbers.length);
    const sampled = { lengths: series.lengths, arrays: documents * share };
    const byAge = aged(series.lengths, (index) => placeOf(series.documents[index] as number, sample));
    const slack = slackAfter(lastForecasts(input.earlier, now, path));
    return {
      path,
      age: ageGrowth(byAge, 'elements'),
      oplog: oplog.present ? oplogGrowth(writes.get(path) ?? [], oplog.value, sampled, slack) : null,
    };
  });
  const run = { at: now, sketch: salt === null ? undefined : sketchFor(input, salt), from: '--history' };
  const since = grownOver(input.earlier, run, profile, { arrays, age: ageGrowth(aged(sample.sizes), 'bytes') });
  const { history, ...grown } = since;
  return { ...grown, sources: { age: ages, oplog: derived(oplog, windowOf), history } };
}

/** Growth as earlier files of evidence show it too. @param earlier in order of time */
export function grownSince(
  growth: GrowthEvidence,
  at: number,
  profile: DocumentProfile,
  earlier: readonly KeptRun[],
): GrowthEvidence {
  const { carried, sources, sizes } = growth;
  if (carried === undefined || earlier.length === 0) return growth;
  const run = { at, sketch: carried.sketch, from: 'earlier evidence files' };
  const { history, ...grown } = grownOver(earlier, run, profile, { arrays: growth.arrays, age: sizes.age });
  // A history file that covers more time knows more.
  if (sources.history.present && history.present && sources.history.value.days >= history.value.days) return growth;
  return { ...growth, ...grown, sources: { ...sources, history } };
}

/** What earlier runs show beside what the present one does. @param from what holds them  @param age of the documents' sizes */
function grownOver(
  kept: readonly KeptRun[],
  { at, sketch, from }: { readonly at: number; readonly sketch: KeptGrowth['sketch']; readonly from: string },
  profile: DocumentProfile,
  seen: { readonly arrays: readonly Pick<ArrayGrowth, 'path' | 'age' | 'oplog'>[]; readonly age: ArrayGrowth['age'] },
): Omit<GrowthEvidence, 'sources'> & { readonly history: Evidence<SourceWindow> } {
  const earlier = kept.filter((run) => run.at < at && at - run.at <= HISTORY.keptDays * MS_PER_DAY);
  const runs = [...earlier.map((run) => ({ at: run.at, sketch: run.kept.sketch })), { at, sketch }];
  const sketched = sketch === undefined ? [] : runs.filter((run): run is SketchedRun => run.sketch !== undefined);
  const days = (at - (sketched[0]?.at ?? at)) / MS_PER_DAY;
  const [first] = earlier;
  const differ = 'the sampled documents differ from run to run.';
  const why = first === undefined ? 'no earlier run has measured this collection.' : differ;
  const lastOfSizes = lastForecasts(kept, at, null);
  const ofSizes = historyGrowth(sketched, null, slackAfter(lastOfSizes));
  const sizes = combineGrowth({ age: seen.age, oplog: null, history: ofSizes });
  return {
    arrays: seen.arrays.map(({ path, age, oplog }) => {
      const last = lastForecasts(kept, at, path);
      const history = historyGrowth(sketched, path, slackAfter(last));
      const growth = combineGrowth({ age, oplog, history });
      const of = profile.paths.find((one) => one.path === path);
      const forecasts = growth === null || of === undefined ? [] : arrayForecasts(of, growth, profile, last);
      return { path, age, oplog, history, growth, forecasts };
    }),
    sizes: { age: seen.age, history: ofSizes, growth: sizes, forecast: sizes && sizeForecast(sizes, lastOfSizes) },
    history: days > 0 ? present({ days, from }) : absent('insufficient', why),
    ...(first !== undefined && {
      earlierCount: { documents: first.kept.documents, daysAgo: (at - first.at) / MS_PER_DAY },
    }),
  };
}

function lastForecasts(runs: readonly KeptRun[], now: number, path: string | null): LastForecasts {
  const last = runs.findLast(({ at }) => at < now);
  const forecasts = last?.kept.forecasts?.filter((one) => one.path === path) ?? [];
  const passed = (now - (last?.at ?? now)) / MS_PER_DAY;
  return new Map(forecasts.map(({ limit, days }) => [limit, { earliest: days - passed, latest: days }]));
}

/** Growth that the last run showed does not come and go with each borderline case. */
const slackAfter = (last: LastForecasts) => (last.size > 0 ? HISTORY.hysteresis : 1);

/** What is kept for later runs; null if nothing was sampled. */
export function keptGrowth(input: GrowthInput, { arrays, sizes }: GrowthEvidence, salt: string): KeptGrowth | null {
  if (input.profiled.sample.numbers.length === 0) return null;
  const sketch = sketchFor(input, salt);
  const ofSizes = { path: null, forecasts: sizes.forecast === null ? [] : [sizes.forecast] };
  const forecasts = [...arrays, ofSizes].flatMap(({ path, forecasts: made }) =>
    made.map(({ limit, expectedDays: days }) => ({ path, limit, days })).filter(({ days }) => Number.isFinite(days)),
  );
  return { documents: input.documents, ...(sketch !== undefined && { sketch }), forecasts };
}

/** The random cursor gives other documents each time: hardly any would be recognised. */
const OF_CHANCE: ReadonlySet<SampleMethod> = new Set(['random-cursor', 'random-sort']);

function sketchFor({ profiled, sample }: GrowthInput, salt: string): KeptGrowth['sketch'] {
  return OF_CHANCE.has(sample.method) ? undefined : sketchOf(profiled, salt);
}

function ageSource(times: readonly number[]): Evidence<SourceWindow> {
  const known = times.filter((time) => !Number.isNaN(time)).sort((one, other) => one - other);
  if (known.length < AGES.leastKnown * times.length)
    return absent('insufficient', 'the documents do not show when they were created: their `_id`s are not ObjectIds.');
  if (known.length < AGES.fewest) {
    const detail = `there are too few documents (${known.length}) to compare their ages; at least ${AGES.fewest} are needed.`;
    return absent('insufficient', detail);
  }
  if (quantileSorted(known, 0.95) - quantileSorted(known, 0.05) < AGES.shortestSpan * MS_PER_DAY)
    return absent('insufficient', 'nearly all documents were created within one day.');
  return present({ days: ((known.at(-1) as number) - (known[0] as number)) / MS_PER_DAY, from: '_id' });
}

function windowOf({ window: { from, to } }: OplogOfCollection): SourceWindow {
  return { days: (to - from) / MS_PER_DAY, from: 'local.oplog.rs' };
}

// Only by the paths of a profile, in which names that are data are `*`: the names at other paths might be data.
function byPath(writes: readonly SampledWrite[], paths: readonly string[]): Map<string | undefined, SampledWrite[]> {
  const patterns = paths.map((path) => {
    const steps = path.split('*').map((part) => part.replaceAll(/[.[\]()^$+?{}|\\]/g, String.raw`\$&`));
    return { path, pattern: new RegExp(`^${steps.join(String.raw`[^.[\]]+`)}$`) };
  });
  const known = new Map<string, string | undefined>(paths.map((path) => [path, path]));
  return groupedBy(writes, ({ path }) => {
    if (!known.has(path)) known.set(path, patterns.find(({ pattern }) => pattern.test(path))?.path);
    return known.get(path);
  });
}
