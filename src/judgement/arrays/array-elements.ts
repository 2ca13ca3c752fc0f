import type { ArrayGrowth } from '../../growth/growth.js';
import type { ArrayProfile, BsonType, Distribution, PathProfile, TypeCounts } from '../../profile/document-profile.js';
import { fieldName, queryPath } from '../../profile/path-steps.js';
import { typesOfFamily } from '../../profile/type-families.js';
import type { CollectionReads } from '../../workload/reads/collection-reads.js';

/**
 * What writes say of the end of an array:
 * - `capped`: each recorded write that adds elements cuts the array, or runs only while it is short.
 * - `text`: strings of many lengths that writes set as a whole: a document's own content, kept as lines.
 * - `open`: the oplog shows how the arrays became as long as they are, and no write that shortened one.
 * - `inserted`: all writes to the collection were recorded, and they insert documents and never change one.
 */
export type WriteBound =
  | { readonly kind: 'capped'; /** In elements; null if unknown. */ readonly at: number | null }
  | { readonly kind: 'text' | 'open' }
  | { readonly kind: 'inserted'; readonly inserts: number };

/** What most elements are. `references` are ObjectIds, UUIDs, DBRefs or DBPointers; `other` includes mixtures. */
export type ElementKind = 'documents' | 'references' | 'arrays' | 'dates' | 'numbers' | 'strings' | 'other';

export interface ArrayElements {
  readonly kind: ElementKind;
  readonly share: number;
  /** Field with the time of an embedded document, if nearly all have one. */
  readonly timeField: string | null;
  /** True if the embedded documents hold numbers beside their time, and no text. */
  readonly measurements: boolean;
  /** True if the elements are points of a shape, without times: arrays of 2 to 4 numbers, or objects of coordinates only. */
  readonly positions: boolean;
  /** True if most elements are plain floating-point numbers, as in a vector or a recorded signal. */
  readonly floats: boolean;
  /** True if the elements may be the lines of one text: strings whose lengths differ widely, unlike those of identifiers. */
  readonly lines: boolean;
}

/** The longest line of a text is at least so many times the mean; identifiers are of nearly one length: judgement. */
const LINE_SPREAD = 2;

const MOST = 0.5;

const NEARLY_ALL = 0.9;

/** Type, terminator, length, subtype, payload; the index of the element comes on top. */
const UUID_ELEMENT_BYTES = 1 + 1 + 4 + 1 + 16;

/** Numbers in a position: longitude, latitude, altitude, measure. Source: RFC 7946, 3.1.1. */
const POSITION_NUMBERS = { from: 2, to: 4 } as const;

/** Larger numbers are times since 1970, in s or ms, after 2001. Coordinates are degrees, or at most 2 × 10⁷ metres (EPSG:3857). */
const LEAST_TIME = 1e9;

const POSITION_FIELDS: ReadonlySet<string> = new Set(['lat,lng', 'lat,lon', 'latitude,longitude', 'x,y', 'x,y,z']);

const NUMERIC_TYPES = typesOfFamily('number');

export function arrayElements(array: PathProfile, paths: readonly PathProfile[]): ArrayElements {
  const types = array.array?.elementTypes ?? {};
  const total = countOf(types, Object.keys(types) as BsonType[]);
  const elementPath = `${array.path}[]`;
  const element = paths.find(({ path }) => path === elementPath);
  // An array among the elements has their path for its parent, too.
  const fields = paths.filter(({ path, parent }) => parent === elementPath && !path.endsWith('[]'));
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
    timeField: time === undefined ? null : fieldName(time.path),
    measurements: time !== undefined && holdsMeasurements(fields.filter((field) => field !== time)),
    positions: arePositions(array, paths),
    floats: (types.double ?? 0) > MOST * total,
    lines: kind === 'strings' && element !== undefined && mayBeLines(element),
  };
}

