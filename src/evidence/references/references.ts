import type { Absent } from '../../presence.js';

/** How a stored value has to be converted to be another collection's `_id`; null where it is one as it is. */
export type IdConversion =
  | 'string to objectId'
  | 'objectId to string'
  | 'string to number'
  | 'number to string'
  | 'string to UUID'
  | 'UUID to string';

/** A field whose sampled values were looked for among the `_id`s of a collection. Counts only; no value is kept. */
export interface Reference {
  /** The collection that holds the field. */
  readonly namespace: string;
  /** Dotted; `[]` marks elements of arrays on the way, and none at the end. */
  readonly path: string;
  /** True where the values are elements of an array, or in one. */
  readonly isInArray: boolean;
  /** The collection whose `_id`s the values are. */
  readonly target: string;
  /** Different values that were looked for. */
  readonly values: number;
  /** How many of them are `_id`s of the target. */
  readonly found: number;
  readonly conversion: IdConversion | null;
  /** True where several of the sampled documents held the same value. */
  readonly isRepeated: boolean;
}

/** Fields that hold the `_id`s of other collections, indexed or not. */
export interface References {
  /** Fields of which some values were found; the target of which most were comes first. */
  readonly references: readonly Reference[];
  /** What could not be looked at. */
  readonly gaps: readonly Absent[];
}
