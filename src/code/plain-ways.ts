import { waysOf, type Field, type Value } from './value.js';

/** Stands for a value that is not known: of the database, whatever it is. It looks like one of BSON's own types. */
export class UnknownLiteral {
  // oxlint-disable-next-line no-underscore-dangle
  readonly _bsontype = 'Unknown';
  /** @param isThere whether it is a plain value, and never undefined */
  constructor(readonly isThere = false) {}
}

/** On objects whose fields are not all known. */
export const OPEN = Symbol('open');
/** On objects: the fields that are only sometimes there. */
export const SOMETIMES = Symbol('sometimes');

/** On objects: where their fields are written. */
export const FIELDS = Symbol('fields');

export interface PlainObject {
  readonly [name: string]: unknown;
  readonly [OPEN]?: true;
  readonly [SOMETIMES]?: ReadonlySet<string>;
  readonly [FIELDS]?: ReadonlyMap<string, Field>;
}

/** More ways of one argument are not distinguished: it counts as unknown. */
const MOST_WAYS = 12;

/** Values within one argument: one that is used in several places is in each of them. Beyond, it counts as unknown. */
const MOST_PARTS = 20_000;

/** The ways in which an argument can come out, as plain data; null if nothing is known of it. */
export function plainWays(value: Value): readonly unknown[] | null {
  const room = { left: MOST_PARTS };
  const ways = expanded(value, 0, room);
  if (room.left < 0) return null;
  return ways === null || ways.some((way) => way instanceof UnknownLiteral) ? null : ways;
}

export function isPlainObject(value: unknown): value is PlainObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof UnknownLiteral) &&
    !(value instanceof RegExp)
  );
}

/** Whether an object or one within holds fields that are not known. */
export function isOpenSomewhere(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isOpenSomewhere);
  if (!isPlainObject(value)) return false;
  return value[OPEN] === true || Object.values(value).some(isOpenSomewhere);
}

function expanded(value: Value, depth: number, room: { left: number }): unknown[] | null {
  room.left -= 1;
  if (depth > 20 || room.left < 0) return [new UnknownLiteral()];
  const ways = waysOf(value).flatMap((way): unknown[] | null => {
    switch (way.kind) {
      case 'constant':
        return [way.value === undefined ? new UnknownLiteral() : way.value];
      case 'object': {
        const sometimes = new Set([...way.fields].filter(([, field]) => field.sometimes).map(([name]) => name));
        const start = {
          [FIELDS]: way.fields,
          ...(way.open && { [OPEN]: true }),
          ...(sometimes.size > 0 && { [SOMETIMES]: sometimes }),
        };
        return combined(
          [...way.fields].map(([name, field]) => [name, expanded(field.value, depth + 1, room)]),
          start,
        );
      }
      case 'array': {
        if (way.open) return [new UnknownLiteral()];
        const each = way.elements.map(({ value: element, sometimes }) => {
          const inner = expanded(element, depth + 1, room);
          return sometimes && inner !== null ? [ABSENT, ...inner] : inner;
        });
        const tuples = combined(
          each.map((ways_, index) => [String(index), ways_]),
          {},
        );
        return tuples?.map((tuple) => Object.values(tuple as object).filter((element) => element !== ABSENT)) ?? null;
      }
      default:
        return [new UnknownLiteral(way.kind === 'some')];
    }
  });
  return ways.includes(null) || ways.length > MOST_WAYS ? null : (ways as unknown[]);
}

const ABSENT = Symbol('absent');

/** All objects that these fields can make. */
function combined(fields: readonly (readonly [string, unknown[] | null])[], start: object): unknown[] | null {
  let made = [new Map<string, unknown>()];
  for (const [name, ways] of fields) {
    const values = ways ?? [new UnknownLiteral()];
    if (values.length === 1) for (const each of made) each.set(name, values[0]);
    else made = made.flatMap((each) => values.map((value) => new Map(each).set(name, value)));
    if (made.length > MOST_WAYS) return null;
  }
  return made.map((each) => ({ ...start, ...Object.fromEntries(each) }));
}
