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

/** Of any sign, and finite. */
export function numberIn(answer: unknown, path: string): number | null {
  const value = valueIn(answer, path);
  if (!isNumber(value)) return null;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : null;
}

/** A count, a size or a time span. What is negative, a fraction or too large to be exact is none, and so unknown. */
export function figureIn(answer: unknown, path: string): number | null {
  const number = numberIn(answer, path);
  return isFigure(number) ? number : null;
}

/** The same also of the Extended JSON that logs hold: `{ "$numberLong": "42" }`. */
export function recordedFigureIn(answer: unknown, path: string): number | null {
  const extended = textIn(answer, `${path}.$numberLong`);
  const number = extended === null ? figureIn(answer, path) : Number(extended);
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

export function neededFigure(command: string, answer: unknown, path: string): number {
  const figure = figureIn(answer, path);
  if (figure === null) throw new AnswerShapeError(command, path);
  return figure;
}

export function neededNumber(command: string, answer: unknown, path: string): number {
  const number = numberIn(answer, path);
  if (number === null) throw new AnswerShapeError(command, path);
  return number;
}

export function textIn(answer: unknown, path: string): string | null {
  const value = valueIn(answer, path);
  return typeof value === 'string' ? value : null;
}

export function neededText(command: string, answer: unknown, path: string): string {
  const text = textIn(answer, path);
  if (text === null) throw new AnswerShapeError(command, path);
  return text;
}

export function timeIn(answer: unknown, path: string): number | null {
  const value = valueIn(answer, path);
  return value instanceof Date && isIsoTime(value.getTime()) ? value.getTime() : null;
}

export function neededTime(command: string, answer: unknown, path: string): number {
  const time = timeIn(answer, path);
  if (time === null) throw new AnswerShapeError(command, path);
  return time;
}

export function documentIn(answer: unknown, path: string): Document | null {
  const value = valueIn(answer, path);
  return isDocument(value) ? value : null;
}

export function neededDocument(command: string, answer: unknown, path: string): Document {
  const document = documentIn(answer, path);
  if (document === null) throw new AnswerShapeError(command, path);
  return document;
}

export function neededDocuments(command: string, answer: unknown, path: string): readonly Document[] {
  const value = valueIn(answer, path);
  if (!Array.isArray(value) || !value.every(isDocument)) throw new AnswerShapeError(command, path);
  return value;
}

export function figuresIn(answer: unknown, path: string): Record<string, number> | null {
  const document = documentIn(answer, path);
  if (document === null) return null;
  const figures = Object.keys(document).map((name) => [name, figureOf(document[name])] as const);
  return Object.fromEntries(figures.filter((each): each is readonly [string, number] => each[1] !== null));
}

function figureOf(value: unknown): number | null {
  return figureIn({ value }, 'value');
}

function valueIn(answer: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isDocument(value) ? value[name] : undefined), answer);
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of any BSON type. */
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
