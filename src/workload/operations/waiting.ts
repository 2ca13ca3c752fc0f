import type { Document } from 'mongodb';
import { z } from 'zod';
import { documentIn, recordedFigureIn } from '../../connect/answer.js';
import type { Plain } from '../../plain.js';

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

export function waitingIn(fields: Document, milliseconds: number | null): Waiting | null {
  const working = recordedFigureIn(fields, 'workingMillis');
  const waited: Waiting = {
    locks: inMilliseconds(
      sumOf(documentsIn(fields, 'locks').map((lock) => sumOf(figuresOf(lock, 'timeAcquiringMicros')))),
    ),
    flowControl: inMilliseconds(recordedFigureIn(fields, 'flowControl.timeAcquiringMicros') ?? 0),
    queues: inMilliseconds(
      sumOf(documentsIn(fields, 'queues').map((queue) => recordedFigureIn(queue, 'totalTimeQueuedMicros') ?? 0)),
    ),
    storageEngine: inMilliseconds(sumOf(figuresOf(fields, 'storage.timeWaitingMicros'))),
    notWorking: working === null || milliseconds === null ? 0 : Math.max(0, milliseconds - working),
    writeConflicts: recordedFigureIn(fields, 'writeConflicts') ?? 0,
    planning: inMilliseconds(recordedFigureIn(fields, 'planningTimeMicros') ?? 0),
    diskReads: inMilliseconds(recordedFigureIn(fields, 'storage.data.timeReadingMicros') ?? 0),
  };
  return withoutZero(waited);
}

function withoutZero(waited: Waiting): Waiting | null {
  const some = Object.entries(waited).filter(([, value]) => typeof value === 'number' && value > 0);
  return some.length === 0 ? null : Object.fromEntries(some);
}

function documentsIn(fields: Document, name: string): unknown[] {
  return Object.values(documentIn(fields, name) ?? {});
}

function figuresOf(fields: unknown, path: string): number[] {
  const document = documentIn(fields, path) ?? {};
  return Object.keys(document).map((name) => recordedFigureIn(document, name) ?? 0);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function inMilliseconds(microseconds: number): number {
  return microseconds / MICROSECONDS_PER_MILLISECOND;
}
