import { absent, present, type Evidence } from '../../presence.js';
import { MS_PER_DAY } from '../../time-units.js';
import type { DocumentProfile, PathProfile } from '../../profile/document-profile.js';
import { againstOthers } from './against-others.js';
import type { AgeGrowth } from './ages/age-growth.js';
import { combineGrowth, type Observations } from './combine-growth.js';
import { earlierForecasts } from './history/earlier-forecasts.js';
import type { ArrayGrowth, GrowthEvidence, SizeGrowth, SourceWindow } from './growth.js';
import { arrayForecasts, sizeForecast } from './growth-forecasts.js';
import { historyGrowth, type HistoryGrowth } from './history/history-growth.js';
import type { CurrentRun, EarlierRun } from './history/run-comparison.js';
import type { RecordedCollection } from './history/history-record.js';
import type { ToldBefore, ToldForecast } from './history/steady-days.js';
import { runsUnchanged } from './history/stored-bytes.js';
import { TrackedDocuments, type TrackedValues } from './tracked/tracked-documents.js';
import {
  FEWEST_INTERVALS,
  mostGaining,
  saysNothingAgainst,
  trackedGrowth,
  type TrackedGrowth,
} from './tracked/tracked-growth.js';
import type { TrackedSample } from './tracked/tracked-sample.js';

export interface EarlierCollection {
  readonly at: number;
  readonly collection: Omit<RecordedCollection, 'namespace' | 'uuid'>;
}

export interface PresentCollection {
  readonly at: number;
  readonly documents: number;
  readonly bytes: number | null;
  readonly sampled: number;
  readonly complete: boolean;
  /** Quantities that are judged: each path of arrays, and the documents' size. */
  readonly tests: number;
  readonly tracked: (() => TrackedSample) | null;
}

type Values = CurrentRun['values'];
type RecordedRun = Pick<EarlierCollection, 'at'> & { readonly array: RecordedCollection['arrays'][number] };
type ToldIn = (collection: EarlierCollection['collection']) => readonly ToldForecast[] | undefined;

/** Runs longer ago do not show how fast something grows now. */
const LONGEST_HISTORY_DAYS = 90;
/** If no document is older, they may be deleted soon. */
const SHORT_LIVED_DAYS = 14;
const NO_LENGTHS = { shortest: 0, median: 0, longest: 0, countAtLongest: 0, count: 0 };

export class CollectionRuns {
  private readonly tracked: TrackedDocuments | null;
  private readonly unchanged: number;

  /** @param earlier in order of time, their sketches of the present one's salt */
  constructor(
    private readonly earlier: readonly EarlierCollection[],
    private readonly now: PresentCollection,
  ) {
    this.tracked = trackedDocuments(earlier, now);
    const stored = earlier.map(({ collection: { documents, bytes = null } }) => ({ documents, bytes }));
    this.unchanged = runsUnchanged(stored, now);
  }

  get isFirst(): boolean {
    return this.earlier.length === 0;
  }

  private get unchangedDays(): number {
    const first = this.earlier[this.earlier.length - this.unchanged];
    return first === undefined ? 0 : (this.now.at - first.at) / MS_PER_DAY;
  }

