import { BSON, Binary, ObjectId, type Document, Double, Int32, Long } from 'mongodb';
import { SeededRandom } from '../demo/seeded-random.js';
import { noted } from '../grouped-by.js';
import { MS_PER_SECOND } from '../time-units.js';

/** A string shorter than this has too few others of its kind. */
const SHORTEST_TEXT = 4;

/** Different texts that are made of one. */
const MOST_TEXTS = 10_000_000;

/** A prime, so that texts of neighbours differ in more than their last character. */
const SPREAD = 7_368_787;

const UUID_SUBTYPES = new Set([Binary.SUBTYPE_UUID, Binary.SUBTYPE_UUID_OLD]);

const LARGEST_INT32 = 2 ** 31 - 1;

const ALPHABETS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const HEXADECIMAL = /^[\da-f]+$/;

/** Values of one field in a sample. */
interface FieldValues {
  /** Numbers and times in ms, ascending. */
  readonly sorted: readonly number[];
  /** True if none occurs twice. */
  readonly unique: boolean;
  /** True if all of these numbers are whole. */
  readonly whole: boolean;
}

/**
 * Share of different values among those of a field, from which copies get fresh ones: below it, values repeat in the
 * collection as they do in the sample. Judgement.
 */
const NEARLY_UNIQUE = 0.9;
/** With fewer values, nothing is known of how they repeat. Judgement. */
const FEWEST_VALUES = 10;
const ID = '_id';

/** A field whose values are those of a field of another collection. */
export interface Link {
  readonly target: ScaledCollection;
  readonly path: string;
}

interface Field extends FieldValues {
  readonly isFresh: boolean;
  /** How many different fresh values there are. */
  readonly pool: number;
}

/** Documents of a sample, repeated up to a number: the first are those of the sample, and the others copies of them. */
export class ScaledCollection {
  readonly #fields = new Map<string, Field>();
  readonly #links = new Map<string, Link>();
  readonly #valuesOfPaths = new Map<string, ReadonlySet<string>>();

  /** @param sample with values as BSON types, so that numbers keep theirs; at least one document */
  constructor(
    readonly sample: readonly Document[],
    readonly size: number,
  ) {
    const values = new Map<string, unknown[]>();
    for (const document of sample)
      mapped(document, '', (value, path) => {
        noted(values, path, value);
        return value;
      });
    const ids = [...values].filter(([path]) => path.startsWith(`${ID}.`));
    const [mostDistinct] = ids.toSorted(([, one], [, other]) => distinct(other) - distinct(one));
    for (const [path, all] of values)
      this.#fields.set(path, fieldOf(all, path === ID || path === mostDistinct?.[0], size));
  }

  /** Lets the values of a path be those of another collection's field. */
  link(path: string, link: Link): void {
    this.#links.set(path, link);
  }

  /** The document of a number below {@link size}; the same one each time. */
  document(index: number): Document {
    return mapped(this.#original(index), '', (value, path) => this.#value(value, path, index)) as Document;
  }

  /** The first value at a path of the document of a number; undefined if it has none. */
  valueOf(path: string, index: number): unknown {
    const [first] = valuesAt(this.#original(index), path);
    return first === undefined ? undefined : this.#value(first, path, index, false);
  }

  #original(index: number): Document {
    return this.sample[index % this.sample.length] as Document;
  }

  #value(value: unknown, path: string, index: number, follows = true): unknown {
    const field = this.#fields.get(path);
    const copies = Math.floor(index / this.sample.length);
    const isFresh = copies > 0 && field?.isFresh === true;
    const link = follows ? this.#links.get(path) : undefined;
    if (link !== undefined) return this.#linked(link, value, isFresh ? hashOf(`${path} ${index}`) : null);
    if (!isFresh) return value;
    const number = index - this.sample.length;
    const among = field.unique ? number : hashOf(`${path} ${number}`) % field.pool;
    return freshValue(value, field, among + 1, hashOf(path));
  }

  /** @param draw null if the value repeats: it then stands for the same document of the target each time */
  #linked({ target, path }: Link, value: unknown, draw: number | null): unknown {
    if (value === null) return value;
    if (draw === null && target.#sampledValues(path).has(keyOf(value))) return value;
    return target.valueOf(path, (draw ?? hashOf(keyOf(value))) % target.size) ?? value;
  }

  /** Values from the documents that are built. */
  #sampledValues(path: string): ReadonlySet<string> {
    const known = this.#valuesOfPaths.get(path);
    if (known !== undefined) return known;
    const built = this.sample.slice(0, this.size);
    const values = new Set(built.flatMap((document) => valuesAt(document, path).map(keyOf)));
    this.#valuesOfPaths.set(path, values);
    return values;
  }
}

function fieldOf(values: readonly unknown[], isId: boolean, size: number): Field {
  const times = new Map<string, number>();
  for (const value of values) times.set(keyOf(value), (times.get(keyOf(value)) ?? 0) + 1);
  const orders = values.flatMap((value) => orderOf(value) ?? []);
  const unique = times.size === values.length;
  const isNearlyUnique = values.length >= FEWEST_VALUES && times.size >= NEARLY_UNIQUE * values.length;
  return {
    sorted: orders.toSorted((one, other) => one - other),
    whole: orders.every(Number.isInteger),
    unique,
    isFresh: isId || isNearlyUnique,
    pool: Math.min(size, estimatedDistinct([...times.values()])),
  };
}

