import type { IndexDescription } from './collection.js';

/** An index that a collection lacks for what is asked of it: one to create, or one that is there and hidden. */
export interface IndexProposal {
  /** `database.collection` that it lies on. */
  readonly namespace: string;
  readonly action: 'create' | 'unhide';
  readonly name: string;
  readonly key: IndexDescription['key'];
  /** As `createIndexes` takes them; no collation stands for the collection's default. */
  readonly options: Pick<IndexDescription, 'collation'>;
  /** Documents that building it reads; null if that is not known. */
  readonly documents: number | null;
  /** Names of indexes that are superfluous beside it. */
  readonly supersedes: readonly string[];
}
