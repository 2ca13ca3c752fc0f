import { Long, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../../checks/collection-scan.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { waitingCause } from '../../../src/workload/operations/waiting-cause.js';
import { waitingIn, type Waiting } from '../../../src/workload/operations/waiting.js';
import type { OperationFigures } from '../../../src/workload/workload.js';
import { problemsIn } from '../../support/checks/workload-builders.js';

describe('what an entry waited for', () => {
  it.each<[string, Document, Waiting | null]>([
    ['nothing is said of it', {}, null],
    ['no lock was waited for', { locks: { Global: { acquireCount: { r: 2 } } }, flowControl: {}, storage: {} }, null],
    // As 6.0.5 recorded a write that fsyncLock held back.
    [
      'a lock of two kinds',
      {
        locks: {
          Global: { acquireCount: { w: 2 }, acquireWaitCount: { w: 1 }, timeAcquiringMicros: { w: 604_151, r: 849 } },
          Collection: { timeAcquiringMicros: { W: 5_000 } },
        },
      },
      { locks: 610 },
    ],
    ['flow control', { flowControl: { acquireCount: 106, timeAcquiringMicros: 12_000 } }, { flowControl: 12 }],
    ['write conflicts', { writeConflicts: 105 }, { writeConflicts: 105 }],
    [
      'the storage engine and the disk',
      {
        storage: {
          data: { bytesRead: 9, timeReadingMicros: 4_000 },
          timeWaitingMicros: { cache: 3_000, schemaLock: 500 },
        },
      },
      { storageEngine: 3.5, diskReads: 4 },
    ],
    [
      'queues, and all that 8.0 does not count as work',
      { workingMillis: 20, queues: { ingress: { admissions: 1 }, execution: { totalTimeQueuedMicros: 70_000 } } },
      { queues: 70, notWorking: 80 },
    ],
    ['a long number of BSON', { writeConflicts: Long.fromNumber(12) }, { writeConflicts: 12 }],
    ['a long number of the log', { writeConflicts: { $numberLong: '12' } }, { writeConflicts: 12 }],
    ['figures that make no sense', { locks: 'many', writeConflicts: -3, storage: null, workingMillis: 'no' }, null],
  ])('if %s', (_, fields, expected) => {
    expect(waitingIn(fields, 100)).toEqual(expected);
  });
});

const figures = (given: Partial<OperationFigures>): OperationFigures => ({
  ...new FiguresSum().figures(),
  executions: 10,
  milliseconds: 1_000,
  documentsExamined: 50,
  ...given,
});

describe('an operation of 100 ms', () => {
  it.each<[string, Partial<OperationFigures>, string | null]>([
    ['works, if nothing is waited for', {}, null],
    ['works, if it waits for a tenth of its time', { waiting: { locks: 100 } }, null],
    ['waits for locks, if they are most of its time', { waiting: { locks: 600, queues: 10 } }, 'locks'],
    ['waits for a ticket', { waiting: { locks: 10, queues: 600 } }, 'queues'],
    ['waits for what 8.0 does not name', { waiting: { notWorking: 900 } }, 'unknown'],
    ['works, if it examines many documents meanwhile', { waiting: { locks: 600 }, documentsExamined: 20_000 }, null],
    ['works, if its time is spent on reading the disk', { waiting: { diskReads: 950 } }, null],
    ['is tried again and again', { waiting: { writeConflicts: 200 } }, 'write conflicts'],
    ['works, if it was tried again once', { waiting: { writeConflicts: 10 } }, null],
    ['is unknown without times', { waiting: { locks: 600 }, milliseconds: null }, null],
    ['works, if the wait is of a millisecond', { waiting: { locks: 10 }, milliseconds: 12 }, null],
  ])('%s', (_, given, cause) => {
    const operation = {
      shape: { namespace: 'shop.a', kind: 'update' as const },
      figures: { profiler: figures(given) },
    };
    expect(waitingCause(operation)?.cause ?? null).toBe(cause);
  });
});

const scan = (waiting?: Waiting) => ({
  command: { filter: { customer: 7 } },
  figures: {
    executions: 10,
    documentsExamined: 50,
    documentsReturned: 0,
    milliseconds: 1_000,
    ...(waiting !== undefined && { waiting }),
  },
});

const found = (waiting?: Waiting, expected?: { readonly documents: number }) =>
  problemsIn(collectionScan, { recorded: [scan(waiting)], ...(expected !== undefined && { expected }) }).map(
    ({ path }) => path,
  );

describe('a scan that was recorded with few documents', () => {
  it('gets an index, as the collection holds many now', () => {
    expect(found()).toEqual(['customer_1']);
  });
  it('gets none if it waited instead of reading', () => {
    expect(found({ locks: 900 })).toEqual([]);
  });
  it('gets one all the same at an expected size', () => {
    expect(found({ locks: 900 }, { documents: 5_000_000 })).toEqual(['customer_1']);
  });
});
