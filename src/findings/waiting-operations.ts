import type { Query } from '../judgement/queries/query.js';
import { queryText } from '../judgement/queries/query-text.js';
import { SOURCE_NAMES } from '../workload/coverage/source-window.js';
import { bestFigures } from '../workload/operations/figures.js';
import { waitingCause, type WaitingCause } from '../workload/operations/waiting-cause.js';

export interface WaitingOperation extends WaitingCause {
  readonly namespace: string;
  readonly operation: string;
  readonly source: string;
}

/** How many are listed: those that took the most time. */
const MOST_REPORTED = 5;

/** The operations that took the most time, most of it waiting: no index makes them faster. */
export function waitingOperations(queries: readonly Query[]): WaitingOperation[] {
  return queries
    .flatMap((query): WaitingOperation[] => {
      const cause = waitingCause(query.operation);
      if (cause === null) return [];
      const source = SOURCE_NAMES[bestFigures(query.operation).source];
      return [{ namespace: query.known.collection.namespace, operation: queryText(query), source, ...cause }];
    })
    .toSorted((one, other) => other.averageMs * other.executions - one.averageMs * one.executions)
    .slice(0, MOST_REPORTED);
}
