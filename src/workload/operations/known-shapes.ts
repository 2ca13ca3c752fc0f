import type { Document } from 'mongodb';
import { operationKey, operationShape, type RecordedCommand } from '../shapes/operation-shape.js';
import { isPlainObject, literalPlaceholder, scalarText } from '../shapes/placeholder.js';
import { slicesOf, type Slices } from '../shapes/slices.js';
import type { OperationShape } from '../workload.js';

export interface ReadShape {
  readonly shape: OperationShape;
  readonly key: string;
  readonly longestLiteralArray: number;
  readonly slices: Slices;
}

export function readShape(command: RecordedCommand): ReadShape {
  let longestLiteralArray = 0;
  const shape = operationShape(command, (value) => {
    if (Array.isArray(value)) longestLiteralArray = Math.max(longestLiteralArray, value.length);
    return literalPlaceholder(value);
  });
  return { shape, key: operationKey(shape), longestLiteralArray, slices: slicesOf(command.command) };
}

/** Outlines remembered. They hold literals outside simple predicates, so not every one recurs. */
const MOST_OUTLINES = 5_000;

/** In characters. */
const LONGEST_OUTLINE = 4_096;

/** Arguments that a command's shape is made of, unlike `lsid` or `comment`. */
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

/** No name in BSON holds it. */
const END = '\0';
const FILTERS = new Set(['filter', 'query', 'q']);
const COMPARISONS = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']);
const LOGICAL = new Set(['$and', '$or', '$nor']);
const ASSIGNMENTS = new Set(['$set', '$inc', '$setOnInsert', '$min', '$max', '$mul']);
const NUMBERED_STAGES = new Set(['$limit', '$skip']);

/**
 * Gives commands parsed from JSON their shapes, at a fraction of the cost if one recurs. Commands are told apart by an
 * outline: values in predicates and assignments appear as their types, everything else in full. So commands of one
 * outline have one shape.
 */
export class KnownShapes {
  readonly #byOutline = new Map<string, ReadShape>();
  #longestArray = 0;

  shapeOf(command: RecordedCommand): ReadShape {
    this.#longestArray = 0;
    const outline = this.#outlineOf(command);
    const known = this.#byOutline.get(outline);
    if (known !== undefined) {
      // Other arrays are in the outline in full, so the first command has counted them.
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
    // A shape only has whether there is a limit. That of a delete is 0 or 1.
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
      // A reader of shapes may look into a value of several fields.
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
