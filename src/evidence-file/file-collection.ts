import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Decimal128,
  type Document,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import type { CollectedEvidence, KeptCollection } from '../evidence/source.js';
import type { Collection, IndexDescription } from '../inventory/collection.js';
import { comparable, type Comparable, compareKeys, isSameValue } from '../inventory/filter-values.js';
import { present } from '../presence.js';
import type { DocumentEvidence, PathProfile } from '../profile/document-profile.js';
import { pipelineShape } from '../workload/shapes/pipeline-shape.js';
import { literalPlaceholder } from '../workload/shapes/placeholder.js';
import type { Shape } from '../workload/shapes/shape.js';
import { validatorShape } from './validator-shape.js';
import { withLiterals } from './validator-shape.js';

const HEX_DIGITS = 32;

/** The values that stand for any of a type: see `assumedFilter`. */
const NEUTRAL: Readonly<Record<Comparable['type'], Comparable['key']>> = {
  number: 0,
  string: '',
  date: 0,
  objectId: '0'.repeat(24),
};

const RANKED = /^(\?\w+)(?::[\w,]*)?#(-?\d+)$/;
const DIGITS = 8;
/** The first date of JavaScript, in ms since 1970. */
const FIRST_DATE = -8.64e15;
const LEAST_LONG = 2 ** 60;

const STAND_INS: Readonly<Record<string, StandIn>> = {
  '?number': (rank) => rank,
  '?string': (rank) => (rank === 0 ? '' : String(rank).padStart(DIGITS, '0')),
  '?date': (rank) => new Date(rank),
  '?objectId': (rank) => new ObjectId(rank.toString(16).padStart(24, '0')),
  '?decimal': (rank) => Decimal128.fromString(String(rank)),
  '?long': (rank) => Long.fromNumber(LEAST_LONG).add(rank),
  '?nan': () => NaN,
  '?timestamp': (rank) => new Timestamp({ t: rank, i: 0 }),
  '?binData': (rank) => new Binary(Buffer.from(String(rank))),
  '?minKey': () => new MinKey(),
  '?maxKey': () => new MaxKey(),
  '?regex': (rank, text) =>
    new BSONRegExp(`${text.includes('prefix') ? '^' : '.*'}${rank}`, /:.*\bi\b/.test(text) ? 'i' : ''),
};

/** A collection with its evidence as a file holds it: without a value of a document, or a literal of a query. */
export interface FileCollection {
  readonly collection: Document;
  readonly evidence: CollectedEvidence;
}

export function toFile({ collection, evidence }: KeptCollection): FileCollection {
  const { uuid, validator, pipeline, sharding, ...rest } = collection;
  return {
    collection: {
      ...rest,
      ...(uuid !== undefined && { uuid: identityInFile(uuid) }),
      ...(validator !== undefined && { validator: validatorShape(validator) }),
      ...(pipeline !== undefined && { pipeline: pipelineShape(pipeline, rest.database, literalPlaceholder) }),
      // The filter is for reading alone.
      ...(sharding !== undefined && { sharding: { ...sharding, chunkFilter: {} } }),
    },
    evidence: { ...evidence, ...withoutFilterValues(evidence), ...withoutRanges(evidence) },
  };
}

export function fromFile({ collection, evidence }: FileCollection): KeptCollection {
  const { indexes } = evidence;
  if (indexes?.present !== true) return { collection: collection as Collection, evidence };
  const read = indexes.value.map((index) => withFilter(index, (filter) => filterOfRanks(filter as Shape)));
  return { collection: collection as Collection, evidence: { ...evidence, indexes: present(read) } };
}

function withoutFilterValues({ indexes }: CollectedEvidence): Pick<CollectedEvidence, 'indexes'> {
  if (indexes?.present !== true) return {};
  const filters = indexes.value.flatMap(({ partialFilterExpression: filter }) =>
    filter === undefined ? [] : [filter],
  );
  const ranked = rankedFilters(filters);
  return { indexes: present(indexes.value.map((index) => withFilter(index, () => ranked.shift() as Document))) };
}

function withFilter(index: IndexDescription, map: (filter: Document) => Document): IndexDescription {
  const { partialFilterExpression: filter } = index;
  return filter === undefined ? index : { ...index, partialFilterExpression: map(filter) };
}