  /** @param values lengths; may be left out if no source needs them */
  array(
    path: PathProfile,
    values: Values,
    seen: Pick<Observations, 'age' | 'oplog' | 'daysApart' | 'mostAreOlder'>,
    profile: DocumentProfile,
  ): ArrayGrowth {
    const { age, oplog } = seen;
    const tracked = this.tracked?.lengthsAt(path.path) ?? null;
    const lengthsIn = ({ arrays }: EarlierCollection['collection']) =>
      arrays.find((array) => array.path === path.path)?.lengths;
    const told = this.toldBefore(({ arrays }) => arrays.find((array) => array.path === path.path)?.forecasts);
    const { sum: elements = 0 } = path.array?.lengths ?? {};
    const bytesPerUnit = elements === 0 ? 0 : (path.array?.bytes.sum ?? 0) / elements;
    const wasGrowing = told !== null || this.wasGrowingAt(path.path);
    const byDocuments = tracked && trackedGrowth(tracked, 'elements', this.now.tests, wasGrowing);
    const seenBefore = {
      unit: 'elements',
      bytesPerUnit,
      values: tracked,
      byDocuments,
      wasTold: told !== null,
    } as const;
    const history = this.byHistory(values, lengthsIn, seenBefore);
    const documents = (this.now.documents * path.documents) / Math.max(1, profile.documents);
    const { min = 0, median = 0, max = 0, countAtMax = 0, count = 0 } = path.array?.lengths ?? {};
    const lengths = { shortest: min, median, longest: max, countAtLongest: countAtMax, count };
    const arrays = (this.now.documents * count) / Math.max(1, profile.documents);
    const recorded = this.earlier.flatMap(({ at, collection }) => {
      const array = collection.arrays.find((one) => one.path === path.path);
      return array === undefined || at >= this.now.at ? [] : [{ at, array }];
    });
    const known = {
      history,
      against: againstOthers(byDocuments, tracked, oplog, arrays),
      unchangedDays: this.unchangedDays,
      wasTold: told !== null,
      emptiedDaysAgo: this.emptiedDaysAgo(recorded),
      lengths,
      values: values.map(({ value }) => value),
      arrays,
    };
    const growth = combineGrowth({ ...seen, ...known }, documents);
    const forecasts = earlierForecasts(recorded, tracked, this.now.at);
    return {
      path: path.path,
      age,
      oplog,
      history,
      growth,
      forecasts: growth === null ? [] : arrayForecasts(path, growth, profile, told),
      ...(forecasts !== null && { earlierForecasts: forecasts }),
      ...(seen.mostAreOlder && { mostAreOlder: true }),
    };
  }

  sizes(values: Values, age: AgeGrowth | null): SizeGrowth {
    const told = this.toldBefore(({ sizeForecast: one }) => one && [one]);
    const tracked = this.tracked?.sizes() ?? null;
    const byDocuments = tracked && trackedGrowth(tracked, 'bytes', this.now.tests, told !== null || null);
    const seenBefore = {
      unit: 'bytes',
      bytesPerUnit: 1,
      values: tracked,
      byDocuments,
      wasTold: told !== null,
    } as const;
    const history = this.byHistory(values, (collection) => collection.sizes, seenBefore);
    const observations = {
      age,
      oplog: null,
      history,
      against: againstOthers(byDocuments, tracked, null, 0),
      wasTold: told !== null,
      unchangedDays: this.unchangedDays,
      lengths: NO_LENGTHS,
      values: [],
      arrays: 0,
      daysApart: 0,
      mostAreOlder: false,
    };
    const growth = combineGrowth(observations, this.now.documents);
    return { age, history, growth, forecast: growth === null ? null : sizeForecast(growth, told) };
  }

  count(): Pick<GrowthEvidence, 'earlierCount'> {
    const daysAgo = (at: number) => (this.now.at - at) / MS_PER_DAY;
    const first = this.earlier.find(({ at }) => at < this.now.at && daysAgo(at) <= LONGEST_HISTORY_DAYS);
    if (first === undefined) return {};
    return { earlierCount: { documents: first.collection.documents, daysAgo: daysAgo(first.at) } };
  }

  source(from: string): Evidence<SourceWindow> {
    const first = this.earlier[0];
    if (first === undefined)
      return absent(
        'insufficient',
        'no earlier run has measured this collection; --history stores what each run measures.',
      );
    return present({ days: (this.now.at - first.at) / MS_PER_DAY, from });
  }

  /** By the pace at which documents came since the first run. */
  private get mayBeNew(): boolean {
    const [first] = this.earlier;
    if (first === undefined) return true;
    const came = Math.max(0, this.now.documents - first.collection.documents);
    return this.now.documents * ((this.now.at - first.at) / MS_PER_DAY) < SHORT_LIVED_DAYS * came;
  }

  private toldBefore(of: ToldIn): ToldBefore | null {
    const last = this.earlier.at(-1);
    const forecasts = last === undefined ? undefined : of(last.collection);
    if (last === undefined || forecasts === undefined) return null;
    return { daysAgo: Math.max(0, this.now.at - last.at) / MS_PER_DAY, forecasts };
  }

