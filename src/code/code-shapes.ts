import type { Node } from 'oxc-parser';
import { filterShape } from '../workload/shapes/filter-shape.js';
import { literalPlaceholder, type LiteralReader } from '../workload/shapes/placeholder.js';
import { fieldPath, sortShape } from '../workload/shapes/sort-shape.js';
import type { ObjectShape } from '../workload/shapes/shape.js';
import type { Operation } from './operations.js';
import type { CodeFilter, CodeShape, CodeStage } from './place.js';
import { isOpenSomewhere, isPlainObject, OPEN, plainWays, SOMETIMES, UnknownLiteral } from './plain-ways.js';
import { UNDEFINED, waysOf, isNullish, type Value } from './value.js';

/** A method that was called on a cursor or query, with its arguments. */
export interface ChainCall {
  readonly name: string;
  readonly given: readonly Value[] | null;
}

export interface ReadShapes {
  readonly shapes: readonly CodeShape[] | null;
  readonly complete: boolean;
}

/** Of an operand that may be anything, operators included. */
export const ANY = '?';

const codeLiteral: LiteralReader = (value) => (value instanceof UnknownLiteral ? ANY : literalPlaceholder(value));

/** What an operation asks for, in each way in which its arguments can come out. @param lineOf the line of a stage */
export function codeShapes(
  operation: Operation,
  given: readonly Value[] | null,
  chain: readonly ChainCall[],
  lineOf: (node: Node | null) => number,
): ReadShapes {
  if (given === null) return { shapes: null, complete: false };
  const argument = (index: number | undefined) => (index === undefined ? undefined : (given[index] ?? UNDEFINED));
  const options = argument(operation.options);
  const sort = sortOf(chain, options);
  const rest: CodeShape = {
    ...(sort !== undefined && { sort }),
    ...limitOf(operation, chain, options),
    ...(operation.replaces && { update: 'replacement' as const }),
  };
  if (operation.pipeline !== undefined) return pipelines(argument(operation.pipeline) as Value, rest, lineOf);
  const filters = operation.byId
    ? [idFilter()]
    : operation.filter === undefined
      ? []
      : filterWays(argument(operation.filter) as Value);
  if (filters === null) return { shapes: [rest], complete: false };
  const updates = operation.update === undefined ? [undefined] : updateWays(argument(operation.update) as Value);
  const shapes = (filters.length === 0 ? [undefined] : filters).flatMap((filter) =>
    (updates ?? [undefined]).map((update): CodeShape => ({
      ...rest,
      ...(filter !== undefined && { filter }),
      ...(update !== undefined && { update }),
    })),
  );
  const complete = sort !== undefined && updates !== null && filters.every(({ closed }) => closed);
  return { shapes, complete };
}

function idFilter(): CodeFilter {
  return { shape: filterShape({ _id: new UnknownLiteral() }, codeLiteral), closed: true, sometimes: new Set() };
}

/** Null if nothing is known of it. */
function filterWays(value: Value): readonly CodeFilter[] | null {
  if (waysOf(value).every(isNullish)) return [codeFilter({})];
  return plainWays(value)?.map(codeFilter) ?? null;
}

function codeFilter(plain: unknown): CodeFilter {
  if (!isPlainObject(plain)) return { ...idFilter(), closed: typeof plain === 'string' };
  const within = ['$and', '$or', '$nor'].some(
    (name) => isOpenSomewhere(plain[name]) || plain[name] instanceof UnknownLiteral,
  );
  const known = Object.fromEntries(
    Object.entries(plain).map(([name, operand]) => [
      name,
      isPlainObject(operand) && operand[OPEN] === true ? new UnknownLiteral() : operand,
    ]),
  );
  return {
    shape: filterShape(known, codeLiteral),
    closed: plain[OPEN] !== true && !within,
    sometimes: new Set([...(plain[SOMETIMES] ?? [])].map(fieldPath)),
  };
}

