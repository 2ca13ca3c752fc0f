import { isObjectShape, type ObjectShape, type Shape } from '../workload/shapes/shape.js';
import { ANY } from './code-filter.js';
import type { CodeFilter, Place } from './place.js';
import { isSamePath } from './same-path.js';

/** What mongoose adds to the queries of a discriminator. */
const DISCRIMINATOR = '__t';

/** What is not known counts as what contradicts least. */
export function mayBeMongoose(library: Place['library']): boolean {
  return library === 'mongoose' || library === 'unknown';
}

const OF_ONE: Readonly<Record<string, string>> = { $eq: '$in', $regex: '$in', $ne: '$nin' };

/** By path the operators that are asked for, wherever in the filter, with their operands. */
export type Conditions = ReadonlyMap<string, ReadonlyMap<string, Shape>>;

/**
 * Whether a recorded filter can't be one that the source writes: it lacks a path that is always there, has one that the source
 * never writes, or an operator that the source does not use on the path. The nesting of `$and` and `$or` is left aside, since
 * their form depends on the values.
 */
export function contradicts(
  { shape, closed, sometimes }: CodeFilter,
  recorded: ObjectShape | undefined,
  library: Place['library'],
): boolean {
  const [written, seen] = [conditionsOf(shape), conditionsOf(recorded ?? {})];
  for (const [path, operands] of written) {
    if (sometimes.has(path) || (mayBeMongoose(library) && [...operands.values()].some(isUndefinedAtTimes))) continue;
    if (![...seen.keys()].some((other) => isSamePath(path, other))) return true;
  }
  for (const [path, operands] of seen) {
    const known = [...written].flatMap(([other, each]) => (isSamePath(other, path) ? [each] : []));
    if (known.length === 0) {
      if (closed && !(mayBeMongoose(library) && path === DISCRIMINATOR)) return true;
    } else if (!known.some((each) => isAnything(each, library)) && !known.some((each) => holds(each, operands)))
      return true;
  }
  return false;
}

/** The conditions of a filter, wherever in it. */
export function conditionsOf(filter: ObjectShape): Conditions {
  const all = new Map<string, Map<string, Shape>>();
  const add = (path: string, operator: string, operand: Shape) => {
    const operators = all.get(path) ?? new Map<string, Shape>();
    // One of several branches that may be anything says less than the others.
    all.set(path, operators.set(operator, operators.get(operator) === ANY ? ANY : operand));
  };
  const read = (part: ObjectShape): void => {
    for (const [subject, operand] of Object.entries(part)) {
      if (Array.isArray(operand)) operand.filter(isObjectShape).forEach(read);
      else if (subject.startsWith('$') || !isObjectShape(operand)) add(subject, subject, operand);
      else for (const [operator, value] of Object.entries(operand)) add(subject, operator, value);
    }
  };
  read(filter);
  return all;
}

/** mongoose leaves out what is undefined. */
function isUndefinedAtTimes(operand: Shape): boolean {
  return operand === ANY || (isObjectShape(operand) && Object.values(operand).some(isUndefinedAtTimes));
}

/** Equality with what is not known may be an object of operators; mongoose takes an array for `$in`. */
function isAnything(operands: ReadonlyMap<string, Shape>, library: Place['library']): boolean {
  const equal = operands.get('$eq');
  return equal === ANY || (mayBeMongoose(library) && typeof equal === 'string' && /^(?:\?array|\[\])/.test(equal));
}

function holds(written: ReadonlyMap<string, Shape>, seen: ReadonlyMap<string, Shape>): boolean {
  return [...seen].every(([operator, operand]) => {
    // A list of one value is recorded as an equality.
    const known = written.get(operator) ?? written.get(OF_ONE[operator] ?? operator);
    return known !== undefined && (typeof known !== 'boolean' || known === operand);
  });
}
