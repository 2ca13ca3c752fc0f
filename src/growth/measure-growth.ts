import { quantileSorted } from 'simple-statistics';
import { groupedBy } from '../grouped-by.js';
import { absent, present, type Evidence } from '../presence.js';
import type { DocumentProfile, DocumentSample, PathProfile } from '../profile/document-profile.js';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import { placeOf } from '../profile/growth-sample/kept-documents.js';
import type { SampleMethod } from '../profile/sampling/sample-plan.js';
import { MS_PER_DAY } from '../time-units.js';
import { ageGrowth } from './age-growth.js';
import { arrayForecasts, combineGrowth, type EarlierForecasts, sizeForecast } from './combine.js';
import type { GrowthEvidence, KeptGrowth, SourceWindow, ArrayGrowth } from './growth.js';
import { sketchOf, historyGrowth, type SketchedRun } from './history-growth.js';
import { AGES, HISTORY } from './limits.js';
import { oplogGrowth } from './oplog-growth.js';
import type { SampledWrite } from './oplog-writes.js';
import type { OplogOfCollection } from './present-lengths.js';

/** What a run kept of a collection. `at` in ms since 1970. */
export interface KeptRun {
  readonly at: number;
  readonly kept: KeptGrowth;
}

/** The runs before the present one, and what they make of its arrays. */
class EarlierRuns {
  private readonly earlier: readonly KeptRun[];
  private readonly sketched: readonly SketchedRun[];
  private readonly latest: EarlierForecasts | null;

  /** @param earlier in order of time, with sketches of the same salt  @param sketch of the present run */
  constructor(
    earlier: readonly KeptRun[],
    private readonly at: number,
    sketch: KeptGrowth['sketch'],
  ) {
    this.earlier = earlier.filter((run) => run.at < at && at - run.at <= HISTORY.keptDays * MS_PER_DAY);
    const runs = this.earlier.flatMap(({ at: then, kept }) =>
      kept.sketch === undefined ? [] : [{ at: then, sketch: kept.sketch }],
    );
    this.sketched = sketch === undefined || runs.length === 0 ? [] : [...runs, { at, sketch }];
    const last = this.earlier.at(-1);
    const forecasts = last?.kept.forecasts;
    this.latest = forecasts === undefined ? null : { forecasts, daysAgo: (at - (last as KeptRun).at) / MS_PER_DAY };
  }

  array(path: PathProfile, seen: Pick<ArrayGrowth, 'age' | 'oplog'>, profile: DocumentProfile): ArrayGrowth {
    const history = historyGrowth(this.sketched, path.path, this.wasGrowing(path.path));
    const growth = combineGrowth({ ...seen, history });
    const forecasts = growth === null ? [] : arrayForecasts(path, growth, profile, this.latest);
    return { path: path.path, ...seen, history, growth, forecasts };
  }

  sizes(age: GrowthEvidence['sizes']['age']): GrowthEvidence['sizes'] {
    const history = historyGrowth(this.sketched, null, this.wasGrowing(null));
    const growth = combineGrowth({ age, oplog: null, history });
    return { age, history, growth, forecast: growth === null ? null : sizeForecast(growth, this.latest) };
  }

  /** @param from what holds the runs */
  source(from: string): Evidence<SourceWindow> {
    const [first] = this.sketched;
    if (first !== undefined) return present({ days: (this.at - first.at) / MS_PER_DAY, from });
    if (this.earlier.length === 0) return absent('insufficient', 'no earlier run has measured this collection.');
    return absent('insufficient', 'the sampled documents differ from run to run.');
  }

  count(): Pick<GrowthEvidence, 'earlierCount'> {
    const [first] = this.earlier;
    if (first === undefined) return {};
    return { earlierCount: { documents: first.kept.documents, daysAgo: (this.at - first.at) / MS_PER_DAY } };
  }

  private wasGrowing(path: string | null): boolean {
    return this.latest?.forecasts.some((one) => one.path === path) ?? false;
  }
}

export interface GrowthInput {
  readonly sample: Pick<DocumentSample, 'method'>;
  readonly profile: DocumentProfile;
  readonly profiled: ProfiledGrowth;
  readonly documents: number;
  readonly oplog: Evidence<OplogOfCollection>;
  /** What earlier runs kept of the collection, in order of time. */
  readonly earlier: readonly KeptRun[];
  /** Of the history's hashes; null without a history. */
  readonly salt: string | null;
  readonly now: number;
}

const NO_ARRAYS = { documents: [], lengths: [] };

export function measureGrowth(input: GrowthInput): GrowthEvidence {
  const { profile, profiled, oplog, now, documents } = input;
  const { sample, lengths } = profiled;
  const times = creationTimes(sample, now);
  const runs = new EarlierRuns(input.earlier, now, input.salt === null ? undefined : sketchFor(input, input.salt));
  const paths = profile.paths.filter(({ array }) => array !== undefined);
  const names = paths.map(({ path }) => path);
  const writes = byPath(oplog.present ? oplog.value.writes : [], names);
  const ages = ageSource(times);
  const aged = (values: ArrayLike<number>, indexOf = (at: number) => at) =>
    ages.present
      ? Array.from(values, (value, at) => ({ value, age: (now - (times[indexOf(at)] as number)) / MS_PER_DAY })).filter(
          ({ age }) => !Number.isNaN(age),
        )
      : [];
  return {
    arrays: paths.map((path) => {
      const columns = lengths.get(path.path) ?? NO_ARRAYS;
      const lengthsByAge = aged(columns.lengths, (at) => placeOf(columns.documents[at] as number, sample));
      const sampled = {
        lengths: columns.lengths,
        arrays: (documents * columns.lengths.length) / Math.max(1, sample.numbers.length),
      };
      const seen = {
        age: ageGrowth(lengthsByAge, 'elements'),
        oplog: oplog.present ? oplogGrowth(writes.get(path.path) ?? [], oplog.value, sampled) : null,
      };
      return runs.array(path, seen, profile);
    }),
    sizes: runs.sizes(ageGrowth(aged(sample.sizes), 'bytes')),
    sources: { age: ages, oplog: oplogSource(oplog), history: runs.source('--history') },
    ...runs.count(),
  };
}

