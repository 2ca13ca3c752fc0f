import type { Db } from 'mongodb';
import type { AnyCheck } from '../../src/check.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { sharedReplicaSetUri } from './database.js';

/** Lints what is included of the shared replica set. */
export function lintShared(options: Omit<LintOptions, 'uri'>): Promise<Report> {
  return lint({ uri: sharedReplicaSetUri(), ...options });
}

/** Lints one collection of a database of the shared replica set. */
export function lintedCollection(database: Db, checks: readonly AnyCheck[]): (collection: string) => Promise<Report> {
  return (collection) => lintShared({ include: [`${database.databaseName}.${collection}`], checks });
}
