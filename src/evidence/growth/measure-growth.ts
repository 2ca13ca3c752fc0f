import { DOCUMENT_LIMIT_BYTES } from '../../server-limits.js';
import { MS_PER_DAY } from '../../time-units.js';
import type { DocumentProfile, DocumentSample, PathProfile } from '../documents/document-profile.js';
import type { ProfiledGrowth } from '../documents/document-profiler.js';
import { absent, present, type Evidence } from '../../presence.js';
import { ageGrowth, FEWEST_AGED_DOCUMENTS, SHORTEST_AGE_SPAN } from './age-growth.js';
import type { ArrayActivity } from './array-activity.js';
import { combineGrowth } from './combine-growth.js';
import { creationTimes, spanDays, type CreationTimes } from './creation-times.js';
import { earlierForecasts, type RecordedRun } from './earlier-forecasts.js';
import { forecast } from './forecast.js';
import {
  FORECAST_ELEMENTS,
  type ArrayGrowth,
  type GrowthEvidence,
  type LimitForecast,
  type MeasuredGrowth,
  type SizeGrowth,
  type SourceWindow,
} from './growth.js';
import { historyGrowth, type CurrentRun, type EarlierRun } from './history-growth.js';
import type { HistoryRecord } from './history-record.js';
import { drawnGrowth } from './drawn-growth.js';
import type { DrawnWindow, DrawnWrite } from './drawn-writes.js';
import { byPath } from './oplog-paths.js';
import { oplogGrowth, type OplogGrowth, type OplogWindow } from './oplog-growth.js';
import { TrackedDocuments, type TrackedValues } from './tracked-documents.js';
import { trackedGrowth } from './tracked-growth.js';

export interface GrowthInput {
  readonly sample: DocumentSample;
  readonly profile: DocumentProfile;
  readonly profiled: ProfiledGrowth;
  /** Whether the documents were read in the order of their insertion. */
  readonly isInOrder: boolean;
  readonly documents: number;
  readonly oplog: Evidence<OplogOfCollection>;
  /** The collection's own UUID in hexadecimal, by which it is found in the earlier runs. */
  readonly uuid: string | null;
  readonly records: readonly HistoryRecord[];
  /** That of the history's sketches; null without a history. */
  readonly salt: string | null;
  readonly now: number;
  /** In ms since `now`: meanwhile the oplog was read and the sample taken. */
  readonly elapsed: number;
}

/** What was read of the oplog about a collection: stretches of it without gaps, or entries drawn evenly. */
export type OplogOfCollection =
  | { readonly window: OplogWindow; readonly activities: readonly ArrayActivity[] }
  | { readonly drawnFrom: DrawnWindow; readonly writes: readonly (DrawnWrite & { readonly path: string })[] };

export function measureGrowth(input: GrowthInput): GrowthEvidence {
  return new CollectionGrowth(input).evidence();
}

const NO_LENGTHS = { shortest: 0, median: 0, longest: 0, countAtLongest: 0, count: 0 };

class CollectionGrowth {
  private readonly times: CreationTimes | null;
  private readonly isOfManyAges: boolean;
  private readonly arrayPaths: readonly PathProfile[];
  private readonly oplogAt: (path: string) => OplogGrowth | null;
  private readonly earlier: readonly {
    readonly at: number;
    readonly collection: HistoryRecord['collections'][number];
  }[];
  private readonly tracked: TrackedDocuments | null;
  /** Quantities that are judged: each path of arrays, and the documents' size. */
  private readonly tests: number;

  constructor(private readonly input: GrowthInput) {
    const { profile, profiled, isInOrder, oplog, uuid, records, now } = input;
    this.times = creationTimes(profiled.sample, isInOrder, now);
    this.arrayPaths = profile.paths.filter(({ array }) => array !== undefined);
    this.isOfManyAges = this.times !== null && spanDays(this.times.times) >= SHORTEST_AGE_SPAN;
    this.tests = this.arrayPaths.length + 1;
    this.oplogAt = oplog.present
      ? oplogGrowthByPath(
          oplog.value,
          this.arrayPaths.map(({ path }) => path),
        )
      : () => null;
    this.earlier = records.flatMap(({ at, collections }) => {
      const collection = collections.find((one) => one.uuid === uuid);
      return collection === undefined ? [] : [{ at: Date.parse(at), collection }];
    });
    this.tracked = trackedDocuments(input);
  }

  evidence(): GrowthEvidence {
    return {
      arrays: this.arrayPaths.map((path) => this.array(path)),
      sizes: this.sizes(),
      sources: { age: this.ageSource(), oplog: this.oplogSource(), history: this.historySource() },
    };
  }

