import { ObjectId, type Document } from 'mongodb';
import type { SeededRandom } from '../demo/seeded-random.js';
import { compareBson } from '../profile/bson-order.js';
import { MS_PER_DAY } from '../time-units.js';
import { literalPlaceholder, regularExpressionFacts } from '../workload/shapes/placeholder.js';
import { isObjectShape, type ObjectShape, type Shape } from '../workload/shapes/shape.js';
import { DATA_NAME } from '../workload/shapes/sort-shape.js';
import { keyOf, valuesAt, type ScaledCollection } from './scaled-collection.js';

/** Why an operation can't be run again, as half a sentence. */
export class NotRunnable extends Error {}

/** How a list of values was recorded: how many it held; 1 or more. */
export type ListLength = (path: string) => number;

/** Documents that are tried for one that has a value for each condition. */
const TRIED = 200;
/** Characters of a text that a regular expression looks for. */
const LOOKED_FOR = 3;
const ARRAY = /^\?array/;
const LOGICAL = new Set(['$and', '$or', '$nor']);
const RANGES: Readonly<Record<string, 'low' | 'high'>> = { $gt: 'low', $gte: 'low', $lt: 'high', $lte: 'high' };
/** A thousand years: no document has such a time. */
const FAR_MS = 1_000 * 365 * MS_PER_DAY;
/** Documents of which the one with the rarest values is taken. */
const RAREST_OF = 8;
/** How much longer or shorter than recorded a list is made at most. */
const LONGEST_LIST = 3;
/** Documents that the values of a range are taken from. */
const RANKED = 5_000;
const DEFAULTS: Readonly<Record<string, unknown>> = {
  '?string': '',
  '?number': 1,
  '?bool': true,
  '?null': null,
  '?object': {},
  '[]': [],
};

/** Turns shapes into what can be run: with constants from the documents of a collection, drawn again for each instance. */
export class Constants {
  #document: Document = {};
  #other: Document = {};
  /** Conditions for which the document had no value. */
  #missing = 0;
  /** The share of the documents that a range finds; null for one between the values of any two. */
  #share: number | null = null;
  /** Whether equality asks for values that no document has. */
  #inVain = false;
  /** Whether rarer values are asked for than most documents have. */
  #rare = false;
  /** Lists are longer or shorter than they were recorded by this factor. */
  #length = 1;
  readonly #ranked = new Map<string, readonly unknown[]>();
  readonly #timesOf = new Map<string, ReadonlyMap<string, number>>();

  constructor(
    private readonly collection: ScaledCollection,
    private readonly random: SeededRandom,
    private readonly lengthOf: ListLength,
  ) {}

  /** Lets what follows find more or fewer documents than values of any two documents do: as many as were recorded is looked for. */
  vary({ inVain }: { readonly inVain: boolean }): void {
    this.#share = this.collection.size ** -this.random.next();
    this.#inVain = inVain;
    this.#rare = this.random.chance(0.5);
    this.#length = LONGEST_LIST ** (1 - 2 * this.random.next());
  }