/** Chao's estimate of how many different values there are. Source: A. Chao, "Nonparametric Estimation of the Number of Classes", 1984. */
function estimatedDistinct(times: readonly number[]): number {
  const once = times.filter((count) => count === 1).length;
  const twice = times.filter((count) => count === 2).length;
  return Math.ceil(times.length + once ** 2 / (2 * Math.max(1, twice)));
}

function distinct(values: readonly unknown[]): number {
  return new Set(values.map(keyOf)).size;
}

/** Whether it has fields or elements of its own. */
export function isContainer(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && !('_bsontype' in value);
}

/** A document or array with each scalar value replaced. Paths are dotted, without marks for elements of arrays. */
function mapped(value: unknown, path: string, replace: (value: unknown, path: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => mapped(element, path, replace));
  if (!isContainer(value)) return replace(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapped(each, path === '' ? name : `${path}.${name}`, replace)]),
  );
}

/** All values at a dotted path, those in arrays one by one; embedded documents and arrays themselves as well. */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (path === '') return Array.isArray(value) ? [...value, value] : [value];
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  const [name = '', ...rest] = path.split('.');
  if (!isContainer(value) || !Object.hasOwn(value, name)) return [];
  return valuesAt(value[name], rest.join('.'));
}

/** Texts that are equal for equal values. */
export function keyOf(value: unknown): string {
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary) return value.toString('hex');
  return BSON.EJSON.stringify(value);
}

/** FNV-1a, 32 bits. Source: http://www.isthe.com/chongo/tech/comp/fnv. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return hash >>> 0;
}

/** A number that stands for a value's place in the order of its type; null if it has none here. */
function orderOf(value: unknown): number | null {
  if (value instanceof Date) return value.getTime();
  if (value instanceof ObjectId) return value.getTimestamp().getTime();
  if (value instanceof Int32 || value instanceof Double || value instanceof Long) return Number(value.toString());
  return typeof value === 'number' ? value : null;
}

/**
 * Another value of the same type and length: numbers and times as they are spread in the sample, whole numbers that are
 * unique counted on, texts with another second half of the same kinds of characters. What can't be varied stays.
 *
 * @param number of the value among the fresh ones, from 1: the same one gives the same value
 */
function freshValue(value: unknown, values: FieldValues, number: number, seed: number): unknown {
  const random = new SeededRandom(seed ^ Math.imul(number, 0x9e3779b1));
  if (typeof value === 'string') return freshText(value, number, random);
  if (value instanceof Date) return new Date(Math.round(between(values.sorted, random)));
  if (value instanceof ObjectId) return freshObjectId(value, values, random);
  if (value instanceof Binary && UUID_SUBTYPES.has(value.sub_type)) return freshUuid(value, random);
  if (orderOf(value) === null) return value;
  if (value instanceof Double && !values.whole) return new Double(between(values.sorted, random));
  const whole = values.unique ? (values.sorted.at(-1) ?? 0) + number : Math.round(between(values.sorted, random));
  if (value instanceof Double) return new Double(whole);
  return value instanceof Int32 && Math.abs(whole) <= LARGEST_INT32 ? new Int32(whole) : Long.fromNumber(whole);
}

/** Between two neighbours of the sample, so that fresh values are spread as the sampled ones are. */
function between(sorted: readonly number[], random: SeededRandom): number {
  const place = random.next() * (sorted.length - 1);
  const [low = 0, high = low] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return low + (high - low) * (place % 1);
}

function freshObjectId(value: ObjectId, { sorted }: FieldValues, random: SeededRandom): ObjectId {
  const bytes = Buffer.from(value.id);
  bytes.writeUInt32BE(Math.floor(between(sorted, random) / MS_PER_SECOND), 0);
  for (let place = 4; place < bytes.length; place += 1) bytes[place] = random.below(256);
  return new ObjectId(bytes);
}

/** The first half holds the time in some versions, and stays. */
function freshUuid(value: Binary, random: SeededRandom): Binary {
  const bytes = Buffer.from(value.buffer.subarray(0, value.position));
  for (let place = bytes.length / 2 + 1; place < bytes.length; place += 1) bytes[place] = random.below(256);
  return new Binary(bytes, value.sub_type);
}

/** Its end stands for the number, so that other numbers give other texts; the rest of its second half is random. */
function freshText(text: string, number: number, random: SeededRandom): string {
  if (text.length < SHORTEST_TEXT) return text;
  const alphabets = HEXADECIMAL.test(text) ? ['0123456789abcdef'] : ALPHABETS;
  const characters = [...text];
  let rest = number * SPREAD;
  let different = 1;
  for (let place = characters.length - 1; place >= 0; place -= 1) {
    const alphabet = alphabets.find((each) => each.includes(characters[place] as string));
    if (alphabet === undefined) continue;
    if (different >= MOST_TEXTS && place < characters.length / 2) break;
    const isRandom = different >= MOST_TEXTS;
    characters[place] = alphabet.charAt(isRandom ? random.below(alphabet.length) : rest % alphabet.length);
    rest = Math.floor(rest / alphabet.length);
    different *= alphabet.length;
  }
  return characters.join('');
}