function mayBeLines({ occurrences, values }: PathProfile): boolean {
  const { count = 0, sum = 0, max = 0 } = values?.strings ?? {};
  return count > 0 && count === occurrences && max >= (LINE_SPREAD * sum) / count;
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

/** The profile has no binary subtypes, but a binary of 16 bytes is an identifier or a hash. */
function isUuidSized({ array }: PathProfile, { bytes, occurrences, types }: PathProfile): boolean {
  if (array === undefined || types.binData !== occurrences) return false;
  const indexDigits = bytes / occurrences - UUID_ELEMENT_BYTES;
  return indexDigits >= 1 && indexDigits <= String(array.lengths.max).length;
}

function areDbRefs(fields: readonly PathProfile[], objects: number): boolean {
  const held = (name: string) => fields.find((field) => fieldName(field.path) === name)?.occurrences ?? 0;
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

function arePositions({ path, array }: PathProfile, paths: readonly PathProfile[]): boolean {
  const elementPath = `${path}[]`;
  const types = Object.keys(array?.elementTypes ?? {});
  if (types.length !== 1) return false;
  if (types[0] === 'object') {
    const fields = paths.filter(({ parent }) => parent === elementPath);
    const names = fields.map((field) => fieldName(field.path));
    return POSITION_FIELDS.has(names.sort().join(',')) && fields.every(isCoordinate);
  }
  const inner = paths.find((each) => each.path === elementPath && each.array !== undefined);
  if (types[0] !== 'array' || inner?.array === undefined) return false;
  if (!areOfNumbers(inner.array)) return arePositions(inner, paths);
  const numbers = paths.find((each) => each.path === `${elementPath}[]`);
  return haveLengthOfPositions(inner.array) && (numbers === undefined || isCoordinate(numbers));
}

/** True of empty arrays, too. */
export function areOfNumbers({ elementTypes }: ArrayProfile): boolean {
  return (Object.keys(elementTypes) as BsonType[]).every((type) => NUMERIC_TYPES.includes(type));
}

export function haveLengthOfPositions({ lengths }: ArrayProfile): boolean {
  return lengths.min >= POSITION_NUMBERS.from && lengths.max <= POSITION_NUMBERS.to;
}

function isCoordinate({ types, occurrences, values }: PathProfile): boolean {
  return countOf(types, NUMERIC_TYPES) === occurrences && (values?.numbers?.max ?? 0) < LEAST_TIME;
}

/** Filter conditions that exclude arrays on the way to a field, but not the field itself. */
export function outsideArrays(path: string): Readonly<Record<string, object>> {
  const names = path.split('.');
  return Object.fromEntries(
    names.slice(1).map((_, position) => [names.slice(0, position + 1).join('.'), { $not: { $type: 'array' } }]),
  );
}

/** For a finding's evidence: lengths in elements, sizes in bytes, shares from 0 to 1. */
export function arrayFigures(
  { bytesPerDocument, shareOfDocument, sizeCorrelation }: ArrayProfile,
  { kind }: ArrayElements,
  counts: Distribution,
  countedPer: 'array' | 'document' = 'array',
) {
  return {
    [countedPer === 'array' ? 'arrays' : 'documents']: counts.count,
    elementKind: kind,
    median: counts.median,
    p95: counts.p95,
    p99: counts.p99,
    max: counts.max,
    countAtMax: counts.countAtMax,
    shareOfDocument: shareOfDocument.mean,
    sizeCorrelation,
    largestBytes: bytesPerDocument.max,
    distribution: { unit: 'elements' as const, buckets: [...counts.buckets] },
  };
}

/** Recorded writes from which the absence of one that shortens, or changes anything, says something: judgement. */
const FEWEST_WRITES = 30;

/** Null if writes say nothing of it. */
export function writeBound(
  path: string,
  { lengths }: ArrayProfile,
  { lines }: ArrayElements,
  reads: CollectionReads | undefined,
  { oplog, growth }: Pick<ArrayGrowth, 'oplog' | 'growth'> = { oplog: null, growth: null },
): WriteBound | null {
  const all = reads?.arrayWrites ?? [];
  const own = all.find((one) => one.path === queryPath(path));
  const whole = (own?.whole ?? 0) + (all.find((one) => one.path === '')?.whole ?? 0);
  const { added, capped, cappedAt } = own ?? { added: 0, capped: 0, cappedAt: null };
  if (capped > 0 && capped >= added) return { kind: 'capped', at: cappedAt };
  if (lines && whole > 0 && added + capped === 0) return { kind: 'text' };
  const inserts = reads === undefined || growth !== null || (oplog?.writes ?? 0) > 0 ? 0 : insertsOnly(reads);
  if (inserts >= FEWEST_WRITES) return { kind: 'inserted', inserts };
  if (oplog?.rewrites !== 0 || whole > 0) return null;
  const showsTheLongest = oplog.longest >= lengths.max && oplog.documents >= lengths.countAtMax;
  return oplog.writes >= FEWEST_WRITES && showsTheLongest ? { kind: 'open' } : null;
}

/** A profiler that is off now has mostly recorded all operations before; slow ones alone leave out the short updates. */
const RECORDS_OF_ALL: ReadonlySet<string> = new Set(['all', 'none']);

/** Recorded inserts, if all writes were recorded and none changed a document; otherwise 0. */
function insertsOnly({ coverage, writes, inserts = 0, deletes = 0 }: CollectionReads): number {
  return RECORDS_OF_ALL.has(coverage.operations) && inserts + deletes === writes ? inserts : 0;
}
