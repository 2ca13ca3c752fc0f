import type { Absent } from '../presence.js';

/** The conversion from the stored value to an `_id` of the other collection; null if it needs no conversion. */
export type IdConversion =
  | 'string to objectId'
  | 'objectId to string'
  | 'string to number'
  | 'number to string'
  | 'string to UUID'
  | 'UUID to string';

/** Counts only; no value is kept. */
export interface Reference {
  readonly namespace: string;
  /** Dotted, with `[]` for array elements on the way. */
  readonly path: string;
  readonly isInArray: boolean;
  readonly target: string;
  readonly values: number;
  /** Those that are `_id`s of the target. */
  readonly found: number;
  readonly conversion: IdConversion | null;
  /** True if several sampled documents held the same value. */
  readonly isRepeated: boolean;
  /** Present if other values would be looked up next time. */
  readonly isByChance?: true;
}

/** Fields that hold the `_id`s of other collections. */
export interface References {
  /** The target with the most values comes first. */
  readonly references: readonly Reference[];
  readonly gaps: readonly Absent[];
}
