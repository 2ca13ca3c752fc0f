import type { Document } from 'mongodb';
import { z } from 'zod';
import { recordedFigure, textIn } from '../../connect/answer.js';
import type { Plain } from '../../plain.js';
import { MS_PER_SECOND } from '../../time-units.js';
import { isPlainObject, isScalarObject } from '../shapes/placeholder.js';
import { fieldPath, sortShape } from '../shapes/sort-shape.js';
import { filtersOf } from '../shapes/value-lists.js';
import { byName, largest, parts, sum } from './accumulator.js';

/** How far back executions reach by one path: values are made relative at once, and not kept. */
export const ageBoundSchema = z.strictObject({
  /** Executions with a bound by this path. */
  executions: z.number(),
  /** The age of the oldest bound when it was used, in ms; absent if none of them had one. */
  oldestMs: z.number().exactOptional(),
  /** The most that one without a condition reads from the newest end; absent if all have one. */
  newest: z.number().exactOptional(),
});

export type AgeBound = Plain<typeof ageBoundSchema>;

/** Paths kept per shape: a filter has few dates and ids. */
const MOST_PATHS = 20;

export const addedBounds = byName(parts<AgeBound>({ executions: sum, oldestMs: largest, newest: largest }), MOST_PATHS);

/** Operators that no older value meets. */
const FROM_BELOW = new Set(['$eq', '$gt', '$gte']);

/**
 * By path: dates and ObjectIds that all documents found are as young as, or a limit behind a descending sort of all documents.
 *
 * @param at when it ran, in ms since 1970
 */
export function ageBoundsOf(command: Document, at: number): Readonly<Record<string, AgeBound>> {
  const { filters, rest } = filtersOf(command);
  const newestTimes = new Map<string, number>();
  for (const filter of filters) addTimes(filter, newestTimes);
  const bounds: Record<string, AgeBound> = Object.create(null);
  for (const [path, time] of newestTimes) bounds[fieldPath(path)] = { executions: 1, oldestMs: Math.max(0, at - time) };
  const isOfAll = filters.every((filter) => filter === undefined || isEmptyFilter(filter));
  if (isOfAll) Object.assign(bounds, newestFirst(Array.isArray(command['pipeline']) ? rest : asStages(command)));
  return addedBounds({}, bounds);
}

/** The youngest of the lower bounds of each path: documents found meet them all. */
function addTimes(filter: unknown, times: Map<string, number>): void {
  if (!isPlainObject(filter)) return;
  for (const [name, operand] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(operand)) for (const branch of operand) addTimes(branch, times);
    if (name.startsWith('$')) continue;
    for (const time of lowerBounds(operand)) times.set(name, Math.max(time, times.get(name) ?? -Infinity));
  }
}

function lowerBounds(operand: unknown): number[] {
  const time = timeOf(operand);
  if (time !== null) return [time];
  if (!isPlainObject(operand)) return [];
  return Object.entries(operand).flatMap(([operator, value]) => {
    if (FROM_BELOW.has(operator)) return timeOf(value) ?? [];
    if (operator !== '$in' || !Array.isArray(value) || value.length === 0) return [];
    const times = value.map(timeOf);
    return times.every((each) => each !== null) ? Math.min(...times) : [];
  });
}

/**
 * The time of a date, or of an ObjectId, which begins with the second of its creation; as BSON or in the Extended JSON of logs.
 * Null also of a date beyond those of JavaScript, as the least long that Java writes for "ever".
 */
function timeOf(value: unknown): number | null {
  if (value instanceof Date) return validTime(value);
  if (!isScalar(value)) return null;
  const id = (value as Document)['_bsontype'] === 'ObjectId' ? String(value) : textIn(value, '$oid');
  if (id !== null) return /^[\da-f]{24}$/i.test(id) ? Number.parseInt(id.slice(0, 8), 16) * MS_PER_SECOND : null;
  const date: unknown = (value as Document)['$date'];
  return validTime(new Date(typeof date === 'string' ? date : (recordedFigure(date) ?? Number.NaN)));
}

function validTime(date: Date): number | null {
  const time = date.getTime();
  return Number.isNaN(time) ? null : time;
}

function asStages({ sort, skip, limit }: Document): Document[] {
  return [
    { $sort: sort as unknown },
    ...(skip === undefined ? [] : [{ $skip: skip as unknown }]),
    { $limit: limit as unknown },
  ];
}

/** A descending sort of all documents by its first field, and how many of them are read at most. */
function newestFirst([first, ...others]: readonly unknown[]): Record<string, AgeBound> {
  const [path, direction] = isPlainObject(first) ? (Object.entries(sortShape(first['$sort']))[0] ?? []) : [];
  if (path === undefined || direction !== -1) return {};
  let skipped = 0;
  for (const stage of others) {
    if (!isPlainObject(stage)) return {};
    if ('$limit' in stage) {
      const limit = recordedFigure(stage['$limit']) ?? 0;
      return limit === 0 ? {} : { [path]: { executions: 1, newest: skipped + limit } };
    }
    if (!('$skip' in stage)) return {};
    skipped += recordedFigure(stage['$skip']) ?? 0;
  }
  return {};
}

function isEmptyFilter(filter: unknown): boolean {
  return isPlainObject(filter) && Object.keys(filter).length === 0;
}

function isScalar(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isScalarObject(value);
}
