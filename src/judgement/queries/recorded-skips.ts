import { FIGURE_SOURCES } from '../../workload/workload.js';
import type { Query } from './query.js';

/** Documents that a query's executions skipped, by the source that knows the most of them. */
export interface RecordedSkips {
  /** Executions that skipped any. */
  readonly executions: number;
  /** Per execution, those that skipped none among them. */
  readonly average: number;
  readonly deepest: number;
}

/** Null if no source reports any. */
export function recordedSkips({ operation: { figures } }: Query): RecordedSkips | null {
  const told = FIGURE_SOURCES.flatMap((source) => figures[source] ?? [])
    .filter(({ skips }) => skips !== undefined)
    .toSorted((one, other) => other.executions - one.executions)[0];
  if (told?.skips === undefined) return null;
  const { executions, documents, deepest } = told.skips;
  return { executions, deepest, average: documents / Math.max(1, told.executions) };
}
