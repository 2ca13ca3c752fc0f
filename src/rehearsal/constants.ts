import { ObjectId, type Document } from 'mongodb';
import type { SeededRandom } from '../demo/seeded-random.js';
import { compareBson } from '../profile/bson-order.js';
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

  constructor(
    private readonly collection: ScaledCollection,
    private readonly random: SeededRandom,
    private readonly lengthOf: ListLength,
  ) {}

  /**
   * What a filter asks, of one of the documents if one has a value for all conditions.
   *
   * @throws NotRunnable if a condition's kind can't be known from the shape
   */
  filter(shape: ObjectShape): Document {
    let best: { readonly filter: Document; readonly missing: number } | null = null;
    for (let tried = 0; tried < TRIED && best?.missing !== 0; tried += 1) {
      [this.#document, this.#other] = [this.#draw(), this.#draw()];
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
    const conditions = Object.entries(operand).map(([operator, placeholder]): [string, unknown] => [
      operator,
      this.#operand(operator, placeholder, path, document),
    ]);
    return ordered(Object.fromEntries(conditions));
  }

  #operand(operator: string, shape: Shape, path: string, document: unknown): unknown {
    switch (operator) {
      case '$eq':
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
    for (let further = 1; further < this.lengthOf(path); further += 1) {
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
