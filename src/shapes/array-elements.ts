import type { BsonType, PathProfile, TypeCounts } from '../evidence/documents/document-profile.js';

/**
 * What an array holds, by what most of its elements are.
 *
 * - `documents`: embedded documents
 * - `references`: ObjectIds, UUIDs, DBRefs or DBPointers
 * - `arrays`, `dates`, `numbers`, `strings`: as they say
 * - `other`: other types, or none that most elements have
 */
export type ElementKind = 'documents' | 'references' | 'arrays' | 'dates' | 'numbers' | 'strings' | 'other';

/** The elements of the arrays at one path. */
export interface ArrayElements {
  readonly kind: ElementKind;
  /** Share of the elements that are of this kind, 0 to 1. */
  readonly share: number;
  /** Field of an embedded document that holds its time, where nearly all have one. */
  readonly timeField: string | null;
  /** True where the embedded documents hold numbers beside their time and nothing to read: measurements. */
  readonly measurements: boolean;
}

/** Share of the elements that makes a kind: "most". */
const MOST = 0.5;
/** Share of the elements or documents that counts as "nearly all". */
const NEARLY_ALL = 0.9;
/** Bytes of an array element that is a 16-byte binary, without its index: type, terminator, length, subtype, payload. */
const UUID_ELEMENT_BYTES = 1 + 1 + 4 + 1 + 16;

/** The BSON types that are numbers. */
export const NUMERIC_TYPES: readonly BsonType[] = ['int', 'long', 'double', 'decimal'];

/**
 * What the arrays at `array` hold.
 *
 * @param paths all paths of the profile; those of the elements and of their fields are looked up in it
 */
export function arrayElements(array: PathProfile, paths: readonly PathProfile[]): ArrayElements {
  const types = array.array?.elementTypes ?? {};
  const total = countOf(types, Object.keys(types) as BsonType[]);
  const elementPath = `${array.path}[]`;
  const element = paths.find(({ path }) => path === elementPath);
  const fields = paths.filter(({ parent }) => parent === elementPath);
  const kinds: readonly (readonly [ElementKind, number])[] = [
    ['references', referenceCount(types, array, element, fields)],
    ['documents', countOf(types, ['object'])],
    ['arrays', countOf(types, ['array'])],
    ['dates', countOf(types, ['date', 'timestamp'])],
    ['numbers', countOf(types, NUMERIC_TYPES)],
    ['strings', countOf(types, ['string', 'symbol'])],
  ];
  const [kind, count] = kinds.find(([, each]) => each > MOST * total) ?? (['other', 0] as const);
  const time = kind === 'documents' ? timeFieldOf(fields, countOf(types, ['object'])) : undefined;
  return {
    kind,
    share: total === 0 ? 0 : count / total,
    timeField: time === undefined ? null : nameOf(time),
    measurements: time !== undefined && holdsMeasurements(fields.filter((field) => field !== time)),
  };
}

function countOf(types: TypeCounts, names: readonly BsonType[]): number {
  return names.reduce((sum, name) => sum + (types[name] ?? 0), 0);
}

function referenceCount(
  types: TypeCounts,
  array: PathProfile,
  element: PathProfile | undefined,
  fields: readonly PathProfile[],
): number {
  const uuids = countOf(types, ['binData']);
  const objects = countOf(types, ['object']);
  return (
    countOf(types, ['objectId', 'dbPointer']) +
    (element !== undefined && isUuidSized(array, element) ? uuids : 0) +
    (areDbRefs(fields, objects) ? objects : 0)
  );
}

/** The profile does not know binary subtypes, but an element of 16 bytes is an identifier or a hash. */
function isUuidSized({ array }: PathProfile, { bytes, occurrences, types }: PathProfile): boolean {
  if (array === undefined || types.binData !== occurrences) return false;
  const indexDigits = bytes / occurrences - UUID_ELEMENT_BYTES;
  return indexDigits >= 1 && indexDigits <= String(array.lengths.max).length;
}

function areDbRefs(fields: readonly PathProfile[], objects: number): boolean {
  const held = (name: string) => fields.find((field) => nameOf(field) === name)?.occurrences ?? 0;
  return objects > 0 && held('$ref') >= NEARLY_ALL * objects && held('$id') >= NEARLY_ALL * objects;
}

function timeFieldOf(fields: readonly PathProfile[], objects: number): PathProfile | undefined {
  return fields.find(({ types }) => countOf(types, ['date', 'timestamp']) >= NEARLY_ALL * objects);
}

function holdsMeasurements(others: readonly PathProfile[]): boolean {
  const numeric = others.filter(({ types, occurrences }) => countOf(types, NUMERIC_TYPES) >= NEARLY_ALL * occurrences);
  const plain = others.every(({ types, occurrences }) => {
    return countOf(types, [...NUMERIC_TYPES, 'bool', 'null', 'date', 'objectId']) >= NEARLY_ALL * occurrences;
  });
  return numeric.length > 0 && plain;
}

function nameOf({ path, parent }: PathProfile): string {
  return parent === null ? path : path.slice(parent.length + 1);
}
