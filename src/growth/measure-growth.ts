import { mean, sampleRankCorrelation } from 'simple-statistics';
import { groupedBy } from '../grouped-by.js';
import { absent, present, type Evidence } from '../presence.js';
import type { DocumentProfile, DocumentSample, PathProfile } from '../profile/document-profile.js';
import type { ProfiledGrowth } from '../profile/document-profiler.js';
import { placeOf, type KeptDocuments } from '../profile/growth-sample/kept-documents.js';
import type { SampleMethod } from '../profile/sampling/sample-plan.js';
import { MS_PER_DAY } from '../time-units.js';
import { ageGrowth } from './age-growth.js';
import { toldOf, arrayForecasts, combineGrowth, sizeForecast, type Seen, type ToldBefore } from './combine.js';
import type { GrowthEvidence, KeptGrowth, SourceWindow, ArrayGrowth } from './growth.js';
import { sketchOf, historyGrowth, type SketchedRun } from './history-growth.js';
import { AGES, HISTORY } from './limits.js';
import { oplogGrowth } from './oplog-growth.js';
import type { DrawnWrite } from './oplog-writes.js';
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
  private readonly before: ToldBefore | null;

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
    this.before = last?.kept.told === undefined ? null : { told: last.kept.told, daysAgo: (at - last.at) / MS_PER_DAY };
  }

  array(path: PathProfile, seen: Omit<Seen, 'history'>, profile: DocumentProfile): ArrayGrowth {
    const history = historyGrowth(this.sketched, path.path, this.isTold(path.path));
    const growth = combineGrowth({ ...seen, history });
    const forecasts = growth === null ? [] : arrayForecasts(path, growth, profile, this.before);
    return { path: path.path, ...seen, history, growth, forecasts };
  }

  sizes(age: GrowthEvidence['sizes']['age']): GrowthEvidence['sizes'] {
    const history = historyGrowth(this.sketched, null, this.isTold(null));
    const growth = combineGrowth({ age, oplog: null, history });
    return { age, history, growth, forecast: growth === null ? null : sizeForecast(growth, this.before) };
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

  private isTold(path: string | null): boolean {
    return this.before?.told.some((one) => one.path === path) ?? false;
  }
}

interface CreationTimes {
  readonly field: string;
  /** In ms since 1970; NaN if unknown. */
  readonly times: Float64Array;
  /** Between the 5th and the 95th percentile. */
  readonly spanDays: number;
}

export interface GrowthInput {
  readonly sample: Pick<DocumentSample, 'method'>;
  readonly profile: DocumentProfile;
  readonly profiled: ProfiledGrowth;
  /** Whether the documents were read in the order of their insertion. */
  readonly isInOrder: boolean;
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
  const times = creationTimes(sample, input.isInOrder, now);
  const runs = new EarlierRuns(input.earlier, now, input.salt === null ? undefined : sketchFor(input, input.salt));
  const paths = profile.paths.filter(({ array }) => array !== undefined);
  const names = paths.map(({ path }) => path);
  const writes = byPath(oplog.present ? oplog.value.writes : [], names);
  const aged = (values: ArrayLike<number>, indexOf = (at: number) => at) =>
    Array.from(values, (value, at) => ({ value, age: (now - (times?.times[indexOf(at)] ?? NaN)) / MS_PER_DAY })).filter(
      ({ age }) => !Number.isNaN(age),
    );
  return {
    arrays: paths.map((path) => {
      const columns = lengths.get(path.path) ?? NO_ARRAYS;
      const ages = aged(columns.lengths, (at) => placeOf(columns.documents[at] as number, sample));
      const sampled = {
        lengths: columns.lengths,
        arrays: (documents * columns.lengths.length) / Math.max(1, sample.numbers.length),
        created: ages.map(({ age }) => now - age * MS_PER_DAY),
      };
      const seen = {
        age: ageGrowth(ages, 'elements'),
        oplog: oplog.present ? oplogGrowth(writes.get(path.path) ?? [], oplog.value, sampled) : null,
      };
      return runs.array(path, seen, profile);
    }),
    sizes: runs.sizes(ageGrowth(aged(sample.sizes), 'bytes')),
    sources: { age: ageSource(times), oplog: oplogSource(oplog), history: runs.source('--history') },
    ...runs.count(),
  };
}

