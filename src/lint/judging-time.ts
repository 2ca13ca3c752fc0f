import { absent, type Absent } from '../presence.js';
import { sourceCoverage, SOURCE_NAMES } from '../workload/coverage/source-window.js';
import { FIGURE_SOURCES, type Workload } from '../workload/workload.js';
import type { Report } from '../report/report.js';

type RecordedTime = NonNullable<Report['recorded']>[number];

export interface JudgingBounds {
  /** In ms, from now on. */
  readonly maxTime: number;
  /** In ms after the time is up or the signal: what was read in time is worth judging. */
  readonly grace: number;
  readonly interruption?: AbortSignal | undefined;
}

/** For how long a run may judge. Asked between two collections and between two checks of the cluster. */
export class JudgingTime {
  readonly #begun = performance.now();
  #interruptedAt = Infinity;

  constructor(private readonly bounds: JudgingBounds) {}

  /** Why nothing more is judged; null as long as it may be. */
  over(): Absent | null {
    const { maxTime, grace, interruption } = this.bounds;
    const now = performance.now();
    if (interruption?.aborted === true) this.#interruptedAt = Math.min(this.#interruptedAt, now);
    if (now >= this.#interruptedAt + grace)
      return absent('interrupted', 'the run was interrupted before this; run again.');
    if (now < this.#begun + maxTime + grace) return null;
    return absent('max-time', `the run's time (--max-time ${maxTime}) was used up before this; allow more.`);
  }
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
