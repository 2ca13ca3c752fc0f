import { DATA_NAME, fieldPath } from '../workload/shapes/sort-shape.js';
import { ANY } from './code-filter.js';
import type { CodeUpdate } from './place.js';
import { FIELDS, isOpenSomewhere, isPlainObject, OPEN, plainWays, SOMETIMES, type PlainObject } from './plain-ways.js';
import { lineAt, type Value } from './value.js';

/** Operators that make an array longer. */
const ADDING = new Set(['$push', '$addToSet']);

/** Of those that write, the ones that make no object larger. */
const REMOVING = new Set(['$unset', '$pull', '$pullAll', '$pop']);

/** The ways in which an update can come out, each undefined if it is not known; null if nothing is known of it. */
export function updateWays(value: Value): readonly (CodeUpdate | undefined)[] | null {
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
