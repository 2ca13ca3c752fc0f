import type { FieldType, FieldTypes } from '../profile/field-types.js';
import { queryPath, withoutElements } from '../profile/path-steps.js';
import { familyOfMost } from '../profile/type-families.js';
import type { CopyFamily } from './reference-integrity.js';
import { isBareReference, nameInField } from './suggested-target.js';

/** A field that by its name and type may be a copy of a field of the target. */
export interface CopyCandidate {
  /** Path in the referring collection; `[]` marks elements of arrays on the way. */
  readonly path: string;
  /** Path from the object that holds the reference. */
  readonly pathFromHolder: string;
  readonly sourcePath: string;
  readonly family: CopyFamily;
  /** True if the reference is the `_id` of the embedded object that holds both. */
  readonly isBesideId: boolean;
}

/** No numbers, as prices are copied to stay as they were; no flags, half of which agree by chance. */
const COPY_FAMILIES: readonly CopyFamily[] = ['string', 'date', 'objectId', 'binData'];
/** Judgement: nearly all values are of one family, on both sides. */
const SHARE_OF_FAMILY = 0.9;

/**
 * The fields in or below the object with the reference that are named as a field of the target, with or without the
 * name of the reference: `customer_name` beside `customer_id` for `name`.
 */
export function copyCandidates(
  path: string,
  { fields }: FieldTypes,
  { fields: targetFields }: FieldTypes,
): CopyCandidate[] {
  // An element of an array of references has no fields beside it.
  if (fields.some((field) => field.path === `${path}[]`)) return [];
  const holder = path.includes('.') ? path.slice(0, path.lastIndexOf('.') + 1) : '';
  const stem = nameInField(path) ?? '';
  const isBesideId = holder !== '' && isBareReference(path);
  const sources = new Map<string, Source>();
  for (const field of targetFields) {
    const family = copyFamily(field);
    if (family !== null && isPlain(field.path) && field.path !== '_id')
      sources.set(plainName(field.path), { path: field.path, family });
  }
  return fields.flatMap((field): CopyCandidate[] => {
    const pathFromHolder = field.path.slice(holder.length);
    if (!field.path.startsWith(holder) || field.path === path || !isPlain(pathFromHolder) || isId(pathFromHolder))
      return [];
    const name = plainName(pathFromHolder);
    const names = stem !== '' && name.startsWith(stem) ? [name, name.slice(stem.length)] : [name];
    const alike = names.flatMap((each) => sources.get(each) ?? []).filter(({ family }) => family === copyFamily(field));
    return alike.map((source) => ({
      path: withoutElements(field.path),
      pathFromHolder,
      sourcePath: source.path,
      family: source.family,
      isBesideId,
    }));
  });
}

interface Source {
  readonly path: string;
  readonly family: CopyFamily;
}

function copyFamily({ types }: FieldType): CopyFamily | null {
  const family = familyOfMost(types, SHARE_OF_FAMILY);
  return COPY_FAMILIES.find((each) => each === family) ?? null;
}

/** No arrays, no names that are data. */
function isPlain(path: string): boolean {
  return path !== '' && path === queryPath(path) && !/[[\]*]/.test(path);
}

function isId(path: string): boolean {
  return path === '_id' || path.startsWith('_id.');
}

/** `address.zip_code`, `addressZipCode` and `address_zipcode` are one. */
function plainName(path: string): string {
  return path.toLowerCase().replace(/[^a-z0-9]/g, '');
}