/** The least and the greatest value of a field are values of documents: what is kept is how large they are. */
function withoutRanges({ documents }: CollectedEvidence): Pick<CollectedEvidence, 'documents'> {
  if (documents?.present !== true) return {};
  const { profile, ...rest }: DocumentEvidence = documents.value;
  return { documents: present({ ...rest, profile: { ...profile, paths: profile.paths.map(withoutRange) } }) };
}

function withoutRange(path: PathProfile): PathProfile {
  if (path.values === undefined) return path;
  const { numbers, dates, objectIds, ...values } = path.values;
  return {
    ...path,
    values: {
      ...values,
      ...(numbers !== undefined && { numbers: inSteps(numbers, magnitude) }),
      ...(dates !== undefined && { dates: inSteps(dates, startOfYear) }),
      ...(objectIds !== undefined && { objectIds: inSteps(objectIds, startOfYear) }),
    },
  };
}

function inSteps<Range extends { readonly min: number; readonly max: number }>(
  range: Range,
  step: (value: number) => number,
): Range {
  return { ...range, min: step(range.min), max: step(range.max) };
}

/** The power of ten towards zero: 0, ±1, ±10 … Any limit that is a power of ten divides both alike. */
function magnitude(value: number): number {
  const size = Math.min(Math.abs(value), Number.MAX_VALUE);
  // The digits are exact, as a logarithm is not.
  return size >= 1 ? Math.sign(value) * Number(size.toExponential().replace(/^.*e/, '1e')) : 0;
}

/** In ms since 1970. */
function startOfYear(time: number): number {
  const start = new Date(new Date(time).setUTCMonth(0, 1)).setUTCHours(0, 0, 0, 0);
  // The first year that a date can be in begins before the first date.
  return Number.isNaN(start) ? FIRST_DATE : start;
}

/**
 * The filters of a collection's partial indexes without their values. Each literal becomes its type and its rank among the
 * literals of that type: "?string#1". That is all that filters are judged by: which literals are equal, which are less, and
 * how they compare with the value that stands for any of the type, which has the rank 0. `true`, `false` and `null` stay.
 */
export function rankedFilters(filters: readonly Document[]): Shape[] {
  const ranks = new LiteralRanks();
  for (const filter of filters) withLiterals(filter, (value) => ranks.add(value));
  return filters.map((filter) => withLiterals(filter, (value) => ranks.textOf(value)) as Shape);
}

/** A filter that is judged as the one whose literals were ranked: stand-ins have the types and the order of its values. */
export function filterOfRanks(ranked: Shape): Document {
  return withLiterals(ranked, standInOf) as Document;
}

class LiteralRanks {
  private readonly keys = new Map<Comparable['type'], Comparable['key'][]>();
  private readonly others: unknown[] = [];

  add(value: unknown): unknown {
    const known = comparable(value);
    if (known === null) this.numberOf(value);
    else {
      const keys = this.keys.get(known.type) ?? [NEUTRAL[known.type]];
      if (!keys.includes(known.key)) keys.push(known.key);
      this.keys.set(known.type, keys.sort(compareKeys));
    }
    return value;
  }

  textOf(value: unknown): Shape {
    if (typeof value === 'boolean' || value === null) return value as Shape;
    const known = comparable(value);
    if (known === null) return `${typeOf(value)}#${this.numberOf(value)}`;
    const keys = this.keys.get(known.type) ?? [];
    return `?${known.type}#${keys.indexOf(known.key) - keys.indexOf(NEUTRAL[known.type])}`;
  }

  /** Values whose order is unknown can only be distinguished. */
  private numberOf(value: unknown): number {
    const found = this.others.findIndex((other) => isDeepStrictEqual(other, value) || isSameValue(other, value));
    return found === -1 ? this.others.push(value) : found + 1;
  }
}

/** Numbers of unknown order keep their own types. */
function typeOf(value: unknown): string {
  if (value instanceof Decimal128) return '?decimal';
  if (value instanceof Long) return '?long';
  return Number.isNaN(value) ? '?nan' : literalPlaceholder(value);
}

type StandIn = (rank: number, text: string) => unknown;

function standInOf(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const [, type = '', rank = '1'] = RANKED.exec(text) ?? [];
  return STAND_INS[type]?.(Number(rank), text) ?? new BSONSymbol(text);
}

/** By which a collection is recognised in another file. One-way: from its UUID follows what the file must not tell. */
export function identityInFile(uuid: string): string {
  return createHash('sha256').update(`mongolint collection ${uuid}`).digest('hex').slice(0, HEX_DIGITS);
}
