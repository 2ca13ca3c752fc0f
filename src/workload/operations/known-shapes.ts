import type { Document } from 'mongodb';
import { operationKey, operationShape, type RecordedCommand } from '../shapes/operation-shape.js';
import { isScalarObject, literalPlaceholder } from '../shapes/placeholder.js';
import { scalarText } from '../shapes/scalar-text.js';
import { slicesOf, type Slices } from '../shapes/slices.js';
import type { OperationShape } from '../workload.js';

/** A command's shape with what else is told from its values. */
export interface ReadShape {
  readonly shape: OperationShape;
  readonly key: string;
  /** The most elements that a literal array had. */
  readonly longestLiteralArray: number;
  readonly slices: Slices;
}

/** Gives a command its shape. */
export function readShape(command: RecordedCommand): ReadShape {
  let longestLiteralArray = 0;
  const shape = operationShape(command, (value) => {
    if (Array.isArray(value)) longestLiteralArray = Math.max(longestLiteralArray, value.length);
    return literalPlaceholder(value);
  });
  return { shape, key: operationKey(shape), longestLiteralArray, slices: slicesOf(command.command) };
}

/** Outlines remembered. They hold literals that stand elsewhere than in simple predicates, so not every one recurs. */
const MOST_OUTLINES = 5_000;

/** Longer ones are not remembered. Characters. */
const LONGEST_OUTLINE = 4_096;

/** Arguments of a command that its shape is made of; the rest, such as `lsid` and `comment`, is no part of it. */
const ARGUMENTS = [
  'pipeline',
  'filter',
  'query',
  'q',
  'u',
  'update',
  'sort',
  'projection',
  'fields',
  'key',
  'multi',
  'collation',
];

/** Ends a name. No name in BSON holds it. */
const END = '\0';

const FILTERS = new Set(['filter', 'query', 'q']);
const COMPARISONS = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']);
const LOGICAL = new Set(['$and', '$or', '$nor']);
const ASSIGNMENTS = new Set(['$set', '$inc', '$setOnInsert', '$min', '$max', '$mul']);
const NUMBERED_STAGES = new Set(['$limit', '$skip']);

/**
 * Gives commands parsed from JSON their shapes, at a fraction of the cost where one recurs. Commands are told apart by an
 * outline in which the values that predicates compare with, and those that updates assign, stand as their types, and
 * all else in full: so commands of one outline have one shape, whatever shapes are made of.
 */
export class KnownShapes {
  readonly #byOutline = new Map<string, ReadShape>();
  #longestArray = 0;

  shapeOf(command: RecordedCommand): ReadShape {
    this.#longestArray = 0;
    const outline = this.#outlineOf(command);
    const known = this.#byOutline.get(outline);
    if (known !== undefined) {
      // Arrays that are told in full are those of the first command of the outline, which told of them.
      return this.#longestArray <= known.longestLiteralArray
        ? known
        : { ...known, longestLiteralArray: this.#longestArray };
    }
    const read = readShape(command);
    if (outline.length <= LONGEST_OUTLINE) {
      if (this.#byOutline.size >= MOST_OUTLINES) this.#byOutline.clear();
      this.#byOutline.set(outline, read);
    }
    return read;
  }

  #outlineOf({ kind, namespace, command, truncated }: RecordedCommand): string {
    let outline = `${kind} ${namespace} ${String(truncated)}`;
    const limit: unknown = command['limit'];
    // Only whether there is a limit is part of a shape; that of a delete is 0 or 1.
    if (limit !== undefined)
      outline += scalarText(limit) === '0' || kind === 'delete' ? ` limit ${JSON.stringify(limit)}` : ' limited';
    for (const name of ARGUMENTS) {
      const argument: unknown = command[name];
      if (argument !== undefined) outline += ` ${name} ${this.#argumentOutline(name, argument)}`;
    }
    return outline;
  }

  #argumentOutline(name: string, argument: unknown): string {
    if (FILTERS.has(name)) return this.#filterOutline(argument);
    if (name === 'pipeline' && Array.isArray(argument)) {
      let outline = '[';
      for (const stage of argument as unknown[]) outline += this.#stageOutline(stage);
      return `${outline}]`;
    }
    if ((name === 'u' || name === 'update') && isPlainObject(argument)) return this.#updateOutline(argument);
    return JSON.stringify(argument);
  }

  #stageOutline(stage: unknown): string {
    if (!isPlainObject(stage)) return `${JSON.stringify(stage)},`;
    let outline = '{';
    for (const name of Object.keys(stage)) {
      const body = stage[name];
      outline += name + END;
      if (name === '$match') outline += this.#filterOutline(body);
      else if (!NUMBERED_STAGES.has(name)) outline += JSON.stringify(body);
    }
    return `${outline}}`;
  }

  #filterOutline(filter: unknown): string {
    if (!isPlainObject(filter)) return JSON.stringify(filter);
    let outline = '{';
    for (const name of Object.keys(filter)) {
      const operand = filter[name];
      outline += name + END;
      if (!name.startsWith('$')) outline += this.#predicateOutline(operand);
      else if (LOGICAL.has(name) && Array.isArray(operand)) {
        for (const branch of operand as unknown[]) outline += this.#filterOutline(branch);
      } else outline += JSON.stringify(operand);
    }
    return `${outline}}`;
  }

  #predicateOutline(operand: unknown): string {
    if (!isPlainObject(operand)) return this.#type(operand);
    let outline = '{';
    for (const name of Object.keys(operand)) {
      const value = operand[name];
      // A value of more than one field may be one that a reader of shapes looks into.
      const isCompared = COMPARISONS.has(name) && !isPlainObject(value);
      outline += name + END + (isCompared ? this.#type(value) : JSON.stringify(value));
    }
    return `${outline}}`;
  }

  #updateOutline(update: Document): string {
    let outline = '{';
    for (const operator of Object.keys(update)) {
      const fields: unknown = update[operator];
      outline += operator + END;
      if (!ASSIGNMENTS.has(operator) || !isPlainObject(fields)) outline += JSON.stringify(fields);
      else {
        for (const path of Object.keys(fields)) {
          const value = fields[path];
          outline += path + END + (isPlainObject(value) ? JSON.stringify(value) : this.#type(value));
        }
      }
    }
    return `${outline}}`;
  }

  #type(value: unknown): string {
    if (Array.isArray(value)) this.#longestArray = Math.max(this.#longestArray, value.length);
    return literalPlaceholder(value);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isScalarObject(value);
}
