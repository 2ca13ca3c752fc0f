import { BSON, Binary, ObjectId, type Document } from 'mongodb';
import { freshValue, orderOf, type FieldValues } from './fresh-value.js';

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
        const known = values.get(path);
        if (known === undefined) values.set(path, [value]);
        else known.push(value);
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

  /** Of the documents that are built. */
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