  private array(path: PathProfile): ArrayGrowth {
    const oplog = this.oplogAt(path.path);
    // Most collections have nothing to compare with, so nothing is prepared for them.
    const values =
      this.isOfManyAges || this.earlier.length > 0 || oplog?.shape === 'growing' ? this.lengthsAt(path.path) : [];
    const age = this.byAge(values, 'elements');
    const tracked = this.tracked?.lengthsAt(path.path) ?? null;
    const history = this.byHistory(values, ({ arrays }) => arrays.find((array) => array.path === path.path)?.lengths, {
      unit: 'elements',
      values: tracked,
    });
    const created = values.flatMap(({ time }) => (time === null ? [] : [time]));
    const documents = (this.input.documents * path.documents) / Math.max(1, this.input.profile.documents);
    const { min = 0, median = 0, max = 0, countAtMax = 0, count = 0 } = path.array?.lengths ?? {};
    const lengths = { shortest: min, median, longest: max, countAtLongest: countAtMax, count };
    const growth = combineGrowth(
      { age, oplog, history, lengths, daysApart: this.input.elapsed / MS_PER_DAY, created },
      documents,
    );
    const earlier = earlierForecasts(this.recordedAt(path.path), tracked, this.input.now);
    return {
      path: path.path,
      age,
      oplog,
      history,
      growth,
      forecasts: growth === null ? [] : this.forecasts(path, growth),
      ...(earlier !== null && { earlierForecasts: earlier }),
    };
  }

  private recordedAt(path: string): RecordedRun[] {
    return this.earlier.flatMap(({ at, collection }) => {
      const array = collection.arrays.find((one) => one.path === path);
      return array === undefined || at >= this.input.now ? [] : [{ at, array }];
    });
  }

  private sizes(): SizeGrowth {
    if (!this.isOfManyAges && this.earlier.length === 0)
      return { age: null, history: null, growth: null, forecast: null };
    const values = [...this.input.profiled.sample.documentSizes].map((value, index) => ({
      value,
      time: this.timeOf(index),
    }));
    const age = this.byAge(values, 'bytes');
    const history = this.byHistory(values, (collection) => collection.sizes, {
      unit: 'bytes',
      values: this.tracked?.sizes() ?? null,
    });
    const growth = combineGrowth(
      { age, oplog: null, history, lengths: NO_LENGTHS, daysApart: 0, created: [] },
      this.input.documents,
    );
    const limit = DOCUMENT_LIMIT_BYTES;
    return { age, history, growth, forecast: growth === null ? null : limitForecast(growth, 'bytes', limit, limit) };
  }

  private lengthsAt(path: string): CurrentRun['values'] {
    const { sample, lengths } = this.input.profiled;
    const columns = lengths.get(path)?.columns;
    if (columns === undefined) return [];
    return Array.from(columns.lengths, (value, index) => ({
      value,
      time: this.timeOf(sample.indexOf(columns.documents[index] as number)),
    }));
  }

  private timeOf(index: number): number | null {
    const time = this.times?.times[index] ?? NaN;
    return Number.isNaN(time) ? null : time;
  }

  private byAge(values: CurrentRun['values'], unit: 'elements' | 'bytes'): ArrayGrowth['age'] {
    if (!this.isOfManyAges) return null;
    const { now } = this.input;
    const aged = values.flatMap(({ value, time }) =>
      time === null ? [] : [{ value, age: (now - time) / MS_PER_DAY }],
    );
    return ageGrowth(aged, unit, this.tests);
  }

  private byHistory(
    values: CurrentRun['values'],
    summaryOf: (collection: HistoryRecord['collections'][number]) => EarlierRun['values'] | undefined,
    tracked: { readonly unit: 'elements' | 'bytes'; readonly values: TrackedValues | null },
  ): ArrayGrowth['history'] {
    if (this.earlier.length === 0 || values.length === 0) return null;
    const byDocuments = tracked.values === null ? null : trackedGrowth(tracked.values, tracked.unit, this.tests);
    if (byDocuments?.shape === 'growing') {
      const lifetimeDays = this.tracked?.lifetimeDays(this.isComplete(this.input.sample)) ?? null;
      return { ...byDocuments, certain: true, lifetimeDays };
    }
    if (byDocuments !== null) return byDocuments;
    const { documents, sample, now, profiled } = this.input;
    const earlier = this.earlier.flatMap(({ at, collection }): EarlierRun[] => {
      const summary = summaryOf(collection);
      if (summary === undefined) return [];
      const holding = (collection.documents * summary.count) / collection.sizes.count;
      return [{ at, documents: holding, complete: collection.complete, values: summary }];
    });
    const current = {
      at: now,
      documents: (documents * values.length) / profiled.sample.size,
      complete: this.isComplete(sample),
      values,
    };
    return historyGrowth(earlier, current, this.tests);
  }

