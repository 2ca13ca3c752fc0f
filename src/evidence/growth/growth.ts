import type { Confidence } from '../../finding.js';
import type { Evidence } from '../../presence.js';
import type { AgeGrowth } from './ages/age-growth.js';
import type { EarlierForecasts } from './history/earlier-forecasts.js';
import type { Forecast } from './forecast.js';
import type { GrowthRates } from './rates/growth-rates.js';
import type { RecordedCollection } from './history/history-record.js';
import type { HistoryGrowth } from './history/history-growth.js';
import type { OplogGrowth } from './writes/oplog-growth.js';

/**
 * `age`: within one sample, older documents have longer arrays. `oplog`: arrays are being appended to. `history`:
 * arrays are longer than when an earlier run measured them.
 */
export const GROWTH_SOURCES = ['age', 'oplog', 'history'] as const;

export type GrowthSource = (typeof GROWTH_SOURCES)[number];

/** In elements: from here embedded documents, and any elements, are too many. */
export const FORECAST_ELEMENTS = [200, 1_000] as const;

/** Growth that at least one source shows and none refutes. */
export interface MeasuredGrowth {
  /** The source whose figures these are: the newest one that is sure. */
  readonly source: GrowthSource;
  /** Every source that shows it, `source` included. */
  readonly sources: readonly GrowthSource[];
  /** Sources that show growth at a rate too far from this one. */
  readonly disagreeing: readonly GrowthSource[];
  readonly confidence: Confidence;
  readonly windowDays: number;
  /** Per day; elements or bytes. From the oplog, only of those arrays that are being appended to. */
  readonly rates: GrowthRates;
  /** Present if the rates are of writes that were drawn at random. */
  readonly byChance?: true;
}

export interface ArrayGrowth {
  readonly path: string;
  readonly age: AgeGrowth | null;
  readonly oplog: OplogGrowth | null;
  readonly history: HistoryGrowth | null;
  /** In elements per array; null if no growth was seen. */
  readonly growth: MeasuredGrowth | null;
  /** When they have so many elements, and when their documents have 16 MB; empty if they do not grow. */
  readonly forecasts: readonly LimitForecast[];
  /** Absent if none was held against what came. */
  readonly earlierForecasts?: EarlierForecasts;
  /** Present if most documents are older than all that the oplog shows being written to. */
  readonly mostAreOlder?: true;
}

export interface SizeGrowth {
  readonly age: AgeGrowth | null;
  readonly history: HistoryGrowth | null;
  /** In bytes. */
  readonly growth: MeasuredGrowth | null;
  /** When they have 16 MB; null if they do not grow. */
  readonly forecast: LimitForecast | null;
}

export interface LimitForecast extends Forecast {
  readonly unit: 'elements' | 'bytes';
  readonly limit: number;
  /** Days until the typical or the largest one has passed it, at the estimated rates, or as runs before told if chance explains the difference. */
  readonly expectedDays: number;
  /** The same at the lowest rates of their intervals. Present if the rates are of writes that were drawn at random. */
  readonly surelyDays?: number;
}

export interface SourceWindow {
  /** Days from its first to its last observation. */
  readonly days: number;
  /** For `age` the path of the field that shows it. */
  readonly from: string;
}

export interface EarlierCount {
  readonly documents: number;
  readonly daysAgo: number;
}

export interface CarriedGrowth extends Omit<RecordedCollection, 'namespace' | 'uuid'> {
  /** Days from the reading of the oplog to the end of the sample. */
  readonly daysApart: number;
}

/** The evidence `growth`: what each source says, and what they say together. */
export interface GrowthEvidence {
  /** Every array path of the profile, in its order. */
  readonly arrays: readonly ArrayGrowth[];
  readonly sizes: SizeGrowth;
  /** Each source, or why it could not be used. */
  readonly sources: { readonly [Source in GrowthSource]: Evidence<SourceWindow> };
  /** The earliest of the last 90 days; absent if there is none. */
  readonly earlierCount?: EarlierCount;
  /** What later runs compare with; present if it is written to a file. */
  readonly carried?: CarriedGrowth;
}