/** Null if there is none; undefined if that is not known. */
function sortOf(chain: readonly ChainCall[], options: Value | undefined): ObjectShape | null | undefined {
  const called = chain.findLast(({ name }) => name === 'sort');
  const value = called === undefined ? optionOf(options, 'sort') : called.given?.[0];
  if (value === undefined) return called === undefined && !isUnclear(options) ? null : undefined;
  if (isNullish(value)) return null;
  const ways = plainWays(value);
  const [only] = ways ?? [];
  if (ways?.length !== 1) return undefined;
  if (typeof only === 'string')
    return sortShape(
      Object.fromEntries(
        only
          .split(/\s+/)
          .filter(Boolean)
          .map((field) => [field.replace(/^[-+]/, ''), field.startsWith('-') ? -1 : 1]),
      ),
    );
  if (!isPlainObject(only) || isOpenSomewhere(only) || (only[SOMETIMES]?.size ?? 0) > 0) return undefined;
  return sortShape(
    Object.fromEntries(
      Object.entries(only).map(([path, order]) => [path, order === 'desc' || order === 'descending' ? -1 : order]),
    ),
  );
}

function limitOf(
  operation: Operation,
  chain: readonly ChainCall[],
  options: Value | undefined,
): Pick<CodeShape, 'limited'> {
  if (operation.one) return { limited: true };
  if (operation.kinds[0] !== 'find') return {};
  const isCalled = chain.some(({ name }) => name === 'limit');
  const asked = optionOf(options, 'limit');
  // A limit of 0 is none, and what a variable holds is not known.
  if (isCalled || asked !== undefined) {
    const value = asked ?? chain.find(({ name }) => name === 'limit')?.given?.[0];
    return value?.kind === 'constant' ? { limited: value.value !== 0 } : {};
  }
  return isUnclear(options) ? {} : { limited: false };
}

function optionOf(options: Value | undefined, name: string): Value | undefined {
  return options?.kind === 'object' ? options.fields.get(name)?.value : undefined;
}

function isUnclear(options: Value | undefined): boolean {
  return options !== undefined && !isNullish(options) && !(options.kind === 'object' && !options.open);
}

/** Null if nothing is known of it. */
function updateWays(value: Value): readonly (CodeShape['update'] | undefined)[] | null {
  const ways = plainWays(value);
  if (ways === null) return null;
  return ways.map((way) => {
    if (!isPlainObject(way) || way[OPEN] === true) return undefined;
    const entries = Object.entries(way);
    // mongoose takes fields for `$set`.
    if (entries.some(([name]) => !name.startsWith('$'))) return undefined;
    const sometimes = way[SOMETIMES] ?? new Set();
    return Object.fromEntries(
      entries
        .filter(([name]) => !sometimes.has(name))
        .map(([name, fields]) => [
          name,
          isPlainObject(fields) && !isOpenSomewhere(fields)
            ? Object.fromEntries(
                Object.keys(fields)
                  .filter((path) => fields[SOMETIMES]?.has(path) !== true)
                  .map((path) => [fieldPath(path), ANY]),
              )
            : ANY,
        ]),
    );
  });
}

function pipelines(value: Value, rest: CodeShape, lineOf: (node: Node | null) => number): ReadShapes {
  const arrays = waysOf(value);
  const lines = arrays.flatMap((way) => (way.kind === 'array' ? way.elements.map(({ at }) => lineOf(at)) : []));
  const ways = plainWays(value);
  if (ways === null) return { shapes: [rest], complete: false };
  const shapes = ways.map((way): CodeShape => ({
    ...rest,
    stages: (Array.isArray(way) ? way : []).map((stage, index) => codeStage(stage, lines[index] ?? 0)),
  }));
  const complete = shapes.every(({ stages = [] }) =>
    stages.every(({ name, filter }) => name !== ANY && filter?.closed !== false),
  );
  return { shapes, complete };
}

function codeStage(stage: unknown, line: number): CodeStage {
  if (!isPlainObject(stage)) return { name: ANY, line };
  const [name, ...others] = Object.keys(stage);
  if (name === undefined || others.length > 0 || stage[OPEN] === true) return { name: ANY, line };
  const body = stage[name];
  if (name === '$match') return { name, line, ...(isPlainObject(body) && { filter: codeFilter(body) }) };
  if (name !== '$lookup' || !isPlainObject(body)) return { name, line };
  const text = (field: string) => (typeof body[field] === 'string' ? body[field] : null);
  return {
    name,
    line,
    join: { from: text('from'), localField: text('localField'), foreignField: text('foreignField') },
  };
}
