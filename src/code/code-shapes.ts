import { pipelineShape } from '../workload/shapes/pipeline-shape.js';
import type { ObjectShape } from '../workload/shapes/shape.js';
import { sortShape, DATA_NAME, fieldPath } from '../workload/shapes/sort-shape.js';
import { ANY, filterWays, idFilter, codeFilter, codeLiteral } from './code-filter.js';
import type { Operation } from './operations.js';
import { JOINING, type CodeShape, type CodeUpdate, type CodeJoin, type CodeStage } from './place.js';
import {
  isOpenSomewhere,
  isPlainObject,
  plainWays,
  SOMETIMES,
  UnknownLiteral,
  FIELDS,
  OPEN,
  type PlainObject,
} from './plain-ways.js';
import { UNDEFINED, UNKNOWN, isNullish, type Value, lineAt, waysOf } from './value.js';

/** Stands for the database of the collection, which the source need not name. */
const ANY_DATABASE = '';

/** Operators that make an array longer. */
const ADDING = new Set(['$push', '$addToSet']);

/** Those that write and make no object larger. */
const REMOVING = new Set(['$unset', '$pull', '$pullAll', '$pop']);

/** A method that was called on a cursor or query, with its arguments. */
export interface ChainCall {
  readonly name: string;
  readonly given: readonly Value[] | null;
}

export interface ReadShapes {
  readonly shapes: readonly CodeShape[] | null;
  readonly complete: boolean;
}

/** Methods of a cursor that add a stage to the pipeline. */
const ADDED_STAGES = new Set(['sort', 'limit', 'skip', 'project']);

