import type { BsonType } from '../../profile/document-profile.js';
import { isExpressible } from '../../profile/path-steps.js';
import type { TypeFamily } from '../../profile/type-families.js';
import { outsideArrays } from '../arrays/array-elements.js';
import { shellStatement, spacedJson } from '../shell-statement.js';

const FROM_TEXT: readonly TypeFamily[] = ['string', 'bool'];

/**
 * Types from which `$convert` makes a value that still means the same (measured on 6.0.5 and 6.0.27). It takes "false" for
 * true, an ObjectId for its creation time, and seconds for milliseconds.
 */
const CONVERTIBLE: Readonly<Partial<Record<BsonType, readonly TypeFamily[]>>> = {
  int: FROM_TEXT,
  long: FROM_TEXT,
  double: FROM_TEXT,
  decimal: FROM_TEXT,
  string: ['number', 'date', 'objectId', 'bool'],
  date: ['string', 'timestamp'],
  objectId: ['string'],
  bool: ['number'],
};

const ELEMENTS = /^([^[\]*]+)\[\]$/;
const FIELD_OF_ELEMENTS = /^([^[\]*]+)\[\]\.([^.[\]*]+)$/;

export function isConvertible(from: TypeFamily, to: BsonType): boolean {
  return CONVERTIBLE[to]?.includes(from) === true;
}

/**
 * The update, for mongosh, that converts the values of one type. Null for an `_id`, the `$id` of a DBRef, dynamic names and
 * nested arrays. Unless the path has `[]`, it excludes documents with an array there: a plain `$convert` would be given all
 * elements at once, and write them all into each (measured on 6.0.5).
 */
export function convertingUpdate(namespace: string, path: string, from: string, to: BsonType): string | null {
  const update = updateOf(path, from, to);
  if (path === '_id' || path.startsWith('_id.') || !isExpressible(path) || update === null) return null;
  return shellStatement(namespace, 'updateMany', spacedJson(update.filter), spacedJson([{ $set: update.set }]));
}

function updateOf(path: string, from: string, to: BsonType): { readonly filter: object; readonly set: object } | null {
  const ofType = { $type: from };
  if (!/[[\]*]/.test(path))
    return { filter: { [path]: ofType, ...outsideArrays(path) }, set: { [path]: converted(`$${path}`, to) } };
  const [, elements] = ELEMENTS.exec(path) ?? [];
  if (elements !== undefined) {
    const changed = { $cond: [isOfType('$$this', from), converted('$$this', to), '$$this'] };
    return {
      filter: { [elements]: { $elemMatch: ofType }, ...outsideArrays(elements) },
      set: { [elements]: { $map: { input: `$${elements}`, in: changed } } },
    };
  }
  const [, array, field] = FIELD_OF_ELEMENTS.exec(path) ?? [];
  if (array === undefined || field === undefined) return null;
  const changed = { $mergeObjects: ['$$this', { [field]: converted(`$$this.${field}`, to) }] };
  const each = { $cond: [isOfType(`$$this.${field}`, from), changed, '$$this'] };
  return {
    filter: { [array]: { $elemMatch: { [field]: ofType } }, ...outsideArrays(array) },
    set: { [array]: { $map: { input: `$${array}`, in: each } } },
  };
}

/** In an expression, `$type` knows single types only. */
function isOfType(input: string, type: string): object {
  return type === 'number' ? { $isNumber: input } : { $eq: [{ $type: input }, type] };
}

function converted(input: string, to: BsonType): object {
  return { $convert: { input, to, onError: input } };
}