  private isComplete({ complete }: DocumentSample): boolean {
    return complete && this.input.profiled.sample.size === this.input.profile.documents;
  }

  private forecasts({ array, documents }: PathProfile, growth: MeasuredGrowth): LimitForecast[] {
    if (array === undefined) return [];
    const perElement = array.bytesPerDocument.sum / Math.max(1, array.lengths.sum);
    const perDocument = array.lengths.count / Math.max(1, documents);
    const rest = Math.max(0, this.input.profile.sizes.median - array.bytesPerDocument.median);
    const most = (DOCUMENT_LIMIT_BYTES - rest) / Math.max(1, perElement * perDocument);
    return [
      ...FORECAST_ELEMENTS.map((limit) => limitForecast(growth, 'elements', limit, limit)),
      limitForecast(growth, 'bytes', DOCUMENT_LIMIT_BYTES, most),
    ];
  }

  private ageSource(): Evidence<SourceWindow> {
    if (this.times === null) return absent('insufficient', 'the documents do not show when they were created.');
    const times = [...this.times.times].filter((time) => !Number.isNaN(time));
    if (times.length < FEWEST_AGED_DOCUMENTS) {
      return absent(
        'insufficient',
        `there are too few documents (${times.length}) to compare their ages; at least ${FEWEST_AGED_DOCUMENTS} are needed.`,
      );
    }
    if (!this.isOfManyAges) return absent('insufficient', 'all documents were created within one hour.');
    const days = (Math.max(...times) - Math.min(...times)) / MS_PER_DAY;
    return present({ days, from: this.times.field });
  }

  private oplogSource(): Evidence<SourceWindow> {
    const { oplog } = this.input;
    if (!oplog.present) return oplog;
    const { from, to } = 'window' in oplog.value ? oplog.value.window : oplog.value.drawnFrom;
    return present({ days: (to - from) / MS_PER_DAY, from: 'local.oplog.rs' });
  }

  private historySource(): Evidence<SourceWindow> {
    const first = this.earlier[0];
    if (first === undefined)
      return absent(
        'insufficient',
        'no earlier run has measured this collection; --history stores what each run measures.',
      );
    return present({ days: (this.input.now - first.at) / MS_PER_DAY, from: '--history' });
  }
}

/** Runs longer ago do not show how fast something grows now. */
const LONGEST_HISTORY_DAYS = 90;

/** From runs that kept a sketch with the salt of this one's. */
function trackedDocuments({ uuid, records, salt, profiled, now }: GrowthInput): TrackedDocuments | null {
  if (salt === null || uuid === null) return null;
  const runs = records.flatMap((record) => {
    const at = Date.parse(record.at);
    const sketch = record.collections.find((one) => one.uuid === uuid)?.sketch;
    const isUsable = record.salt === salt && at < now && now - at <= LONGEST_HISTORY_DAYS * MS_PER_DAY;
    return sketch === undefined || !isUsable ? [] : [{ at, sketch }];
  });
  return runs.length === 0 ? null : new TrackedDocuments(runs, profiled, salt, now);
}

function oplogGrowthByPath(oplog: OplogOfCollection, paths: readonly string[]): (path: string) => OplogGrowth {
  if ('window' in oplog) {
    const activities = byPath(oplog.activities, paths);
    return (path) => oplogGrowth(activities.get(path) ?? [], oplog.window);
  }
  const writes = byPath(oplog.writes, paths);
  return (path) => drawnGrowth(writes.get(path) ?? [], oplog.drawnFrom);
}

/** Nobody has seen it change, so it may double or halve in 30 days: as growth in early stages and fading interest do. */
const UNMEASURED_CHANGE = Math.LN2 / 30;

/** @param value the limit in the unit of the growth */
function limitForecast(
  growth: MeasuredGrowth,
  unit: LimitForecast['unit'],
  limit: number,
  value: number,
): LimitForecast {
  const { rates, windowDays, source, confidence, byChance } = growth;
  const isCarried = source !== 'history' || confidence !== 'low';
  const days = (now: number, perDay: number) => Math.max(0, value - now) / Math.max(0, perDay);
  const { typical, largest } = rates;
  return {
    unit,
    limit,
    expectedDays: Math.min(
      days(typical.value.estimate, typical.perDay.estimate),
      days(largest.value, largest.perDay.estimate),
    ),
    ...(byChance && {
      surelyDays: Math.min(days(typical.value.low, typical.perDay.low), days(largest.value, largest.perDay.low)),
    }),
    ...forecast(
      { ...rates, changePerDay: Math.min(UNMEASURED_CHANGE, rates.changePerDay ?? UNMEASURED_CHANGE) },
      { typical: value, largest: value },
      isCarried ? windowDays : 0,
    ),
  };
}