  private emptiedDaysAgo(runs: readonly RecordedRun[]): number {
    const last = runs.findLastIndex(({ array }) => array.emptied === true);
    const [run, ...since] = last === -1 ? [] : runs.slice(last);
    if (run === undefined || [run, ...since].every(({ array }) => array.forecasts !== undefined)) return Infinity;
    return (this.now.at - run.at) / MS_PER_DAY;
  }

  /** Null if the run before could not compare documents with as many runs as that takes. */
  private wasGrowingAt(path: string): boolean | null {
    const runs = this.earlier.filter(({ collection }) => collection.sketch !== undefined);
    const array = runs.at(-1)?.collection.arrays.find((one) => one.path === path);
    return runs.length > FEWEST_INTERVALS && array !== undefined ? array.expected !== undefined : null;
  }

  private byHistory(
    values: Values,
    summaryOf: (collection: EarlierCollection['collection']) => EarlierRun['values'] | undefined,
    tracked: {
      readonly unit: 'elements' | 'bytes';
      readonly bytesPerUnit: number;
      readonly values: TrackedValues | null;
      readonly byDocuments: TrackedGrowth | null;
      readonly wasTold: boolean;
    },
  ): HistoryGrowth | null {
    if (this.isFirst || values.length === 0) return null;
    const { at: now, documents, bytes, sampled, complete, tests } = this.now;
    const { byDocuments } = tracked;
    const lifetimeDays = () => this.tracked?.lifetimeDays(complete) ?? null;
    if (byDocuments?.shape === 'growing') return { ...byDocuments, certain: true, lifetimeDays: lifetimeDays() };
    if (byDocuments !== null) {
      const { shape, runs, windowDays } = byDocuments;
      return { shape, runs, windowDays };
    }
    // No document lives for so many runs: those of each run are others.
    if (this.tracked !== null && this.tracked.count >= FEWEST_INTERVALS) return this.level();
    const changed = this.earlier.length - this.unchanged;
    const earlier = this.earlier.flatMap(({ at, collection }, run): EarlierRun[] => {
      const summary = summaryOf(collection);
      if (summary === undefined) return [];
      const holding = (collection.documents * summary.count) / collection.sizes.count;
      const { complete: isComplete, bytes: stored = null } = collection;
      const isUnchanged = run >= changed;
      return [{ at, documents: holding, bytes: stored, complete: isComplete, values: summary, isUnchanged }];
    });
    const holding = (documents * values.length) / sampled;
    const current = { at: now, documents: holding, bytes, bytesPerUnit: tracked.bytesPerUnit, complete, values };
    if (tracked.values === null) return historyGrowth(earlier, current, tests);
    // Whether it was one step is told by the same documents, so that the first run and the last show most.
    const areSame = this.tracked?.count === earlier.length;
    const compared = areSame ? earlier.slice(0, 1) : earlier;
    const byLengths = historyGrowth(compared, current, tests, mostGaining(tracked.values), tracked.wasTold);
    if (byLengths?.shape !== 'growing') return byLengths;
    if (this.mayBeNew || !saysNothingAgainst(tracked.values, tracked.unit, tracked.wasTold)) return this.level();
    return { ...byLengths, runs: this.earlier.length + 1, lifetimeDays: lifetimeDays() };
  }

  private level(): HistoryGrowth {
    const [first] = this.earlier;
    const days = first === undefined ? 0 : (this.now.at - first.at) / MS_PER_DAY;
    return { shape: 'level', runs: this.earlier.length + 1, windowDays: days };
  }
}

function trackedDocuments(
  earlier: readonly EarlierCollection[],
  { at: now, tracked }: PresentCollection,
): TrackedDocuments | null {
  const runs = earlier.flatMap(({ at, collection: { sketch } }) => {
    const isUsable = at < now && now - at <= LONGEST_HISTORY_DAYS * MS_PER_DAY;
    return sketch === undefined || !isUsable ? [] : [{ at, sketch }];
  });
  return runs.length === 0 || tracked === null ? null : new TrackedDocuments(runs, tracked(), now);
}
