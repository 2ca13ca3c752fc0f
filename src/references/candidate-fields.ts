import { groupedBy } from '../grouped-by.js';
import type { FieldType, FieldTypes } from '../profile/field-types.js';
import { queryPath, withoutElements } from '../profile/path-steps.js';
import { familyOfMost } from '../profile/type-families.js';

const ID_FAMILIES = ['objectId', 'string', 'number', 'binData'] as const;
export type IdFamily = (typeof ID_FAMILIES)[number];

export interface CandidateField {
  /** Dotted; `[]` marks elements of arrays on the way, and none at the end. */
  readonly path: string;
  readonly family: IdFamily;
  /** Bytes of the longest string; null for other families. */
  readonly longestString: number | null;
  /** 1 outside arrays. */
  readonly valuesPerDocument: number;
  readonly isInArray: boolean;
}

/** Judgement: a field of mixed values holds more than references. Values of another type by mistake are far fewer. */
const SHARE_OF_FAMILY = 0.75;
/** Judgement: fewer documents with the field show nothing. */
const FEWEST_DOCUMENTS = 5;
/** Bytes. Judgement: a URL is longer, an e-mail address shorter. */
const LONGEST_ID = 64;
/** Bytes, with the field's name. Judgement: a UUID has 16, a long hash 64. */
const LARGE_BINARY = 1_024;
/** Per collection; the likeliest ids come first. */
const MOST_FIELDS = 20;

/**
 * Scalars of one kind, by themselves or in arrays, that may refer to another collection.
 *
 * @param documentBytes on average; null if it is not known
 */
export function candidateFields({ documents, fields }: FieldTypes, documentBytes: number | null): CandidateField[] {
  const elements = new Map(
    fields.flatMap(({ path, elementsPerArray }) =>
      elementsPerArray === null ? [] : [[path, elementsPerArray] as const],
    ),
  );
  const candidates = fields
    .filter((field) => !isLargeBinary(field, documents, documentBytes))
    .flatMap((field) => candidate(field, elements) ?? []);
  const likeliest = candidates.sort(
    (one, other) => ID_FAMILIES.indexOf(one.family) - ID_FAMILIES.indexOf(other.family),
  );
  // The server refuses a projection on a field and on one below it.
  const byPath = groupedBy(likeliest, ({ path }) => queryPath(path));
  const outermost = [...byPath].filter(([path]) => !isBelowAny(path, byPath));
  return outermost.flatMap(([, alike]) => alike.slice(0, 1)).slice(0, MOST_FIELDS);
}

/** Images and files. */
function isLargeBinary(field: FieldType, documents: number, documentBytes: number | null): boolean {
  const values = field.types.binData ?? 0;
  if (documentBytes === null || field.shareOfBytes === undefined || values === 0) return false;
  return (field.shareOfBytes * documentBytes * documents) / values > LARGE_BINARY;
}

function isBelowAny(path: string, others: ReadonlyMap<string, unknown>): boolean {
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1))
    if (others.has(path.slice(0, end))) return true;
  return false;
}

/** The family of nearly all values; null if there is none, or if ids are not of that family. */
export function idFamily({ types }: Pick<FieldType, 'types'>): IdFamily | null {
  const family = familyOfMost(types, SHARE_OF_FAMILY);
  return ID_FAMILIES.find((each) => each === family) ?? null;
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

function valuesPerDocument(path: string, elements: ReadonlyMap<string, number>): number {
  if (!path.includes('[]')) return 1;
  const arrays = [...path.matchAll(/\[\]/g)].map(({ index }) => path.slice(0, index));
  return arrays.reduce((product, array) => product * Math.max(1, elements.get(array) ?? 1), 1);
}
