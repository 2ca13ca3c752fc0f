import type { BsonType, TypeCounts } from '../profile/document-profile.js';
import { type FieldType, type FieldTypes, LEAST_COMPARED } from '../profile/field-types.js';
import { queryPath } from '../profile/path-steps.js';
import type { OperandType } from './operand.js';
import { operandTypeOf } from './value-search.js';

const NO_SCALARS: ReadonlySet<BsonType> = new Set(['null', 'undefined', 'array', 'object']);

/** Share of the compared values from which a field is taken to have as many as documents, however many these are. */
const MOSTLY_DIFFERENT = 0.5;

/** A share of a collection's documents, 0 to 1: on average, of a rare value, and of the commonest. */
export interface Share {
  readonly estimate: number;
  readonly least: number;
  readonly most: number;
}

export const ALL = exactly(1);

export const NONE = exactly(0);

/** What documents hold at a dotted path, as far as a sample shows it: values that they have in an array are theirs. */
export interface HeldValues {
  /** The share of documents that hold one value of the field, for all such values. */
  readonly value: Share | null;
  /** The share of documents that hold values of a type, as `$type` names it. */
  ofType(isMeant: (type: BsonType) => boolean): Share;
  /** The share of documents that have the field, if only as null. */
  readonly present: Share | null;
  /** The share of documents without the field, or with null. */
  readonly isNull: Share | null;
  /** The share of documents with an empty array, which has a key of its own. */
  readonly isEmpty: Share | null;
  readonly keysPerDocument: number | null;
  /** How many different values there are, of so many documents. */
  distinct(documents: number): number | null;
}

/** Null if the sample does not tell: names that are data have no paths of their own. */
export function heldValues({ documents, complete, fields }: FieldTypes, path: string): HeldValues | null {
  const rows = fields.filter((field) => queryPath(field.path) === path);
  const mayBeData = fields.some((field) => field.path.includes('*')) || /\.\d+(?:\.|$)/.test(path);
  const isUnknown = rows.length === 0 && (!complete || mayBeData);
  if (isUnknown || documents === 0 || rows.some((row) => row.path.includes('[][]'))) return null;
  const own = rows.find((row) => row.path === path);
  const elements = rows.find((row) => row.path === `${path}[]`);
  const isBelowArray = rows.some((row) => row !== own && row !== elements);
  const { null: nulls = 0, undefined: none = 0, array: arrays = 0 } = own?.types ?? {};
  const present = (own?.documents ?? 0) / documents;
  const empty = arrays - (elements?.documents ?? 0);
  const spreads = rows.filter(holdsScalars).map((row) => [row, row.spread ?? null] as const);
  const compared = spreads.reduce((total, [, spread]) => total + (spread?.compared ?? 0), 0);
  const isKnown = compared >= LEAST_COMPARED && spreads.every(([, spread]) => spread !== null);
  const summed = (of: (row: FieldType) => Share, first = 0) =>
    rows.map(of).reduce<Share>((total, share) => sum(total, share) ?? total, exactly(first));
  return {
    value: spreads.length === 0 ? NONE : isKnown ? summed((row) => ofOneValue(row, documents)) : null,
    ofType: (isMeant) => summed((row) => exactly(holders(row, isMeant, 1, documents))),
    present: isBelowArray ? null : exactly(present),
    isNull: isBelowArray
      ? null
      : summed(
          (row) => exactly(row === own ? 0 : holders(row, isNothing, 1, documents)),
          1 - present + (nulls + none) / documents,
        ),
    isEmpty: isBelowArray ? null : exactly(empty / documents),
    keysPerDocument: isBelowArray
      ? keysOfArrays(fields, rows, documents)
      : 1 + (counted(elements?.types ?? {}, () => true) - arrays + empty) / documents,
    distinct: (size) =>
      isKnown
        ? differentValues(
            spreads.map(([, spread]) => spread!),
            size,
          )
        : null,
  };
}

export function isOfTypes(wanted: ReadonlySet<OperandType>): (type: BsonType) => boolean {
  return (type) => wanted.has(operandTypeOf(type));
}

function counted(types: TypeCounts, isMeant: (type: BsonType) => boolean): number {
  return Object.entries(types).reduce((total, [type, count]) => total + (isMeant(type as BsonType) ? count : 0), 0);
}

const isNothing = (type: BsonType) => type === 'null' || type === 'undefined';

const isScalar = (type: BsonType) => !NO_SCALARS.has(type);

function holdsScalars({ types }: FieldType): boolean {
  return counted(types, isScalar) > 0;
}

/** The share of documents that hold a value that so many of those that are meant have; one of several may have it. */
function holders(
  { path, types, documents: having }: FieldType,
  isMeant: (type: BsonType) => boolean,
  chance: number,
  documents: number,
): number {
  const [values, all] = [counted(types, isMeant), counted(types, () => true)];
  if (values === 0) return 0;
  const each = (chance * values) / all;
  return (having / documents) * (path.includes('[]') ? 1 - (1 - each) ** (all / having) : each);
}

function ofOneValue(row: FieldType, documents: number): Share {
  if (!holdsScalars(row)) return NONE;
  const { alike, commonest, distinct } = row.spread!;
  const share = (chance: number) => holders(row, isScalar, chance, documents);
  const rare = (1 - commonest) / (Math.max(2, distinct) - 1);
  return { estimate: share(alike), least: share(rare), most: share(commonest) };
}

/** A field below an array has as many as the array has elements. */
function keysOfArrays(fields: readonly FieldType[], rows: readonly FieldType[], documents: number): number | null {
  const [row, ...others] = rows;
  const end = row?.path.lastIndexOf('[]') ?? -1;
  const array = fields.find(({ path }) => path === row?.path.slice(0, end + 2));
  if (array === undefined || others.length > 0 || row?.path.endsWith('[]')) return null;
  return 1 + (counted(array.types, () => true) - array.documents) / documents;
}

function differentValues(spreads: readonly NonNullable<FieldType['spread']>[], documents: number): number {
  return spreads.reduce((total, { distinct, compared }) => {
    const isOfEach = distinct > MOSTLY_DIFFERENT * compared;
    return Math.max(total, isOfEach ? (documents * distinct) / compared : distinct);
  }, 0);
}

function exactly(share: number): Share {
  return { estimate: share, least: share, most: share };
}

/** The share of what meets both, taken as independent; null if one of them is unknown. */
export function both(one: Share | null, other: Share | null): Share | null {
  return combined(one, other, (share, another) => share * another);
}

/** The share of what meets one or both, taken as independent. */
export function either(one: Share | null, other: Share | null): Share | null {
  return combined(one, other, (share, another) => share + another - share * another);
}

/** The share of what meets one of two that exclude each other. */
export function sum(one: Share | null, other: Share | null): Share | null {
  return combined(one, other, (share, another) => Math.min(1, share + another));
}

/** The share of what does not meet it. */
export function rest(share: Share | null): Share | null {
  return share === null ? null : { estimate: 1 - share.estimate, least: 1 - share.most, most: 1 - share.least };
}

/** As a figure: documents, keys. */
export function times({ estimate, least, most }: Share, factor: number): Share {
  return { estimate: estimate * factor, least: least * factor, most: most * factor };
}

function combined(one: Share | null, other: Share | null, by: (one: number, other: number) => number): Share | null {
  if (one === null || other === null) return null;
  return {
    estimate: by(one.estimate, other.estimate),
    least: by(one.least, other.least),
    most: by(one.most, other.most),
  };
}
