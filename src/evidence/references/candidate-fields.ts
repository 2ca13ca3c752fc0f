import type { IndexDescription } from '../../inventory/collection.js';
import { familyCounts, type TypeFamily } from '../../shapes/type-families.js';
import type { FieldType, FieldTypes } from '../documents/field-types.js';

/** The families that `_id`s of collections are made of. */
export type IdFamily = 'objectId' | 'string' | 'number' | 'binData';

/** A field that may hold `_id`s of another collection. */
export interface CandidateField {
  readonly path: string;
  readonly family: IdFamily;
  /** Bytes of the longest string; null for other families. */
  readonly longestString: number | null;
}

const ID_FAMILIES: readonly TypeFamily[] = ['objectId', 'string', 'number', 'binData'];

/** Nearly all values are of one family, or the field holds more than references. Judgement. */
const SHARE_OF_FAMILY = 0.9;
/** Fewer sampled documents with the field show nothing. Judgement. */
const FEWEST_DOCUMENTS = 5;
/** Bytes: text, not an id. Judgement: a URL is longer, an e-mail address shorter. */
const LONGEST_ID = 64;
/** Candidates per collection, those first that are most likely ids. */
const MOST_FIELDS = 20;

/**
 * The fields of a collection that may refer to another one: scalars of one kind, in no array, that no index begins with. What
 * an index begins with needs none.
 */
export function candidateFields({ fields }: FieldTypes, indexes: readonly IndexDescription[]): CandidateField[] {
  const leading = new Set(indexes.filter(isWhole).map(({ key }) => Object.keys(key)[0]));
  const candidates = fields.flatMap((field) => candidate(field) ?? []).filter(({ path }) => !leading.has(path));
  const likeliest = candidates.sort((one, other) => ID_FAMILIES.indexOf(one.family) - ID_FAMILIES.indexOf(other.family));
  // A projection may not name a field and one below it.
  const paths = likeliest.map(({ path }) => path);
  return likeliest.filter(({ path }) => !paths.some((other) => path.startsWith(`${other}.`))).slice(0, MOST_FIELDS);
}

/** The family that nearly all values are of; null where there is none, or it is none that ids are made of. */
export function idFamily({ types }: Pick<FieldType, 'types'>): IdFamily | null {
  const counts = familyCounts(types);
  const [family, count] = counts[0] ?? [];
  const all = counts.reduce((sum, [, each]) => sum + each, 0);
  if (family === undefined || count === undefined || !ID_FAMILIES.includes(family)) return null;
  return count / all >= SHARE_OF_FAMILY ? (family as IdFamily) : null;
}

function candidate(field: FieldType): CandidateField | null {
  const { path, documents, longestString } = field;
  const family = idFamily(field);
  const isPlain = !/[[\]*]/.test(path) && path !== '_id' && !path.startsWith('_id.');
  if (family === null || !isPlain || documents < FEWEST_DOCUMENTS) return null;
  return family === 'string' && (longestString ?? 0) > LONGEST_ID ? null : { path, family, longestString };
}

function isWhole({ hidden, partialFilterExpression }: IndexDescription): boolean {
  return !hidden && partialFilterExpression === undefined;
}
