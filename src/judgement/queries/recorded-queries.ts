import {
  areHere,
  ofOneRecord,
  recordedWindow,
  sourcesOf,
  mainSource,
  type RecordedWindow,
} from '../../workload/coverage/join-telling.js';
import { executionsPerDay, SOURCE_NAMES, sourceCoverage } from '../../workload/coverage/source-window.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import type { Query } from './query.js';

/** How often queries were recorded, also by a source that does not report how they were executed. */
export interface RecordedQueries extends RecordedWindow {
  readonly source: string;
  readonly executions: number;
  /** The expected ones, if they were given; null if it is unknown. */
  readonly executionsPerDay: number | null;
}

export function recordedQueries(queries: readonly [Query, ...Query[]], workload: TracedWorkload): RecordedQueries {
  const operations = ofOneRecord(queries, ({ operation }) => operation).map(({ operation }) => operation);
  const source = mainSource(operations);
  const { database, expected } = queries[0].known.collection;
  const coverage = sourceCoverage(sourcesOf(workload, operations), source, database);
  const executions = operations.reduce((sum, { figures }) => sum + (figures[source]?.executions ?? 0), 0);
  return {
    source: SOURCE_NAMES[source],
    ...recordedWindow(executions, coverage, operations),
    executions,
    executionsPerDay:
      expected?.executionsPerDay ?? (areHere(operations) ? null : executionsPerDay(executions, coverage)),
  };
}
