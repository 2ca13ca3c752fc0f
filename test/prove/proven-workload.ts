import type { Db } from 'mongodb';

/** A workload that is recorded, linted, and replayed before and after the commands of the remedies. */
export interface ProvenWorkload {
  /** Also the name of its database. */
  readonly name: string;
  /** Where it comes from: a package, or a page of a manual. */
  readonly source: string;
  /** Plants what is there before the operations that are recorded. */
  readonly plant?: (database: Db) => Promise<void>;
  /** @param uri of its database */
  readonly run: (uri: string) => Promise<void>;
}
