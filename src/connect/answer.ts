import { Decimal128, Double, Int32, Long, type Document } from 'mongodb';
import { isIsoTime } from '../time-units.js';

/** An answer that lacks what MongoDB answers there: what it would have said is unknown, not 0. */
export class AnswerShapeError extends Error {
  override readonly name = 'AnswerShapeError';

  /** @param command as people know it: "$collStats" */
  constructor(command: string, missing: string) {
    super(`${command} answers in another shape here: no ${missing}`);
  }
}

// Those named `needed…` throw an AnswerShapeError. Numbers are of any BSON type, times in ms since 1970.

type Needed<Value> = (command: string, answer: unknown, path: string) => Value;

function needed<Value>(read: (answer: unknown, path: string) => Value | null): Needed<Value> {
  return (command, answer, path) => {
    const value = read(answer, path);
    if (value === null) throw new AnswerShapeError(command, path);
    return value;
  };
}

export const neededFigure = needed(figureIn);
export const neededNumber = needed(numberIn);
export const neededText = needed(textIn);
export const neededTime = needed(timeIn);
export const neededDocument = needed(documentIn);

/** A number of any sign, and finite. */
export function numberIn(answer: unknown, path: string): number | null {
  return numberOf(valueIn(answer, path));
}

function numberOf(value: unknown): number | null {
  if (!isNumber(value)) return null;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : null;
}

/** A count, a size or a time span. What is negative, a fraction or too large to be exact is none, and so unknown. */
export function figureIn(answer: unknown, path: string): number | null {
  const number = numberIn(answer, path);
  return isFigure(number) ? number : null;
}

/** A figure of any type of BSON, or of the Extended JSON that logs hold (`{ "$numberLong": "42" }`); null for anything else. */
export function recordedFigure(value: unknown): number | null {
  if (value === undefined || typeof value === 'number') return isFigure(value) ? value : null;
  const extended = isDocument(value) ? (value['$numberLong'] as unknown) : null;
  const number = typeof extended === 'string' ? Number(extended) : numberOf(value);
  return isFigure(number) ? number : null;
}

export function isFigure(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Null only if there is none at all. @throws AnswerShapeError if there is something else in its place */
export function figureIfAny(command: string, answer: unknown, path: string): number | null {
  const value = valueIn(answer, path);
  return value === undefined || value === null ? null : neededFigure(command, answer, path);
}

export function textIn(answer: unknown, path: string): string | null {
  const value = valueIn(answer, path);
  return typeof value === 'string' ? value : null;
}

export function timeIn(answer: unknown, path: string): number | null {
  const value = valueIn(answer, path);
  return value instanceof Date && isIsoTime(value.getTime()) ? value.getTime() : null;
}

export function documentIn(answer: unknown, path: string): Document | null {
  const value = valueIn(answer, path);
  return isDocument(value) ? value : null;
}

export function neededDocuments(command: string, answer: unknown, path: string): readonly Document[] {
  const value = valueIn(answer, path);
  if (!Array.isArray(value) || !value.every(isDocument)) throw new AnswerShapeError(command, path);
  return value;
}

export function figuresIn(answer: unknown, path: string): Record<string, number> | null {
  const document = documentIn(answer, path);
  if (document === null) return null;
  const figures = Object.entries(document).map(([name, value]) => [name, figureIn({ value }, 'value')] as const);
  return Object.fromEntries(figures.filter((each): each is readonly [string, number] => each[1] !== null));
}

function valueIn(answer: unknown, path: string): unknown {
  if (!isDocument(answer)) return undefined;
  const dot = path.indexOf('.');
  return dot === -1 ? answer[path] : valueIn(answer[path.slice(0, dot)], path.slice(dot + 1));
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number of any BSON type. */
export function isNumber(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Long ||
    value instanceof Int32 ||
    value instanceof Double ||
    value instanceof Decimal128
  );
}
