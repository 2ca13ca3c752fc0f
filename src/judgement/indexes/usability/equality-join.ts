import type { Document } from 'mongodb';
import type { BsonType } from '../../../profile/document-profile.js';

/** `exprEquality` is a `$lookup` with `let` and a pipeline whose `$match` holds `$expr: {$eq: [field, variable]}`. */
export type JoinForm = 'localField' | 'exprEquality' | 'graphLookup';

export type LocalType = BsonType | 'missing';

export interface EqualityJoin {
  readonly form: JoinForm;
  /** Dotted, without `[]`. */
  readonly foreignField: string;
  /** Of the aggregation, or else the default of the collection that it runs on; null for the simple one. */
  readonly collation: Document | null;
  /** Further conditions: the leading `$match` of the joined pipeline without its `$expr`, or `restrictSearchWithMatch`. */
  readonly filter?: Document;
  /** For `localField`: true if the `$lookup` has a pipeline too. Implied by `filter`. */
  readonly withPipeline?: boolean;
  /** True if the profiler or the log says `queryFramework: "classic"`, or the position of the stage shows it. */
  readonly inClassicEngine?: boolean;
  /** If absent: strings, null and missing. Of `$graphLookup`, those of `startWith` and `connectFromField`. */
  readonly localTypes?: readonly LocalType[];
  readonly localElementTypes?: readonly BsonType[];
  /** True if foreign documents hold an array at the foreign field or on the way to it. */
  readonly foreignArrays?: boolean;
}

export interface JoinServer {
  readonly version?: string;
  /** True to take what is not known of the version for favourable. */
  readonly isFavourable?: true;
}

const UNKNOWN_TYPES: readonly LocalType[] = ['string', 'null', 'missing'];

/** All forms but `$expr` look up the elements of an array. */
export function canLookUp(join: EqualityJoin, types: readonly LocalType[]): boolean {
  const { form, localTypes = UNKNOWN_TYPES, localElementTypes = UNKNOWN_TYPES } = join;
  const lookedUp =
    localTypes.includes('array') && form !== 'exprEquality' ? [...localTypes, ...localElementTypes] : localTypes;
  return types.some((type) => lookedUp.includes(type));
}

/** A missing value counts as null, but not to `$graphLookup` (measured on 6.0.5 and 6.0.27). */
export function canLookUpNull(join: EqualityJoin): boolean {
  return canLookUp(join, join.form === 'graphLookup' ? ['null', 'undefined'] : ['null', 'undefined', 'missing']);
}
