import { fieldExpressions } from './expression-shape.js';
import { scalarText, type LiteralReader } from './placeholder.js';
import type { ObjectShape, Shape } from './shape.js';

const EXCLUDING = new Set<unknown>([0, false]);

/**
 * The shape of a projection of `find` or `$project`: dotted paths to true, false or an expression. `_id: true` is the
 * default and left out.
 */
export function projectionShape(projection: unknown, literal: LiteralReader): ObjectShape {
  const shapes = fieldExpressions(switchesApart(projection), literal).filter(
    ([path, shape]) => !(path === '_id' && shape === SWITCHED_ON),
  );
  return Object.fromEntries(shapes.map(([path, shape]) => [path, unswitched(shape)]));
}

const SWITCHED_ON = '$.switched.on';
const SWITCHED_OFF = '$.switched.off';

/** Marks inclusions and exclusions, which look like values but are not. No field path has an empty name. */
function switchesApart(projection: unknown): unknown {
  if (isSwitch(projection)) return EXCLUDING.has(numeric(projection)) ? SWITCHED_OFF : SWITCHED_ON;
  if (typeof projection !== 'object' || projection === null || Array.isArray(projection) || '_bsontype' in projection) {
    return projection;
  }
  const entries = Object.entries(projection);
  if (entries[0]?.[0].startsWith('$') === true) return projection;
  return Object.fromEntries(entries.map(([name, value]) => [name, switchesApart(value)]));
}

function isSwitch(value: unknown): boolean {
  return typeof numeric(value) === 'number' || typeof value === 'boolean';
}

export function numeric(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const extended = Object.entries(value).find(([key]) => key.startsWith('$number'));
  if (extended !== undefined) return Number(scalarText(extended[1]));
  const { _bsontype: name } = value as { _bsontype?: unknown };
  return name === 'Long' || name === 'Int32' || name === 'Double' || name === 'Decimal128'
    ? Number(scalarText(value))
    : value;
}

function unswitched(shape: Shape): Shape {
  if (shape === SWITCHED_ON) return true;
  return shape === SWITCHED_OFF ? false : shape;
}
