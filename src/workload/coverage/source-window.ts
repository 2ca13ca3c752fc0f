import { z } from 'zod';
import { formatDuration, formatShare, plural } from '../../format.js';
import type { Plain } from '../../plain.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../../time-units.js';
import { widened, type Window, windowSchema } from '../window.js';
import { coverageSchema, type Coverage, type FigureSource, type SourcePart, type Workload } from '../workload.js';

export const SOURCE_NAMES: Readonly<Record<FigureSource, string>> = {
  profiler: 'profiler',
  queryStats: 'query stats',
  logFile: 'log file',
  recentLog: 'recent log lines',
  routerLog: 'log of mongos',
};

export const sourceCoverageSchema = z.strictObject({
  operations: coverageSchema.shape.operations,
  /** Faster operations were not seen, in ms; null if all were, if members differ, or if it is unknown. */
  slowMilliseconds: z.number().nullable(),
  /** Share of those operations that was kept, below 1; absent if all were, if members differ, or if it is unknown. */
  sampleRate: z.number().exactOptional(),
  window: windowSchema.nullable(),
});

export type SourceCoverage = Plain<typeof sourceCoverageSchema>;

const UNKNOWN: SourceCoverage = { operations: 'unknown', slowMilliseconds: null, window: null };

/** The profiler is set for each database and member. If members record differently, the whole is only a part. */
export function sourceCoverage(
  { sources }: Pick<Workload, 'sources'>,
  source: FigureSource,
  database: string,
): SourceCoverage {
  const read = sources[source];
  if (!read.present) return UNKNOWN;
  const parts = read.value.parts.filter((part) => part.database === undefined || part.database === database);
  const [first, ...others] = parts;
  if (first === undefined) return UNKNOWN;
  const isAlike = (name: keyof Coverage) => others.every(({ coverage }) => coverage[name] === first.coverage[name]);
  const { operations, slowMilliseconds, sampleRate } = first.coverage;
  const isSampled = sampleRate !== null && sampleRate < 1 && isAlike('sampleRate');
  return {
    operations: isAlike('operations') ? operations : 'part',
    slowMilliseconds: isAlike('operations') && isAlike('slowMilliseconds') ? slowMilliseconds : null,
    ...(isSampled && { sampleRate }),
    window: windowOf(parts),
  };
}

/** A profiler that is off now, but has recorded operations faster than its threshold, recorded all of them. */
export function recordedCoverage(
  coverage: SourceCoverage,
  milliseconds: number | null,
  executions: number,
): SourceCoverage {
  const { operations, slowMilliseconds, sampleRate } = coverage;
  const wasAll =
    operations === 'none' &&
    milliseconds !== null &&
    slowMilliseconds !== null &&
    milliseconds / executions < slowMilliseconds;
  return wasAll ? { ...coverage, operations: sampleRate === undefined ? 'all' : 'part' } : coverage;
}

/** "1,200 executions in 3.1 h", "12 recorded executions of more than 100 ms in 2 days (a sample of 10 %)". */
export function windowText(executions: number, coverage: SourceCoverage): string {
  const { operations, sampleRate, window } = coverage;
  const noun = operations === 'part' ? ['recorded execution', 'recorded executions'] : ['execution', 'executions'];
  const span = window === null || window.to === window.from ? '' : ` in ${formatDuration(window.to - window.from)}`;
  const sample = operations !== 'part' || sampleRate === undefined ? '' : ` (a sample of ${formatShare(sampleRate)})`;
  return `${plural(executions, ...(noun as [string, string]))}${slowText(coverage)}${span}${sample}`;
}

function slowText({ operations, slowMilliseconds }: SourceCoverage): string {
  if (operations !== 'slow' && operations !== 'part') return '';
  if (slowMilliseconds !== null) return ` of more than ${formatDuration(slowMilliseconds)}`;
  return operations === 'slow' ? ' that were slow' : '';
}

export function executionsPerDay(executions: number, { operations, window }: SourceCoverage): number | null {
  const watched = window === null ? 0 : window.to - window.from;
  return watched < MS_PER_HOUR || operations === 'part' ? null : (executions / watched) * MS_PER_DAY;
}

/** Operations are timed in whole ms, so a smaller total says nothing about its parts. */
const LEAST_MS = 50;

/** 0 to 1; null if times are unknown, or too short to compare. */
export function shareOfTime(part: number | null, all: number | null): number | null {
  return part === null || all === null || all < LEAST_MS ? null : part / all;
}

function windowOf(parts: readonly SourcePart[]): Window | null {
  return parts.reduce<Window | null>(
    (all, { window }) => (window === null ? all : widened(all, window.from, window.to)),
    null,
  );
}
