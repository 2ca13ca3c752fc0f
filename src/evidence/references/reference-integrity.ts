import type { Absent } from '../../presence.js';
import type { IdConversion } from './references.js';

/** References of the sampled documents, held against what they refer to. Counts only, but for `_id`s with `--show-values`. */
export interface ComparedReference {
  /** The collection that holds the field. */
  readonly namespace: string;
  /** Dotted; `[]` marks elements of arrays on the way, and none at the end. */
  readonly path: string;
  readonly isInArray: boolean;
  /** The collection that it refers to; the one in which most values were found, where there are several. */
  readonly target: string;
  /** Further collections in which some of the values were found. */
  readonly furtherTargets: readonly string[];
  /** True where what was missing was looked for in every collection that may hold it; false in a database of very many. */
  readonly isSoughtEverywhere: boolean;
  readonly conversion: IdConversion | null;
  /** Documents sampled, with the field or without it. */
  readonly sampled: number;
  /** True where every document of the collection was read. */
  readonly complete: boolean;
  /** Sampled documents that hold a reference. */
  readonly documents: number;
  /** References looked up, the same one in two documents counted twice. */
  readonly references: number;
  /** Different values among them. */
  readonly values: number;
  readonly dangling: Dangling;
  /** Fields that may be copies of the target's. */
  readonly copies: readonly CopiedField[];
  /** The target's references to this collection that may be the other side of this one. */
  readonly backReferences: readonly BackReference[];
}

/** References to documents that are in none of the collections they may refer to, neither at first nor when looked up again. */
export interface Dangling {
  readonly references: number;
  readonly values: number;
  readonly documents: number;
  /** `_id`s of referring documents as relaxed Extended JSON, a few; only with `--show-values`. */
  readonly ids?: readonly string[];
}

/** Whether the copies of one document were changed along with it, as far as their order in time tells. */
export interface CopyHistory {
  /** Referred-to documents of which an older copy is equal and a newer one differs: the older was changed since it was written. */
  readonly updated: number;
  /** Those of which all differing copies are older than all equal ones: as they are where a copy is never changed. */
  readonly untouched: number;
}

/** A field that lies beside a reference, is named as a field of the target, and mostly equals it. */
export interface CopiedField {
  /** Path in the referring collection. */
  readonly path: string;
  /** Path in the target. */
  readonly sourcePath: string;
  readonly family: CopyFamily;
  /** True where it lies in an embedded object together with the `_id` of what that stands for: `customer: {_id, name}`. */
  readonly isBesideId: boolean;
  /** Pairs of which both sides hold a value. */
  readonly compared: number;
  readonly differing: number;
  /** Share of equal pairs to expect of values dealt at random: the sum over all values of the product of their shares on both sides. */
  readonly agreementByChance: number;
  /** Different values among the equal pairs. */
  readonly valuesAgreed: number;
  /** Different values per referred-to document: 1 where no two of them hold the same. */
  readonly valuesPerSource: number;
  readonly history: CopyHistory;
  /** `_id`s of documents whose copy differs, as relaxed Extended JSON, a few; only with `--show-values`. */
  readonly ids?: readonly string[];
}

/** The families of values that are compared with their source. */
export type CopyFamily = 'string' | 'date' | 'objectId' | 'binData';

/** A reference of the target to this collection. */
export interface BackReference {
  /** Path in the target. */
  readonly path: string;
  readonly isInArray: boolean;
  /** References whose target exists. */
  readonly followed: number;
  /** Those whose target could have referred back: not where its list is as long as any, or it refers to another document alone. */
  readonly compared: number;
  /** Those whose target does not refer back. */
  readonly oneSided: number;
  /** `_id`s of the referring documents as relaxed Extended JSON, a few; only with `--show-values`. */
  readonly ids?: readonly string[];
}

/** What the references of the cluster were found to be worth. */
export interface ReferenceIntegrity {
  readonly references: readonly ComparedReference[];
  /** What could not be looked at. */
  readonly gaps: readonly Absent[];
}
