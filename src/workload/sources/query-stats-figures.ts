import type { Document } from 'mongodb';
import { widened } from '../operations/figures.js';
import { scalarText } from '../shapes/scalar-text.js';
import type { OperationFigures } from '../workload.js';

const MICROSECONDS_PER_MILLISECOND = 1_000;

/** Parts of `metrics` that hold figures in 8.1 and later; before, they were in `metrics` itself. */
const SECTIONS = ['queryExec', 'cursor', 'queryPlanner'];

/**
 * Null if the entry does not even say how often the query ran. 6.0 reports times and documents returned; later versions
 * also documents and keys examined, sorts and spills.
 */
export function queryStatsFigures(metrics: unknown): OperationFigures | null {
  const executions = number(metric(metrics, 'execCount'));
  if (executions === null || executions < 1) return null;
  const from = time(metric(metrics, 'firstSeenTimestamp'));
  const to = time(metric(metrics, 'latestSeenTimestamp'));
  return {
    executions,
    milliseconds: inMilliseconds(sumOf(metrics, 'totalExecMicros')),
    slowestMilliseconds: inMilliseconds(number(metric(metrics, 'totalExecMicros', 'max'))),
    documentsExamined: sumOf(metrics, 'docsExamined'),
    keysExamined: sumOf(metrics, 'keysExamined'),
    documentsReturned: sumOf(metrics, 'docsReturned'),
    documentsWritten: null,
    responseBytes: null,
    largestResponseBytes: null,
    planSummaries: {},
    inMemorySorts: trueCount(metrics, 'hasSortStage'),
    diskUses: trueCount(metrics, 'usedDisk'),
    slotBasedExecutions: 0,
    classicExecutions: 0,
    longestLiteralArray: null,
    slices: {},
    window: from === null || to === null ? null : { from, to },
  };
}

export function addedFigures(one: OperationFigures, other: OperationFigures): OperationFigures {
  const sum = (name: 'milliseconds' | 'documentsExamined' | 'keysExamined' | 'documentsReturned') =>
    one[name] === null || other[name] === null ? null : one[name] + other[name];
  return {
    ...one,
    executions: one.executions + other.executions,
    milliseconds: sum('milliseconds'),
    slowestMilliseconds:
      one.slowestMilliseconds === null || other.slowestMilliseconds === null
        ? null
        : Math.max(one.slowestMilliseconds, other.slowestMilliseconds),
    documentsExamined: sum('documentsExamined'),
    keysExamined: sum('keysExamined'),
    documentsReturned: sum('documentsReturned'),
    inMemorySorts: one.inMemorySorts + other.inMemorySorts,
    diskUses: one.diskUses + other.diskUses,
    window: other.window === null ? one.window : widened(one.window, other.window.from, other.window.to),
  };
}

function metric(metrics: unknown, name: string, part?: 'sum' | 'max' | 'true'): unknown {
  const places = [metrics, ...SECTIONS.map((section) => (metrics as Document | null | undefined)?.[section])];
  const holder = places.find((place: Document | null | undefined) => place?.[name] !== undefined) as
    | Document
    | undefined;
  const value: unknown = holder?.[name];
  return part === undefined ? value : (value as Document | null | undefined)?.[part];
}

function sumOf(metrics: unknown, name: string): number | null {
  return number(metric(metrics, name, 'sum'));
}

/** A boolean figure is reported as counts of true and false. */
function trueCount(metrics: unknown, name: string): number {
  return number(metric(metrics, name, 'true')) ?? 0;
}

function number(value: unknown): number | null {
  const converted = value === undefined || value === null ? Number.NaN : Number(scalarText(value));
  return Number.isFinite(converted) ? converted : null;
}

function time(value: unknown): number | null {
  return value instanceof Date ? value.getTime() : null;
}

function inMilliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / MICROSECONDS_PER_MILLISECOND;
}
