import { filterShape } from '../workload/shapes/filter-shape.js';
import { literalPlaceholder, type LiteralReader } from '../workload/shapes/placeholder.js';
import { fieldPath } from '../workload/shapes/sort-shape.js';
import type { CodeFilter } from './place.js';
import { isOpenSomewhere, isPlainObject, OPEN, plainWays, SOMETIMES, UnknownLiteral } from './plain-ways.js';
import { isNullish, waysOf, type Value } from './value.js';

/** Stands for a value that is there, whatever it is. */
const SOME_VALUE = '?value';

/** Stands for an operand that may be anything, operators included. */
export const ANY = '?';

export const codeLiteral: LiteralReader = (value) =>
  value instanceof UnknownLiteral ? (value.isThere ? SOME_VALUE : ANY) : literalPlaceholder(value);

const LOGICAL = ['$and', '$or', '$nor'];

export function idFilter(): CodeFilter {
  return { shape: filterShape({ _id: new UnknownLiteral() }, codeLiteral), closed: true, sometimes: new Set() };
}

/** Null if nothing is known of it. */
export function filterWays(value: Value): readonly CodeFilter[] | null {
  if (waysOf(value).every(isNullish)) return [codeFilter({})];
  return plainWays(value)?.map(codeFilter) ?? null;
}

export function codeFilter(plain: unknown): CodeFilter {
  if (!isPlainObject(plain)) return { ...idFilter(), closed: typeof plain === 'string' };
  const within = LOGICAL.some((name) => isOpenSomewhere(plain[name]) || mayHold(plain[name]));
  const known = Object.fromEntries(
    Object.entries(plain).map(([name, operand]) => [
      name,
      isPlainObject(operand) && operand[OPEN] === true ? new UnknownLiteral() : withOptions(operand),
    ]),
  );
  return {
    shape: filterShape(known, codeLiteral),
    closed: plain[OPEN] !== true && !within,
    sometimes: new Set(sometimesIn(plain).map(fieldPath)),
  };
}

/** `{ $regex: text, $options: 'i' }`: of a text that is not known, whether it ignores case. */
function withOptions(operand: unknown): unknown {
  if (!isPlainObject(operand) || !(operand['$regex'] instanceof UnknownLiteral)) return operand;
  return operand['$options'] === 'i' ? { ...operand, $regex: /(?:)/i } : operand;
}

/** Whether a branch of `$and`, `$or` or `$nor` is not known. */
function mayHold(branches: unknown): boolean {
  if (branches instanceof UnknownLiteral) return true;
  if (Array.isArray(branches)) return branches.some(mayHold);
  return isPlainObject(branches) && LOGICAL.some((name) => mayHold(branches[name]));
}

/** Alternatives of an `$or` included: what is there in one branch alone need not be there in all that is recorded. */
function sometimesIn(plain: unknown): string[] {
  if (!isPlainObject(plain)) return [];
  const own = plain[SOMETIMES] ?? new Set();
  const within = LOGICAL.flatMap((name) =>
    Array.isArray(plain[name]) ? plain[name].flatMap(own.has(name) ? pathsIn : sometimesIn) : [],
  );
  return [...own, ...within];
}

function pathsIn(plain: unknown): string[] {
  if (Array.isArray(plain)) return plain.flatMap(pathsIn);
  if (!isPlainObject(plain)) return [];
  return Object.keys(plain).flatMap((name) => (LOGICAL.includes(name) ? pathsIn(plain[name]) : [name]));
}
