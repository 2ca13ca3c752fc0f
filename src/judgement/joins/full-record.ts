import { FIGURE_SOURCES, type FigureSource, type Operation, type Workload } from '../../workload/workload.js';
import { recordedCoverage, sourceCoverage, type SourceCoverage } from '../../workload/coverage/source-window.js';

/** A source that saw every operation on a database, reads and writes, on every member. */
export interface FullRecord {
  readonly source: FigureSource;
  readonly coverage: SourceCoverage;
}

/**
 * The source that recorded everything while it was on, so that what it did not record did not happen; null if there is
 * none. Query stats never qualify: they hold no writes, or from 9.0 on a sample of them.
 *
 * @param operations those in question; their times show whether a profiler that is off now recorded all operations
 */
export function fullRecord(workload: Workload, database: string, operations: readonly Operation[]): FullRecord | null {
  for (const source of FIGURE_SOURCES) {
    if (source === 'queryStats' || isIncomplete(workload, source, database)) continue;
    const figures = operations.flatMap((operation) => operation.figures[source] ?? []);
    const executions = figures.reduce((sum, each) => sum + each.executions, 0);
    const milliseconds = figures.reduce<number | null>(
      (sum, each) => (each.milliseconds === null ? sum : (sum ?? 0) + each.milliseconds),
      null,
    );
    const coverage = recordedCoverage(sourceCoverage(workload, source, database), milliseconds, executions);
    if (coverage.operations === 'all') return { source, coverage };
  }
  return null;
}

/** Whether a part of the source could not be read, or a member's profiler was never on. */
function isIncomplete({ sources }: Workload, source: FigureSource, database: string): boolean {
  const read = sources[source];
  if (!read.present) return true;
  const { parts, gaps } = read.value;
  const saidElsewhere = new Set(
    FIGURE_SOURCES.filter((other) => other !== source).flatMap((other) => gapsOf(sources[other])),
  );
  // A profiler that is off in another database is no gap here. What several sources report alike is about the members.
  if (gaps.some(({ reason, detail }) => reason !== 'insufficient' || saidElsewhere.has(detail))) return true;
  const silent = parts.filter(
    (part) => part.database === database && part.coverage.operations === 'none' && part.entries === 0,
  );
  return source === 'profiler' && silent.length > 0;
}

function gapsOf(source: Workload['sources'][FigureSource]): string[] {
  return source.present ? source.value.gaps.map(({ detail }) => detail) : [];
}
