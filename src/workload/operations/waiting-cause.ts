import type { Operation, OperationFigures } from '../workload.js';
import { bestFigures } from './figures.js';
import type { Waiting } from './waiting.js';

/** Waiting per execution below which nobody notices it. In ms. Judgement. */
const LEAST_WAITED = 10;
/** Share of the time from which an operation waits rather than works. Judgement. */
const MOSTLY = 0.5;
/** Conflicts per execution from which a write is mostly tried again: its time is not counted by the server. Judgement. */
const MANY_CONFLICTS = 10;
/** Documents examined per execution from which it works as well, whatever it waits for: a millisecond of processor. */
const MANY_DOCUMENTS = 1_000;

export const WAITING_CAUSES = [
  'locks',
  'flow control',
  'queues',
  'storage engine',
  'planning',
  'write conflicts',
  'unknown',
] as const;

export interface WaitingCause {
  readonly cause: (typeof WAITING_CAUSES)[number];
  /** In ms per execution; null for write conflicts, whose time the server does not count. */
  readonly waitedMs: number | null;
  /** Per execution. */
  readonly averageMs: number;
  readonly executions: number;
}

/** Null if it works rather than waits, if it examines many documents too, or if no source tells. */
export function waitingCause(operation: Operation): WaitingCause | null {
  const { figures } = bestFigures(operation);
  const { waiting, milliseconds, documentsExamined, executions } = figures;
  if (waiting === undefined || milliseconds === null || executions === 0) return null;
  if ((documentsExamined ?? 0) / executions >= MANY_DOCUMENTS) return null;
  const waited = waitedIn(figures);
  const averageMs = milliseconds / executions;
  if (waited / executions >= LEAST_WAITED && waited >= MOSTLY * milliseconds)
    return { cause: longest(waiting), waitedMs: waited / executions, averageMs, executions };
  const areConflicts = (waiting.writeConflicts ?? 0) / executions >= MANY_CONFLICTS && averageMs >= LEAST_WAITED;
  return areConflicts ? { cause: 'write conflicts', waitedMs: null, averageMs, executions } : null;
}

function waitedIn({ waiting = {}, milliseconds }: OperationFigures): number {
  const { locks = 0, flowControl = 0, queues = 0, storageEngine = 0, notWorking = 0, planning = 0 } = waiting;
  const idle = Math.max(notWorking, locks + flowControl + queues + storageEngine);
  return Math.min(milliseconds ?? 0, idle + planning);
}

function longest(waiting: Waiting): WaitingCause['cause'] {
  const causes = [
    ['unknown', 0],
    ['locks', waiting.locks ?? 0],
    ['flow control', waiting.flowControl ?? 0],
    ['queues', waiting.queues ?? 0],
    ['storage engine', waiting.storageEngine ?? 0],
    ['planning', waiting.planning ?? 0],
  ] as const;
  return causes.reduce((one, other) => (other[1] > one[1] ? other : one))[0];
}