  /**
   * What a filter asks, of one of the documents if one has a value for all conditions.
   *
   * @throws NotRunnable if a condition's kind can't be known from the shape
   */
  filter(shape: ObjectShape): Document {
    let best: { readonly filter: Document; readonly missing: number } | null = null;
    for (let tried = 0; tried < TRIED && best?.missing !== 0; tried += 1) {
      [this.#document, this.#other] = [this.#rare ? this.#drawRare(shape) : this.#draw(), this.#draw()];
      this.#missing = 0;
      const filter = this.#filterOf(shape, this.#document);
      if (best === null || this.#missing < best.missing) best = { filter, missing: this.#missing };
    }
    return best?.filter ?? {};
  }

  /** An expression, with constants of the recorded types: those beside a field's path are a document's value of it. */
  expression(shape: Shape): unknown {
    if (Array.isArray(shape)) return this.#arguments(shape);
    if (isObjectShape(shape))
      return Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, this.expression(part)]));
    return isPlaceholder(shape) ? this.#ofType(shape) : readable(shape);
  }

  #arguments(shapes: readonly Shape[]): unknown[] {
    const path = shapes.find((each): each is string => typeof each === 'string' && /^\$(?!\$)/.test(each));
    return shapes.map((each) =>
      isPlaceholder(each) && path !== undefined
        ? this.#value(this.#document, path.slice(1), each)
        : this.expression(each),
    );
  }

  #draw(): Document {
    return this.collection.document(this.random.below(this.collection.size));
  }

  /** The document with the rarest values among some: those that the filter sets equal count. */
  #drawRare(shape: ObjectShape): Document {
    const equal = Object.entries(shape).flatMap(([path, operand]) =>
      isObjectShape(operand) && operand['$eq'] !== undefined ? [{ path, placeholder: operand['$eq'] }] : [],
    );
    const timesIn = (document: Document) =>
      equal.map(({ path, placeholder }) => {
        const value = this.#valueIn(document, path, placeholder);
        return value === undefined ? RANKED : (this.#times(path, placeholder).get(keyOf(value)) ?? 0);
      });
    const drawn = Array.from({ length: RAREST_OF }, () => this.#draw());
    const times = drawn.map((document) => Math.max(0, ...timesIn(document)));
    return drawn[times.indexOf(Math.min(...times))] as Document;
  }

  #filterOf(shape: ObjectShape, document: unknown): Document {
    return Object.fromEntries(
      Object.entries(shape).map(([name, operand]) => [
        readable(name),
        name.startsWith('$') ? this.#clause(name, operand, document) : this.#conditions(name, operand, document),
      ]),
    );
  }

  #clause(operator: string, operand: Shape, document: unknown): unknown {
    if (operator === '$expr') return this.expression(operand);
    if (!LOGICAL.has(operator)) throw notKnown(operator);
    return (operand as readonly ObjectShape[]).map((branch) => this.#filterOf(branch, document));
  }

  #conditions(path: string, operand: Shape, document: unknown): unknown {
    if (!isObjectShape(operand)) throw notKnown(path);
    const bounds = this.#share === null || document !== this.#document ? {} : this.#bounds(path, operand, this.#share);
    const conditions = Object.entries(operand).map(([operator, placeholder]): [string, unknown] => [
      operator,
      bounds[operator] ?? this.#operand(operator, placeholder, path, document),
    ]);
    return ordered(Object.fromEntries(conditions));
  }

  /** Bounds by operator, between which a share of the documents lies. */
  #bounds(path: string, operand: ObjectShape, share: number): Document {
    const operators = Object.keys(operand).filter((operator) => operator in RANGES);
    const [first] = operators;
    if (first === undefined || operators.some((operator) => operand[operator] !== operand[first])) return {};
    const values = this.#rankedValues(path, operand[first] as Shape);
    if (values.length === 0) return {};
    const isClosed = new Set(operators.map((operator) => RANGES[operator])).size > 1;
    const from = isClosed ? this.random.next() * (1 - share) : RANGES[first] === 'low' ? 1 - share : 0;
    const at = (rank: number) => values[Math.min(values.length - 1, Math.floor(rank * values.length))];
    return Object.fromEntries(
      operators.map((operator) => [operator, at(RANGES[operator] === 'low' ? from : from + share)]),
    );
  }

  /** How often each value is among those of {@link #rankedValues}. */
  #times(path: string, placeholder: Shape): ReadonlyMap<string, number> {
    const key = JSON.stringify([path, placeholder]);
    const known = this.#timesOf.get(key);
    if (known !== undefined) return known;
    const times = new Map<string, number>();
    for (const value of this.#rankedValues(path, placeholder))
      times.set(keyOf(value), (times.get(keyOf(value)) ?? 0) + 1);
    this.#timesOf.set(key, times);
    return times;
  }

  #rankedValues(path: string, placeholder: Shape): readonly unknown[] {
    const key = JSON.stringify([path, placeholder]);
    const known = this.#ranked.get(key);
    if (known !== undefined) return known;
    const { size } = this.collection;
    const drawn = Array.from({ length: Math.min(size, RANKED) }, (_, index) =>
      this.collection.document(size <= RANKED ? index : this.random.below(size)),
    );
    const values = drawn.flatMap((document) => this.#valueIn(document, path, placeholder) ?? []).toSorted(compareBson);
    this.#ranked.set(key, values);
    return values;
  }

  #operand(operator: string, shape: Shape, path: string, document: unknown): unknown {
    switch (operator) {
      case '$eq':
        return this.#inVain ? this.#elsewhere(this.#value(document, path, shape)) : this.#value(document, path, shape);
      case '$ne':
      case '$all':
      case '$gt':
      case '$gte':
        return this.#value(document, path, shape);
      case '$lt':
      case '$lte':
        return this.#value(document === this.#document ? this.#other : document, path, shape);
      case '$in':
      case '$nin':
        return this.#list(path, shape, document);
      case '$exists':
        return shape !== false;
      case '$regex':
        return this.#pattern(path, shape, document);
      case '$size':
        return valuesAt(document, path).find((value) => Array.isArray(value))?.length ?? 1;
      case '$not':
        return this.#conditions(path, shape, document);
      case '$elemMatch':
        return this.#element(path, shape, document);
      default:
        throw notKnown(operator);
    }
  }

  #element(path: string, shape: Shape, document: unknown): unknown {
    if (!isObjectShape(shape)) throw notKnown('$elemMatch');
    const array = valuesAt(document, path).find((value) => Array.isArray(value)) ?? [];
    const element: unknown = array[this.random.below(Math.max(1, array.length))];
    const isOfValues = Object.keys(shape).every((name) => name.startsWith('$') && !LOGICAL.has(name));
    return isOfValues ? this.#conditions('', shape, element) : this.#filterOf(shape, element);
  }

  #list(path: string, shape: Shape, document: unknown): unknown[] {
    if (typeof shape !== 'string' || !ARRAY.test(shape)) throw notKnown('$in');
    const element = /<(\?.*)>/.exec(shape)?.[1] ?? null;
    const first = this.#value(document, path, element);
    const values = new Map([[keyOf(first), first]]);
    for (let further = 1; further < this.lengthOf(path) * this.#length; further += 1) {
      const value = this.#valueIn(this.#draw(), path, element);
      if (value !== undefined) values.set(keyOf(value), value);
    }
    return [...values.values()];
  }

  #pattern(path: string, shape: Shape, document: unknown): RegExp {
    const facts = typeof shape === 'string' ? regularExpressionFacts(shape) : null;
    if (facts === null) throw notKnown('$regex');
    const text = String(this.#value(document, path, '?string'));
    const from = facts.prefix ? 0 : Math.max(0, Math.floor((text.length - LOOKED_FOR) / 2));
    const found = text.slice(from, from + LOOKED_FOR).replaceAll(/[^\w ]/g, '.');
    return new RegExp(`${facts.prefix ? '^' : ''}${found}`, facts.caseInsensitive ? 'i' : '');
  }

  /** A value of the same type that no document has, if there can be one. */
  #elsewhere(value: unknown): unknown {
    if (typeof value === 'string') return `${value}~`;
    if (typeof value === 'boolean') return !value;
    if (value instanceof ObjectId) return new ObjectId();
    if (value instanceof Date) return new Date(value.getTime() + FAR_MS);
    return value;
  }

  /** @param placeholder of the type; null for any */
  #value(document: unknown, path: string, placeholder: Shape | null): unknown {
    if (placeholder === '?null') return null;
    const found = this.#valueIn(document, path, placeholder) ?? this.#valueIn(this.#document, path, placeholder);
    if (found !== undefined) return found;
    this.#missing += 1;
    return this.#ofType(placeholder ?? '?null');
  }

  #valueIn(document: unknown, path: string, placeholder: Shape | null): unknown {
    return valuesAt(document, readable(path)).find((value) =>
      placeholder === null ? value !== null : literalPlaceholder(value) === placeholder,
    );
  }

  /** What no document has: it is looked for in vain. */
  #ofType(placeholder: Shape): unknown {
    if (typeof placeholder !== 'string') throw notKnown('a value');
    if (placeholder === '?objectId') return new ObjectId();
    if (placeholder === '?date') return new Date();
    if (ARRAY.test(placeholder)) return [];
    if (!Object.hasOwn(DEFAULTS, placeholder)) throw notKnown(placeholder);
    return DEFAULTS[placeholder];
  }
}

/** The lower bound of a range first. */
function ordered(conditions: Document): Document {
  const bounds = Object.entries(conditions).filter(([operator]) => operator in RANGES);
  const low = bounds.find(([operator]) => RANGES[operator] === 'low');
  const high = bounds.find(([operator]) => RANGES[operator] === 'high');
  if (low === undefined || high === undefined || compareBson(low[1], high[1]) <= 0) return conditions;
  return { ...conditions, [low[0]]: high[1], [high[0]]: low[1] };
}

function isPlaceholder(shape: Shape): shape is string {
  return typeof shape === 'string' && /^(?:\?[a-zA-Z]|\[\]$)/.test(shape);
}

/** @throws NotRunnable if a name on the path is data, and so was not kept */
function readable<T>(name: T): T {
  if (typeof name === 'string' && name.replace(/^\$+/, '').split('.').includes(DATA_NAME))
    throw new NotRunnable('a name in it is data, which is not recorded');
  return name;
}

function notKnown(what: string): NotRunnable {
  return new NotRunnable(`what ${what} asks for is not recorded`);
}
