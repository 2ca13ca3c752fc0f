import type { Query } from '../judgement/queries/query.js';
import { queryText } from '../judgement/queries/query-text.js';
import { SOURCE_NAMES } from '../workload/coverage/source-window.js';
import { FIGURE_SOURCES } from '../workload/workload.js';

export interface UnfinishedOperation {
  readonly namespace: string;
  readonly operation: string;
  readonly source: string;
  readonly executions: number;
  /** Of the one that had run for the longest time when it was last seen. */
  readonly longestMs: number;
}

/** How many are listed: those that ran for the longest time. */
const MOST_REPORTED = 5;

/** Operations that a log saw running, and no end of them: what they examine is unknown, so that no check judges it. */
export function unfinishedOperations(queries: readonly Query[]): UnfinishedOperation[] {
  return queries
    .flatMap((query): UnfinishedOperation[] => {
      const { namespace } = query.known.collection;
      return FIGURE_SOURCES.flatMap((source) => {
        const unfinished = query.operation.figures[source]?.unfinished;
        if (unfinished === undefined) return [];
        return [{ namespace, operation: queryText(query), source: SOURCE_NAMES[source], ...unfinished }];
      });
    })
    .toSorted((one, other) => other.longestMs - one.longestMs)
    .slice(0, MOST_REPORTED);
}