/** What is kept for later runs; null if nothing was sampled. */
export function keptGrowth(input: GrowthInput, growth: GrowthEvidence, salt: string): KeptGrowth | null {
  if (input.profiled.sample.numbers.length === 0) return null;
  const sketch = sketchFor(input, salt);
  const { arrays, sizes } = growth;
  const made = arrays.flatMap(({ path, forecasts }) =>
    forecasts.map((one) => ({ path: path as string | null, ...one })),
  );
  if (sizes.forecast !== null) made.push({ path: null, ...sizes.forecast });
  const forecasts = made
    .filter(({ expectedDays }) => Number.isFinite(expectedDays))
    .map(({ path, limit, expectedDays }) => ({ path, limit, days: expectedDays }));
  return {
    documents: input.documents,
    ...(sketch !== undefined && { sketch }),
    ...(forecasts.length > 0 && { forecasts }),
  };
}

/** The random cursor gives other documents each time: hardly any would be recognised. */
const OF_CHANCE: ReadonlySet<SampleMethod> = new Set(['random-cursor', 'random-sort']);

function sketchFor({ profiled, sample }: GrowthInput, salt: string): KeptGrowth['sketch'] {
  return OF_CHANCE.has(sample.method) ? undefined : sketchOf(profiled, salt);
}

function ageSource(times: readonly number[]): Evidence<SourceWindow> {
  const known = times.filter((time) => !Number.isNaN(time)).sort((one, other) => one - other);
  if (known.length < AGES.leastKnown * times.length)
    return absent('insufficient', 'the documents do not show when they were created: their `_id`s are no ObjectIds.');
  if (known.length < AGES.fewest) {
    const detail = `there are too few documents (${known.length}) to compare their ages; at least ${AGES.fewest} are needed.`;
    return absent('insufficient', detail);
  }
  const [youngest, oldest] = [0.05, 0.95].map((share) => quantileSorted(known, share)) as [number, number];
  if (oldest - youngest < AGES.shortestSpan * MS_PER_DAY)
    return absent('insufficient', 'nearly all documents were created within one day.');
  return present({ days: ((known.at(-1) as number) - (known[0] as number)) / MS_PER_DAY, from: '_id' });
}

function oplogSource(oplog: GrowthInput['oplog']): Evidence<SourceWindow> {
  if (!oplog.present) return oplog;
  const { from, to } = oplog.value.window;
  return present({ days: (to - from) / MS_PER_DAY, from: 'local.oplog.rs' });
}

// Only by the paths of a profile, in which names that are data are `*`: the names at other paths might be data.
function byPath(writes: readonly SampledWrite[], paths: readonly string[]): Map<string | undefined, SampledWrite[]> {
  const profiled = new Set(paths);
  const patterns = paths.filter((path) => path.includes('*')).map((path) => ({ path, pattern: patternOf(path) }));
  return groupedBy(writes, ({ path }) =>
    profiled.has(path) ? path : patterns.find(({ pattern }) => pattern.test(path))?.path,
  );
}

function patternOf(path: string): RegExp {
  const steps = path.split('*').map((part) => part.replaceAll(/[.[\]()^$+?{}|\\]/g, String.raw`\$&`));
  return new RegExp(`^${steps.join(String.raw`[^.[\]]+`)}$`);
}

/** When the documents were made, by their ObjectIds, in ms since 1970; NaN if unknown. A clock may be a day ahead. */
function creationTimes({ objectIdTimes }: ProfiledGrowth['sample'], now: number): number[] {
  return Array.from(objectIdTimes, (time) => (time > now + MS_PER_DAY ? NaN : Math.min(time, now)));
}

/** Growth as earlier files of evidence show it too. @param earlier in order of time */
export function grownSince(
  growth: GrowthEvidence,
  at: number,
  profile: DocumentProfile,
  earlier: readonly KeptRun[],
): GrowthEvidence {
  const { carried, sources } = growth;
  if (carried === undefined || earlier.length === 0) return growth;
  const runs = new EarlierRuns(earlier, at, carried.sketch);
  const history = runs.source('earlier evidence files');
  // A history file that covers more time knows more.
  if (sources.history.present && history.present && sources.history.value.days >= history.value.days) return growth;
  return {
    ...growth,
    arrays: growth.arrays.map((array) => {
      const path = profile.paths.find((one) => one.path === array.path);
      return path === undefined ? array : runs.array(path, { age: array.age, oplog: array.oplog }, profile);
    }),
    sizes: runs.sizes(growth.sizes.age),
    sources: { ...sources, history },
    ...runs.count(),
  };
}
