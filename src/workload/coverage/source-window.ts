import { widened } from '../operations/figures.js';
import type { Coverage, FigureSource, SourcePart, Window, Workload } from '../workload.js';
import { formatDuration, plural } from '../../format.js';

/** The sources in words, for the evidence of findings. */
export const SOURCE_NAMES: Readonly<Record<FigureSource, string>> = {
  profiler: 'profiler',
  queryStats: 'query stats',
  logFile: 'log file',
  recentLog: 'recent log lines',
};

/** What a source can have seen of the operations on a database. */
export interface SourceCoverage {
  readonly operations: Coverage['operations'];
  /** Operations that took no longer were not seen, in ms; null where all were, or where it is not known. */
  readonly slowMilliseconds: number | null;
  /** The time that the source spans; null where that is not known. */
  readonly window: Window | null;
}

const UNKNOWN: SourceCoverage = { operations: 'unknown', slowMilliseconds: null, window: null };

/**
 * What a source can have seen of the operations on a database; the profiler is set for each database. Where parts of it saw
 * different things, the least of them counts.
 */
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

/** A profiler that is off now, but has recorded operations quicker than its threshold, recorded all of them. */
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

/** Operations are timed in whole ms, so that a total of less says nothing about its parts. */
const LEAST_MS = 50;

/** A part of the time as a share of all, 0 to 1; null where times are not told, or too short to compare. */
export function shareOfTime(part: number | null, all: number | null): number | null {
  return part === null || all === null || all < LEAST_MS ? null : part / all;
}

function windowOf(parts: readonly SourcePart[]): Window | null {
  return parts.reduce<Window | null>(
    (all, { window }) => (window === null ? all : widened(all, window.from, window.to)),
    null,
  );
}
