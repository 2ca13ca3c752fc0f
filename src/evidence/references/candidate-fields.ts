import { groupedBy } from '../../grouped-by.js';
import { queryPath, withoutElements } from '../documents/path-steps.js';
import { familyCounts, type TypeFamily } from '../documents/type-families.js';
import type { FieldType, FieldTypes } from '../documents/field-types.js';

/** The families that `_id`s of collections are made of. */
export type IdFamily = 'objectId' | 'string' | 'number' | 'binData';

/** A field that may hold `_id`s of another collection. */
export interface CandidateField {
  /** Dotted; `[]` marks elements of arrays on the way, and none at the end. */
  readonly path: string;
  readonly family: IdFamily;
  /** Bytes of the longest string; null for other families. */
  readonly longestString: number | null;
  /** Values per document, on average over its arrays; 1 outside arrays. */
  readonly valuesPerDocument: number;
  readonly isInArray: boolean;
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

/** The fields of a collection that may refer to another one: scalars of one kind, by themselves or in arrays. */
export function candidateFields({ fields }: FieldTypes): CandidateField[] {
  const elements = new Map(
    fields.flatMap(({ path, elementsPerArray }) =>
      elementsPerArray === null ? [] : [[path, elementsPerArray] as const],
    ),
  );
  const candidates = fields.flatMap((field) => candidate(field, elements) ?? []);
  const likeliest = candidates.sort(
    (one, other) => ID_FAMILIES.indexOf(one.family) - ID_FAMILIES.indexOf(other.family),
  );
  // A projection names a field once, and not one below it as well.
  const byPath = groupedBy(likeliest, ({ path }) => queryPath(path));
  const outermost = [...byPath].filter(([path]) => !isBelowAny(path, byPath));
  return outermost.flatMap(([, alike]) => alike.slice(0, 1)).slice(0, MOST_FIELDS);
}

function isBelowAny(path: string, others: ReadonlyMap<string, unknown>): boolean {
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1))
    if (others.has(path.slice(0, end))) return true;
  return false;
}

/** The family that nearly all values are of; null where there is none, or it is none that ids are made of. */
export function idFamily({ types }: Pick<FieldType, 'types'>): IdFamily | null {
  const counts = familyCounts(types);
  const [family, count] = counts[0] ?? [];
  const all = counts.reduce((sum, [, each]) => sum + each, 0);
  if (family === undefined || count === undefined || !ID_FAMILIES.includes(family)) return null;
  return count / all >= SHARE_OF_FAMILY ? (family as IdFamily) : null;
}

function candidate(field: FieldType, elements: ReadonlyMap<string, number>): CandidateField | null {
  const { path, documents, longestString } = field;
  const family = idFamily(field);
  const isPlain = !/[[\]*]/.test(queryPath(path)) && !path.includes('[][]') && !/^_id(?:$|[.[])/.test(path);
  if (family === null || !isPlain || documents < FEWEST_DOCUMENTS) return null;
  if (family === 'string' && (longestString ?? 0) > LONGEST_ID) return null;
  const isInArray = path.includes('[]');
  return {
    path: withoutElements(path),
    family,
    longestString,
    valuesPerDocument: valuesPerDocument(path, elements),
    isInArray,
  };
}

/** The lengths of the arrays on the way, one times the other. */
function valuesPerDocument(path: string, elements: ReadonlyMap<string, number>): number {
  if (!path.includes('[]')) return 1;
  const arrays = [...path.matchAll(/\[\]/g)].map(({ index }) => path.slice(0, index));
  return arrays.reduce((product, array) => product * Math.max(1, elements.get(array) ?? 1), 1);
}
