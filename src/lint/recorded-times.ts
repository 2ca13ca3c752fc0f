import { sourceCoverage, SOURCE_NAMES } from '../workload/coverage/source-window.js';
import { FIGURE_SOURCES, type Workload } from '../workload/workload.js';
import type { Report } from '../report/report.js';

type RecordedTime = NonNullable<Report['recorded']>[number];

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
