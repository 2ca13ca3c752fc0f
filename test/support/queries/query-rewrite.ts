import type { Db, Document } from 'mongodb';

export type Run = (database: Db) => Promise<unknown>;

export interface QueryRewrite {
  readonly what: string;
  readonly check: string;
  readonly path: string | null;
  readonly severity: 'error' | 'warning' | 'info';
  readonly run: Run;
  /** Positions of the steps whose statements are run once, such as that of an index, and of the one that asks anew. */
  readonly prepare: readonly number[];
  readonly rewrite: number;
  /** For the placeholders of the statements. */
  readonly values: Document;
}

/** The documents of a find. */
export const found = (database: Db, filter: Document): Promise<Document[]> =>
  database.collection('docs').find(filter).toArray();
