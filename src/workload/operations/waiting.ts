import type { Document } from 'mongodb';
import { z } from 'zod';
import { recordedFigure } from '../../connect/answer.js';
import type { Plain } from '../../plain.js';
import { bodyOf } from '../shapes/placeholder.js';

const MICROSECONDS_PER_MILLISECOND = 1_000;

/** What operations waited for, all executions together; times in ms. What nothing waited for is absent. */
export const waitingSchema = z.strictObject({
  locks: z.number().exactOptional(),
  /** The server slows writes down so that secondaries can follow. */
  flowControl: z.number().exactOptional(),
  /** Queues for tickets and for admission, of 8.0 and later. */
  queues: z.number().exactOptional(),
  /** Room in the cache of the storage engine, and its own locks. */
  storageEngine: z.number().exactOptional(),
  /** All that was not work, as the server itself counts it: time less `workingMillis`, of 8.0 and later. */
  notWorking: z.number().exactOptional(),
  /** Number of times that a write had to be tried again, as another one had changed the document. */
  writeConflicts: z.number().exactOptional(),
  /** The choice of a plan, of 6.2 and later: part of the work, which fewer candidates shorten, and no further index. */
  planning: z.number().exactOptional(),
  /** Part of the work, not of the waiting: an index that reads fewer documents shortens it. */
  diskReads: z.number().exactOptional(),
});

export type Waiting = Plain<typeof waitingSchema>;

/** Written for speed: a log has a line for each operation. */
export function waitingIn(fields: Document, milliseconds: number | null): Waiting | null {
  const { workingMillis, locks, flowControl, queues, storage, writeConflicts, planningTimeMicros } = fields;
  const working = recordedFigure(workingMillis);
  const waited: Record<string, number> = {};
  const add = (name: keyof Waiting, value: number): void => {
    if (value > 0) waited[name] = value;
  };
  add('locks', inMilliseconds(sumOver(locks, (lock) => sumOver(bodyOf(lock)['timeAcquiringMicros'], figureOf))));
  add('flowControl', inMilliseconds(figureOf(bodyOf(flowControl)['timeAcquiringMicros'])));
  add('queues', inMilliseconds(sumOver(queues, (queue) => figureOf(bodyOf(queue)['totalTimeQueuedMicros']))));
  const { timeWaitingMicros, data } = bodyOf(storage);
  add('storageEngine', inMilliseconds(sumOver(timeWaitingMicros, figureOf)));
  if (working !== null && milliseconds !== null) add('notWorking', milliseconds - working);
  add('writeConflicts', figureOf(writeConflicts));
  add('planning', inMilliseconds(figureOf(planningTimeMicros)));
  add('diskReads', inMilliseconds(figureOf(bodyOf(data)['timeReadingMicros'])));
  return Object.keys(waited).length === 0 ? null : waited;
}

function sumOver(document: unknown, of: (value: unknown) => number): number {
  let sum = 0;
  if (document !== undefined) for (const value of Object.values(bodyOf(document))) sum += of(value);
  return sum;
}

function figureOf(value: unknown): number {
  return recordedFigure(value) ?? 0;
}

function inMilliseconds(microseconds: number): number {
  return microseconds / MICROSECONDS_PER_MILLISECOND;
}
