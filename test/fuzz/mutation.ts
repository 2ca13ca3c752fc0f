import { Decimal128, Int32, Long, ObjectId } from 'mongodb';
import type { SeededRandom } from '../../src/demo/seeded-random.js';

const NUMBERS = [
  -1,
  0,
  -0,
  0.5,
  2,
  1e15,
  2 ** 53,
  2 ** 63,
  1e308,
  -(2 ** 53),
  1e-300,
  2 ** 32,
  2 ** 31 - 1,
  NaN,
  Infinity,
  -Infinity,
];
const BSON_NUMBERS = [
  Long.MAX_VALUE,
  Long.MIN_VALUE,
  Decimal128.fromString('NaN'),
  Decimal128.fromString('1E6144'),
  new Int32(-7),
];
const TEXTS = [
  '',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'length',
  '\u202e\u0007',
  '$where',
  '$lookup',
  'a.b.c',
  '.',
  '*',
  '[]',
  '-',
  '?string',
  '{ $a: 1 }',
  'COLLSCAN',
  'IXSCAN { a: 1',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '2026-13-45',
  '9'.repeat(400),
  'x'.repeat(10_000),
  '\ud800',
];
const DATES = [new Date(8.64e15), new Date(-8.64e15), new Date(0), new Date(-1e14)];

/** How values of a format look: of JSON, or of BSON. */
export type Format = 'json' | 'bson';

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

/** A copy with one to eight places changed: other values, other types, other names, missing parts. */
export function mutated<Value>(value: Value, random: SeededRandom, format: Format): Value {
  const root = { value: copy(value) };
  const changes = 1 + Math.floor(random.exponential() * 2);
  for (let change = 0; change < Math.min(changes, 8); change += 1) {
    const places = placesIn(root.value);
    if (places.length === 0) break;
    mutate(random.choose(places), random, format);
  }
  return root.value;
}

/** A text with some bytes changed, cut out or doubled. */
export function mutatedText(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(40));
  return random.choose([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, end) + text.slice(at),
    () => text.slice(0, at) + random.choose(TEXTS) + text.slice(end),
    () => text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1),
  ])();
}

function mutate({ holder, name }: Place, random: SeededRandom, format: Format): void {
  const value = holder[name];
  const kind = random.next();
  if (kind < 0.12) remove(holder, name);
  else if (kind < 0.2 && !Array.isArray(holder)) {
    remove(holder, name);
    define(holder, random.choose(TEXTS), value);
  } else if (kind < 0.75) define(holder, name, ofSameType(value, random, format));
  else define(holder, name, hostile(random, format));
}

function ofSameType(value: unknown, random: SeededRandom, format: Format): unknown {
  if (value instanceof Date) return random.choose(DATES);
  if (typeof value === 'number' || value instanceof Long || value instanceof Int32) return numberOf(random, format);
  if (typeof value === 'string') return random.choose(TEXTS);
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return random.choose([[], [...value, ...value], value.slice(1), [value]]);
  return hostile(random, format);
}

function numberOf(random: SeededRandom, format: Format): unknown {
  if (format === 'bson') return random.choose<unknown>([...NUMBERS, ...BSON_NUMBERS]);
  const number = random.choose(NUMBERS);
  return Number.isFinite(number) ? number : { $numberDouble: String(number) };
}

function hostile(random: SeededRandom, format: Format): unknown {
  return random.choose<() => unknown>([
    () => null,
    () => random.chance(0.5),
    () => numberOf(random, format),
    () => random.choose(TEXTS),
    () => [],
    () => ({}),
    () => [null],
    () => ({ [random.choose(TEXTS).slice(0, 50)]: random.choose(TEXTS) }),
    () => nested(random.choose([5, 60, format === 'bson' ? 90 : 1_500])),
    () => (format === 'bson' ? random.choose(DATES) : '2026-11-26T00:00:00.000Z'),
    () => (format === 'bson' ? new ObjectId('ffffffffffffffffffffffff') : { present: true, value: null }),
  ])();
}

function nested(levels: number): unknown {
  let value: unknown = '?string';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { $and: [value] } : { a: value };
  return value;
}

/** All places, so that each is as likely as any other. */
function placesIn(value: unknown, level = 0): Place[] {
  if (!isHolder(value) || level > 60) return [];
  return Object.keys(value).flatMap((name) => [{ holder: value, name }, ...placesIn(value[name], level + 1)]);
}

function isHolder(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function copy<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copy) as Value;
  if (!isHolder(value)) return value;
  const copied = {};
  for (const [name, field] of Object.entries(value)) define(copied, name, copy(field));
  return copied as Value;
}

function remove(holder: Record<string, unknown>, name: string): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
}

/** Also of the name "__proto__". */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
