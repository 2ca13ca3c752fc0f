import type { Absent } from '../presence.js';
import type { IdConversion } from './references.js';

/** Counts only, except for `_id`s with `--show-values`. */
export interface ComparedReference {
  readonly namespace: string;
  /** Dotted, with `[]` for array elements on the way. */
  readonly path: string;
  readonly isInArray: boolean;
  /** The collection in which most values were found. */
  readonly target: string;
  readonly furtherTargets: readonly string[];
  /** True if missing values were looked for in every collection that may hold them. */
  readonly isSoughtEverywhere: boolean;
  readonly conversion: IdConversion | null;
  readonly sampled: number;
  readonly complete: boolean;
  /** Present if the random cursor drew the documents, which may pick neighbours that refer to the same. */
  readonly byChance?: true;
  readonly documents: number;
  readonly references: number;
  readonly values: number;
  readonly dangling: Dangling;
  readonly copies: readonly CopiedField[];
  readonly backReferences: readonly BackReference[];
}

/** Found in no collection they may refer to, neither at first nor again. */
export interface Dangling {
  readonly references: number;
  readonly values: number;
  readonly documents: number;
  /** Relaxed Extended JSON; only with `--show-values`. */
  readonly ids?: readonly string[];
}

/** By the order of the copies in time. */
export interface CopyHistory {
  /** Referred-to documents with an equal copy older than a differing one: it was changed after it was written. */
  readonly updated: number;
  /** Those whose differing copies are all older than the equal ones, as if copies are never changed. */
  readonly untouched: number;
}

/** A field beside a reference that is named as a field of the target, and mostly equals it. */
export interface CopiedField {
  readonly path: string;
  readonly sourcePath: string;
  readonly family: CopyFamily;
  /** True if the `_id` of the target lies beside it: `customer: {_id, name}`. */
  readonly isBesideId: boolean;
  readonly compared: number;
  readonly differing: number;
  /** Expected share of equal pairs by chance: the sum over all values of the product of their shares on both sides. */
  readonly agreementByChance: number;
  readonly valuesAgreed: number;
  /** 1 if all referred-to documents hold different values. */
  readonly valuesPerSource: number;
  readonly history: CopyHistory;
  /** Relaxed Extended JSON; only with `--show-values`. */
  readonly ids?: readonly string[];
}

export type CopyFamily = 'string' | 'date' | 'objectId' | 'binData';

/** A reference of the target to this collection. */
export interface BackReference {
  readonly path: string;
  readonly isInArray: boolean;
  readonly followed: number;
  /** Without targets whose list may be full, or that refer to one other document. */
  readonly compared: number;
  readonly oneSided: number;
  /** Relaxed Extended JSON; only with `--show-values`. */
  readonly ids?: readonly string[];
}

/** What following the references showed. */
export interface ReferenceIntegrity {
  readonly references: readonly ComparedReference[];
  readonly gaps: readonly Absent[];
}