/** What an operation asks for, in each way in which its arguments can come out. */
export function codeShapes(
  operation: Operation,
  given: readonly Value[] | null,
  chain: readonly ChainCall[],
): ReadShapes {
  if (given === null) return { shapes: null, complete: false };
  // A callback is none of them.
  const argument = (index: number | undefined) => {
    const value = index === undefined ? undefined : (given[index] ?? UNDEFINED);
    return value?.kind === 'function' ? UNDEFINED : value;
  };
  const last = Math.max(operation.filter ?? -1, operation.update ?? -1, operation.pipeline ?? -1);
  const further = given.slice(last + 1);
  const options =
    operation.options !== 'any'
      ? argument(operation.options)
      : further.every((each) => isNullish(each) || each.kind === 'function')
        ? UNDEFINED
        : UNKNOWN;
  const sort = sortOf(chain, options);
  const rest: CodeShape = {
    ...(sort !== undefined && { sort }),
    ...limitOf(operation, chain, options),
    ...(operation.replaces && { update: 'replacement' as const }),
  };
  if (operation.pipeline !== undefined) return pipelines(argument(operation.pipeline) as Value, rest, chain);
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
  const isSorted = operation.kinds.some((kind) => kind === 'find' || kind === 'findAndModify');
  const complete = (sort !== undefined || !isSorted) && updates !== null && filters.every(({ closed }) => closed);
  return { shapes, complete };
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
  if (Object.values(only).some((order) => order instanceof UnknownLiteral)) return undefined;
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

function pipelines(value: Value, rest: CodeShape, chain: readonly ChainCall[]): ReadShapes {
  const ways = pipelineWays(value);
  if (ways === null) return { shapes: [rest], complete: false };
  const added = chain.flatMap(({ name }) => (ADDED_STAGES.has(name) ? [{ name: `$${name}` }] : []));
  const shapes = ways.map((way): CodeShape => ({ ...rest, ...way, stages: [...(way.stages ?? []), ...added] }));
  const complete = shapes.every(
    ({ stages = [], more }) =>
      more !== true && stages.every(({ name, filter }) => name !== ANY && filter?.closed !== false),
  );
  return { shapes, complete };
}

/** The ways in which an update can come out, each undefined if it is not known; null if nothing is known of it. */
function updateWays(value: Value): readonly (CodeUpdate | undefined)[] | null {
  return plainWays(value)?.map(codeUpdate) ?? null;
}

function codeUpdate(way: unknown): CodeUpdate | undefined {
  // mongoose takes fields for `$set`.
  if (!isPlainObject(way) || Object.keys(way).some((name) => !name.startsWith('$'))) return undefined;
  const sometimes = way[SOMETIMES] ?? new Set();
  const entries = Object.entries(way);
  return {
    shape: Object.fromEntries(entries.map(([name, fields]) => [name, pathsOf(fields)])),
    closed: way[OPEN] !== true,
    sometimes: new Set([
      ...sometimes,
      ...entries.flatMap(([name, fields]) =>
        isPlainObject(fields) ? [...(fields[SOMETIMES] ?? [])].map((path) => `${name} ${fieldPath(path)}`) : [],
      ),
    ]),
    pushes: entries.flatMap(([name]) => pushesOf(way, name)),
  };
}

/** `?` if not all of them are known. */
function pathsOf(fields: unknown): CodeUpdate['shape'][string] {
  if (!isPlainObject(fields) || fields[OPEN] === true) return ANY;
  return Object.fromEntries(Object.keys(fields).map((path) => [fieldPath(path), ANY]));
}

function pushesOf(way: PlainObject, operator: string): CodeUpdate['pushes'] {
  const fields = way[operator];
  if (!isPlainObject(fields)) return [];
  return Object.entries(fields).flatMap(([path, pushed]) => {
    const at = fields[FIELDS]?.get(path)?.at;
    const isKeyOfMap = path.endsWith(`.${DATA_NAME}`) && !REMOVING.has(operator);
    if (at === undefined || !(ADDING.has(operator) || isKeyOfMap)) return [];
    const isCapped = isPlainObject(pushed) && ('$slice' in pushed || isOpenSomewhere(pushed));
    return [{ path: fieldPath(path), operator, isCapped, ...lineAt(at) }];
  });
}

/** The ways in which a pipeline can come out; null if nothing is known of it. */
function pipelineWays(value: Value): readonly Pick<CodeShape, 'stages' | 'pipeline' | 'joins' | 'more'>[] | null {
  const ways = waysOf(value).map((way) => {
    if (way.kind !== 'array') return null;
    // Whatever else there may be, the stages that are written out are among its stages.
    return plainWays({ ...way, open: false })?.map((plain) => ({
      ...pipelineOf(plain as readonly unknown[]),
      ...(way.open && { more: true as const }),
    }));
  });
  return ways.every((way) => way !== null && way !== undefined) ? ways.flat() : null;
}

function pipelineOf(plain: readonly unknown[]): Required<Pick<CodeShape, 'stages' | 'pipeline' | 'joins'>> {
  const known = plain.map((stage) => (stageName(stage) === ANY ? { [ANY]: {} } : stage));
  return {
    stages: known.flatMap(codeStages),
    pipeline: pipelineShape(known, ANY_DATABASE, codeLiteral),
    joins: joinsIn(plain),
  };
}

function stageName(stage: unknown): string {
  if (!isPlainObject(stage) || stage[OPEN] === true) return ANY;
  const [name, ...others] = Object.keys(stage);
  return name === undefined || others.length > 0 ? ANY : name;
}

/** As the server records them: some stages are short for others. */
function codeStages(stage: unknown): readonly CodeStage[] {
  const names = pipelineShape([stage], ANY_DATABASE, codeLiteral).flatMap((shape) => Object.keys(shape));
  return names.length === 1 ? [{ ...codeStage(stage), name: names[0] as string }] : names.map((name) => ({ name }));
}

function codeStage(stage: unknown): CodeStage {
  const name = stageName(stage);
  const body = isPlainObject(stage) ? stage[name] : undefined;
  if (name === '$match') return { name, ...(isPlainObject(body) && { filter: codeFilter(body) }) };
  const [join] = JOINING.has(name) ? joinsIn([stage]) : [];
  return { name, ...(join !== undefined && { join }) };
}

/** Those of pipelines within included. */
function joinsIn(part: unknown): readonly CodeJoin[] {
  if (Array.isArray(part)) return part.flatMap(joinsIn);
  if (!isPlainObject(part)) return [];
  return Object.entries(part).flatMap(([name, body]) => {
    const at = part[FIELDS]?.get(name)?.at;
    const fields = JOINING.get(name);
    if (fields === undefined || !isPlainObject(body) || at === undefined) return joinsIn(body);
    const [localField, foreignField] = fields.map((field) => pathIn(body[field])) as [string | null, string | null];
    const own: CodeJoin = { stage: name, from: textIn(body['from']), localField, foreignField, ...lineAt(at) };
    return [own, ...joinsIn(body['pipeline'])];
  });
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function pathIn(value: unknown): string | null {
  return typeof value === 'string' ? fieldPath(value) : null;
}
