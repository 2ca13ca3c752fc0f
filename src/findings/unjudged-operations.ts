import { queryText } from '../judgement/queries/query-text.js';
import type { Query } from '../judgement/queries/query.js';
import { SOURCE_NAMES } from '../workload/coverage/recording.js';
import { bestFigures } from '../workload/operations/figures.js';
import { waitingCause, type WaitingCause } from '../workload/operations/waiting-cause.js';
import { FIGURE_SOURCES, type FigureSource } from '../workload/workload.js';

interface UnjudgedOperation {
  readonly namespace: string;
  readonly operation: string;
  readonly source: string;
  readonly executions: number;
}

export interface WaitingOperation extends UnjudgedOperation, WaitingCause {}

export interface UnfinishedOperation extends UnjudgedOperation {
  /** The time of the one that had run longest when it was last seen. */
  readonly longestMs: number;
}

/** How many of a kind are listed: those that took the most time. */
const MOST_REPORTED = 5;

/** The operations that took the most time, most of it waiting: no index makes them faster. */
export function waitingOperations(queries: readonly Query[]): WaitingOperation[] {
  return queries
    .flatMap((query) => {
      const cause = waitingCause(query.operation);
      return cause === null ? [] : [{ ...named(query, bestFigures(query.operation).source), ...cause }];
    })
    .toSorted((one, other) => other.averageMs * other.executions - one.averageMs * one.executions)
    .slice(0, MOST_REPORTED)
    .map(({ averageMs, waitedMs, ...operation }) => ({
      ...operation,
      averageMs: Math.round(averageMs),
      waitedMs: waitedMs === null ? null : Math.round(waitedMs),
    }));
}

/** Operations that a log saw running, and no end of them: what they examine is unknown, so that no check judges it. */
export function unfinishedOperations(queries: readonly Query[]): UnfinishedOperation[] {
  return queries
    .flatMap((query) =>
      FIGURE_SOURCES.flatMap((source) => {
        const { unfinished } = query.operation.figures[source] ?? {};
        return unfinished === undefined ? [] : [{ ...named(query, source), ...unfinished }];
      }),
    )
    .toSorted((one, other) => other.longestMs - one.longestMs)
    .slice(0, MOST_REPORTED);
}

function named(query: Query, source: FigureSource) {
  return {
    namespace: query.known.collection.namespace,
    operation: queryText(query),
    source: SOURCE_NAMES[source],
  };
}
