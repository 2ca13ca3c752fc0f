import type { Db } from 'mongodb';
import type { AnyCheck } from '../../src/check.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { sharedReplicaSetUri } from './database.js';

/** Lints one collection of a database of the shared replica set. */
export function lintedCollection(database: Db, checks: readonly AnyCheck[]): (collection: string) => Promise<Report> {
  return (collection) =>
    lint({ uri: sharedReplicaSetUri(), include: [`${database.databaseName}.${collection}`], checks });
}
