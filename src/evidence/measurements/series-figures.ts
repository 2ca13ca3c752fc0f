import { z } from 'zod';
import type { Plain } from '../../plain.js';
import { median, quantileSorted } from 'simple-statistics';

export interface Reading {
  readonly time: number;
  readonly source: string;
}

/** What the readings of a window say of the series that they belong to. Times in ms. */
export const seriesFiguresSchema = z.strictObject({
  /** Different sources in the window. */
  sources: z.number(),
  /** Of a source in the window, the median. */
  readingsPerSource: z.number(),
  /** Between two readings of a source, the median over sources of their medians. */
  interval: z.number(),
  /** The distance of the intervals' quartiles over their median; the median over sources. */
  intervalSpread: z.number(),
  /** Share of the readings, in the order of insertion, that are not earlier than the one before of the same source. */
  risingShare: z.number(),
});

export type SeriesFigures = Plain<typeof seriesFiguresSchema>;

const LEAST_READINGS = 8;

/** Null if no source has enough readings, which must be in the order in which they were inserted. */
export function seriesFigures(readings: readonly Reading[]): SeriesFigures | null {
  const all = timesBySource(readings);
  const intervals = all.filter((times) => times.length >= LEAST_READINGS).map(intervalsOf);
  const regular = intervals.filter((each) => median(each) > 0);
  if (regular.length === 0 || 2 * regular.reduce((sum, each) => sum + each.length + 1, 0) < readings.length)
    return null;
  return {
    sources: all.length,
    readingsPerSource: median(all.map(({ length }) => length)),
    interval: median(regular.map((each) => median(each))),
    intervalSpread: median(regular.map(spreadOf)),
    risingShare: risingShareOf(all) ?? 0,
  };
}

export function risingShare(readings: readonly Reading[]): number | null {
  return risingShareOf(timesBySource(readings));
}

function timesBySource(readings: readonly Reading[]): number[][] {
  const bySource = new Map<string, number[]>();
  for (const { time, source } of readings) {
    const times = bySource.get(source);
    if (times === undefined) bySource.set(source, [time]);
    else times.push(time);
  }
  return [...bySource.values()];
}

function risingShareOf(sources: readonly (readonly number[])[]): number | null {
  let steps = 0;
  let rising = 0;
  for (const times of sources) {
    for (let index = 1; index < times.length; index += 1) {
      steps += 1;
      if ((times[index] as number) >= (times[index - 1] as number)) rising += 1;
    }
  }
  return steps === 0 ? null : rising / steps;
}

function intervalsOf(times: readonly number[]): number[] {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
}

function spreadOf(intervals: readonly number[]): number {
  const sorted = intervals.toSorted((a, b) => a - b);
  return (quantileSorted(sorted, 0.75) - quantileSorted(sorted, 0.25)) / quantileSorted(sorted, 0.5);
}
