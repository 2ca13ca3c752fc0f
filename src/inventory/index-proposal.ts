import type { IndexDescription } from './collection.js';

/** What an index takes once it is built, by the present number of documents. */
export interface IndexCost {
  /** One for each document, or for each element of an array. */
  readonly entries: number;
  /** False if they are counted. */
  readonly areEntriesEstimated: boolean;
  /** In bytes on disk; null if the sample does not report how long the keys are. */
  readonly size: { readonly estimate: number; readonly least: number; readonly most: number } | null;
  /** Bytes of the indexes that are superfluous beside it; null if unknown. */
  readonly supersededBytes: number | null;
}

/** A partial index over the documents of which a field is null or missing, in the place of one over all. */
export interface PartialOption {
  readonly field: string;
  readonly name: string;
  /** Without the field. */
  readonly key: IndexDescription['key'];
  /** Share of the documents that it has no entries for, 0 to 1, by the sample. */
  readonly leftOut: number;
  /** Entries that it spares, by the sample; null if unknown. */
  readonly entries: number | null;
  /** Bytes on disk that it spares, estimated; null if unknown. */
  readonly bytes: number | null;
}

/** An index that a collection lacks for what is asked of it: one to create, or one that is there and hidden. */
export interface IndexProposal {
  /** `database.collection` that it lies on. */
  readonly namespace: string;
  readonly action: 'create' | 'unhide';
  readonly name: string;
  readonly key: IndexDescription['key'];
  /** As `createIndexes` takes them; no collation stands for the collection's default. */
  readonly options: Pick<IndexDescription, 'collation'> & { readonly sparse?: true };
  /** Documents that building it reads; null if that is not known. */
  readonly documents: number | null;
  /** Names of indexes that are superfluous beside it. */
  readonly supersedes: readonly string[];
  /** Absent if it is unknown, or if the index is there and hidden. */
  readonly cost?: IndexCost;
  /** Present if all that it serves asks for one field to be null or missing, which it is in few documents. */
  readonly partial?: PartialOption;
}
