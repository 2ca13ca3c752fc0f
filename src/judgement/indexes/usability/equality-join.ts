import type { Document } from 'mongodb';
import type { BsonType } from '../../../evidence/documents/document-profile.js';

/**
 * How a join states its equality.
 *
 * - `localField`: `$lookup` with `localField` and `foreignField`, with a pipeline beside them or without.
 * - `exprEquality`: `$lookup` with `let` and a pipeline whose `$match` holds `$expr: {$eq: [field, variable]}`.
 * - `graphLookup`: `$graphLookup`; its `connectToField` is the foreign field.
 */
export type JoinForm = 'localField' | 'exprEquality' | 'graphLookup';

/** What a local value can be: a BSON type, or nothing at all. */
export type LocalType = BsonType | 'missing';

/** An equality between a field of the joining documents and one of the foreign collection. */
export interface EqualityJoin {
  readonly form: JoinForm;
  /** Dotted path in the foreign documents, without `[]`. */
  readonly foreignField: string;
  /** The aggregation's collation, else the default of the collection that it runs on; null for the simple one. */
  readonly collation: Document | null;
  /** Further conditions: the leading `$match` of the joined pipeline without its `$expr`, or `restrictSearchWithMatch`. */
  readonly filter?: Document;
  /** For `localField`: true where the `$lookup` has a pipeline too. Implied by `filter`. */
  readonly withPipeline?: boolean;
  /**
   * True where the classic engine is known to run the join: the profiler or the log says `queryFramework: "classic"`, it
   * stands inside `$facet`, or `isClassicByPosition` says so.
   */
  readonly inClassicEngine?: boolean;
  /**
   * The types that local values have; for `$graphLookup` those of `startWith`, and those of `connectFromField` but
   * "missing". Unknown if absent: then strings, nulls and missing values are reckoned with, arrays and objects are not.
   */
  readonly localTypes?: readonly LocalType[];
  /** The types that the elements of local arrays have; unknown if absent. */
  readonly localElementTypes?: readonly BsonType[];
  /**
   * True where foreign documents hold an array at the foreign field or on the way to it; none are reckoned with if absent.
   * Whether a partial index leaves those documents out is not looked into.
   */
  readonly foreignArrays?: boolean;
}

/** The server that runs the join. What is not known of it is taken for the less favourable. */
export interface JoinServer {
  /** As `buildInfo` gives it, for example "6.0.27". */
  readonly version?: string;
}

/** The types to reckon with where they are not known. */
const UNKNOWN_TYPES: readonly LocalType[] = ['string', 'null', 'missing'];

/** Whether a value that the join looks up can have one of the types. All forms but `$expr` look up an array's elements. */
export function canLookUp(join: EqualityJoin, types: readonly LocalType[]): boolean {
  const { form, localTypes = UNKNOWN_TYPES, localElementTypes = UNKNOWN_TYPES } = join;
  const lookedUp =
    localTypes.includes('array') && form !== 'exprEquality' ? [...localTypes, ...localElementTypes] : localTypes;
  return types.some((type) => lookedUp.includes(type));
}

/**
 * Whether the join can look up null, by which it means documents without the field too. A missing value counts as null, but
 * not to `$graphLookup` (measured on 6.0.5 and 6.0.27).
 */
export function canLookUpNull(join: EqualityJoin): boolean {
  return canLookUp(join, join.form === 'graphLookup' ? ['null', 'undefined'] : ['null', 'undefined', 'missing']);
}