/** What is kept for later runs; null if nothing was sampled. */
export function keptGrowth(input: GrowthInput, growth: GrowthEvidence, salt: string): KeptGrowth | null {
  if (input.profiled.sample.numbers.length === 0) return null;
  const sketch = sketchFor(input, salt);
  const { arrays, sizes } = growth;
  const forecasts = [
    ...arrays.flatMap((array) => toldOf(array.path, array.forecasts)),
    ...toldOf(null, sizes.forecast === null ? [] : [sizes.forecast]),
  ];
  return {
    documents: input.documents,
    ...(sketch !== undefined && { sketch }),
    ...(forecasts.length > 0 && { told: forecasts }),
  };
}

/** The random cursor gives other documents each time: hardly any would be recognised. */
const OF_CHANCE: ReadonlySet<SampleMethod> = new Set(['random-cursor', 'random-sort']);

function sketchFor({ profiled, sample }: GrowthInput, salt: string): KeptGrowth['sketch'] {
  return OF_CHANCE.has(sample.method) ? undefined : sketchOf(profiled, salt);
}

function ageSource(times: ReturnType<typeof creationTimes>): Evidence<SourceWindow> {
  if (times === null) return absent('insufficient', 'the documents do not show when they were created.');
  const sorted = known(times.times).sort();
  if (sorted.length < AGES.fewest) {
    const detail = `there are too few documents (${sorted.length}) to compare their ages; at least ${AGES.fewest} are needed.`;
    return absent('insufficient', detail);
  }
  if (times.spanDays < AGES.shortestSpan) return absent('insufficient', 'all documents were created within one hour.');
  return present({ days: ((sorted.at(-1) as number) - (sorted[0] as number)) / MS_PER_DAY, from: times.field });
}

function oplogSource(oplog: GrowthInput['oplog']): Evidence<SourceWindow> {
  if (!oplog.present) return oplog;
  const { from, to } = oplog.value.drawnFrom;
  return present({ days: (to - from) / MS_PER_DAY, from: 'local.oplog.rs' });
}

// Only by the paths of a profile, in which names that are data are `*`: the names at other paths might be data.
function byPath(writes: readonly DrawnWrite[], paths: readonly string[]): Map<string | undefined, DrawnWrite[]> {
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

// From the ObjectIds of `_id`; or, if those show an import, from a date that rises with the numeric `_id`s, the
// ObjectIds or the place in the collection: a field's name proves nothing.
export function creationTimes(sample: KeptDocuments, isInOrder: boolean, now: number): CreationTimes | null {
  const count = sample.numbers.length;
  const byId = notInFuture(sample.objectIdTimes, now);
  const isIdKnown = known(byId).length >= AGES.leastKnown * count && count > 0;
  const proven = [...sample.dates].flatMap(([field, dates]) => {
    const times = notInFuture(dates, now);
    if (known(times).length < Math.max(AGES.fewest, AGES.leastKnown * sample.datesRead)) return [];
    const spanDays = spanDaysOf(times);
    return spanDays >= AGES.shortestSpan && isProven(times, sample, isInOrder) ? [{ field, times, spanDays }] : [];
  });
  const earliest = proven.sort((a, b) => meanOf(a.times) - meanOf(b.times))[0];
  if (!isIdKnown) return earliest ?? null;
  const idSpan = spanDaysOf(byId);
  const isImported = earliest !== undefined && meanOf(byId) - meanOf(earliest.times) > idSpan * MS_PER_DAY;
  return earliest !== undefined && (idSpan < AGES.shortestSpan || isImported)
    ? earliest
    : { field: '_id', times: byId, spanDays: idSpan };
}

function meanOf(times: Float64Array): number {
  return mean([...known(times)]);
}

function spanDaysOf(times: Float64Array): number {
  const sorted = known(times).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return (at(0.95) - at(0.05)) / MS_PER_DAY;
}

/** Dates in the future are no times of creation. A clock may be a day off. */
function notInFuture(times: Float64Array, now: number): Float64Array {
  return times.map((time) => (time > now + MS_PER_DAY ? NaN : Math.min(time, now)));
}

/** A copy without what is unknown. */
function known(times: Float64Array): Float64Array {
  return times.filter((time) => !Number.isNaN(time));
}

function isProven(
  times: Float64Array,
  { objectIdTimes, numericIds, numbers }: KeptDocuments,
  isInOrder: boolean,
): boolean {
  return [objectIdTimes, numericIds, ...(isInOrder ? [numbers] : [])].some((order) => {
    const beside = order.filter((_, place) => !Number.isNaN(times[place]));
    return !beside.some(Number.isNaN) && sampleRankCorrelation([...beside], [...known(times)]) >= AGES.leastAgreement;
  });
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
