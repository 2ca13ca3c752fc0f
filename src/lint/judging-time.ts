import { absent, type Absent } from '../presence.js';
import type { Report } from '../report/report.js';
import { sourceCoverage, SOURCE_NAMES } from '../workload/coverage/recording.js';
import { FIGURE_SOURCES, type Workload } from '../workload/workload.js';

type RecordedTime = NonNullable<Report['recorded']>[number];

export interface JudgingBounds {
  /** In ms, from now on. */
  readonly maxTime: number;
  /** In ms after the time is up or the signal: what was read in time is worth judging. */
  readonly grace: number;
  readonly interruption?: AbortSignal | undefined;
}

/** Why nothing more is judged; null as long as it may be. Asked between two collections and between two checks of the cluster. */
export type TimeOver = () => Absent | null;

/** For how long a run may judge. */
export function judgingTime({ maxTime, grace, interruption }: JudgingBounds): TimeOver {
  const begun = performance.now();
  let interruptedAt = Infinity;
  return () => {
    const now = performance.now();
    if (interruption?.aborted === true) interruptedAt = Math.min(interruptedAt, now);
    if (now >= interruptedAt + grace) return absent('interrupted', 'the run was interrupted before this; run again.');
    if (now < begun + maxTime + grace) return null;
    return absent('max-time', `the run's time (--max-time ${maxTime}) was used up before this; allow more.`);
  };
}

/** Over which time each source recorded operations; of the profiler, in each database. */
export function recordedTimes(workload: Workload): RecordedTime[] {
  return FIGURE_SOURCES.flatMap((source) => {
    const read = workload.sources[source];
    if (!read.present) return [];
    return [...new Set(read.value.parts.map(({ database }) => database))].flatMap((database): RecordedTime[] => {
      const { window, operations, slowMilliseconds } = sourceCoverage(workload, source, database ?? '');
      if (window === null) return [];
      return [
        {
          source: SOURCE_NAMES[source],
          ...(database !== undefined && { database }),
          from: new Date(window.from).toISOString(),
          to: new Date(window.to).toISOString(),
          ...(workload.since !== undefined && { since: new Date(workload.since).toISOString() }),
          ...(operations === 'slow' && slowMilliseconds !== null && { slowerThanMs: slowMilliseconds }),
        },
      ];
    });
  });
}
