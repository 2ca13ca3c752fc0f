import { widened } from '../operations/figures.js';
import type { Coverage, FigureSource, SourcePart, Window, Workload } from '../workload.js';
import { formatDuration, plural } from '../../format.js';

export const SOURCE_NAMES: Readonly<Record<FigureSource, string>> = {
  profiler: 'profiler',
  queryStats: 'query stats',
  logFile: 'log file',
  recentLog: 'recent log lines',
};

export interface SourceCoverage {
  readonly operations: Coverage['operations'];
  /** Faster operations were not seen, in ms; null if all were, or if it is unknown. */
  readonly slowMilliseconds: number | null;
  readonly window: Window | null;
}

const UNKNOWN: SourceCoverage = { operations: 'unknown', slowMilliseconds: null, window: null };

/** The profiler is set for each database. If parts of a source saw different things, the least of them counts. */
export function sourceCoverage({ sources }: Workload, source: FigureSource, database: string): SourceCoverage {
  const read = sources[source];
  if (!read.present) return UNKNOWN;
  const parts = read.value.parts.filter((part) => part.database === undefined || part.database === database);
  const [first, ...others] = parts;
  if (first === undefined) return UNKNOWN;
  const isAlike = others.every(({ coverage }) => coverage.operations === first.coverage.operations);
  return {
    operations: isAlike ? first.coverage.operations : 'slow',
    slowMilliseconds: first.coverage.slowMilliseconds,
    window: windowOf(parts),
  };
}

/** A profiler that is off now, but has recorded operations faster than its threshold, recorded all of them. */
export function recordedCoverage(
  coverage: SourceCoverage,
  milliseconds: number | null,
  executions: number,
): SourceCoverage {
  const { operations, slowMilliseconds } = coverage;
  const wasAll =
    operations === 'none' &&
    milliseconds !== null &&
    slowMilliseconds !== null &&
    milliseconds / executions < slowMilliseconds;
  return wasAll ? { ...coverage, operations: 'all' } : coverage;
}

/** "1,200 executions in 3.1 h", "12 executions of more than 100 ms in 2 days". */
export function windowText(executions: number, { operations, slowMilliseconds, window }: SourceCoverage): string {
  const slow =
    operations === 'slow'
      ? slowMilliseconds === null
        ? ' that were slow'
        : ` of more than ${formatDuration(slowMilliseconds)}`
      : '';
  const span = window === null || window.to === window.from ? '' : ` in ${formatDuration(window.to - window.from)}`;
  return `${plural(executions, 'execution')}${slow}${span}`;
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
