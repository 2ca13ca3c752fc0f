import type { Db } from 'mongodb';
import { indexUsability, usableIndex } from '../../src/index-usability/index-usability.js';
import type { IndexUsability } from '../../src/index-usability/index-usability.js';
import type { Collection, IndexDescription } from '../../src/inventory/collection.js';
import type { ForeignCollection } from './foreign-collections.js';
import type { RandomIndex } from './random-index.js';
import type { RandomJoin } from './random-join.js';
import { joinedDocuments, serverUse } from './server-use.js';
import type { ServerUse } from './server-use.js';

/** A foreign collection with an index, as it was made and as it was read. */
export interface TestedCollection {
  readonly foreign: ForeignCollection;
  /** The index beside the one on `_id`. */
  readonly created: RandomIndex | null;
  readonly collection: Collection;
  readonly indexes: readonly IndexDescription[];
  /** The server's version. */
  readonly version: string;
}

/** What was said of a join's indexes, and what the server did. */
export interface Comparison {
  readonly agrees: boolean;
  /** Names of the indexes that were said to be usable. */
  readonly usable: readonly string[];
  readonly verdicts: Readonly<Record<string, IndexUsability>>;
  readonly use: ServerUse;
}

/** Judges and runs a join; null where the run shows nothing. */
export async function compare(database: Db, tested: TestedCollection, join: RandomJoin): Promise<Comparison | null> {
  const { foreign, created, collection, indexes, version } = tested;
  const { wrong, found } = await joinedDocuments(database, foreign.name, join);
  // A join that finds nothing does not show whether it could: with some hashed indexes it cannot.
  if (found === 0 && Object.values(created?.key ?? {}).includes('hashed')) return null;
  const use = await serverUse(database, foreign, join);
  const verdicts = indexes.map(
    (index) => [index.name, indexUsability(index, join.judged, collection, { version })] as const,
  );
  const usable = verdicts.filter(([, verdict]) => verdict.usable).map(([name]) => name);
  const chosen = usableIndex(indexes, join.judged, collection, { version })?.name;
  const isServedByIndex = use.isServed && wrong === 0 && !(use.indexes.length === 0 && isStoredByTime(foreign, join));
  const agrees =
    (isServedByIndex ? namesUsed(use, indexes).some((name) => usable.includes(name)) : usable.length === 0) &&
    (chosen === undefined ? usable.length === 0 : usable.includes(chosen)) &&
    // What is said without knowing the server must hold on this one.
    indexes.every((index) => !indexUsability(index, join.judged, collection).usable || usable.includes(index.name));
  return { agrees, usable, verdicts: Object.fromEntries(verdicts), use };
}

/** The indexes used. The order of a clustered collection is one, though the server does not name it. */
function namesUsed({ indexes: used }: ServerUse, indexes: readonly IndexDescription[]): readonly string[] {
  return used.length > 0 ? used : indexes.filter(({ clustered }) => clustered).map(({ name }) => name);
}

function isStoredByTime({ options }: ForeignCollection, { judged }: RandomJoin): boolean {
  return judged.foreignField === options.timeseries?.timeField;
}
