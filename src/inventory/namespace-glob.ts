import { globMatcher, isGlob, syntaxFault } from '../text/glob.js';

/** A database that has another name elsewhere. */
export interface MappedDatabase {
  readonly from: string;
  readonly to: string;
}

const SYSTEM_DATABASES = new Set(['admin', 'config', 'local']);

/** Views, profile, buckets of time-series collections; the state of queryable encryption (`enxcol_.*`). */
const SYSTEM_COLLECTION = /^(?:system|enxcol_)\./;

/** Source: MongoDB manual, "MongoDB Limits and Thresholds": naming restrictions. */
const NOT_IN_DATABASE_NAMES = /[/ "$]/;

export function databaseGlob(glob: string): string {
  // A database's name holds no dot, so the first dot ends it, unless that dot is within brackets.
  const database = glob.includes('.') ? glob.slice(0, glob.indexOf('.')) : glob;
  return glob.startsWith('!') || syntaxFault(database) !== null ? '*' : database;
}

/** Without a dot, such as `shop`, a glob names a whole database. */
export function collectionGlob(glob: string): string {
  return glob.includes('.') || glob === '*' || glob === '**' ? glob : `${glob}.*`;
}

/** Half a sentence whose subject is the glob, if it can't match as it is meant. */
export function globFault(glob: string): string | null {
  if (glob === '') return 'is empty';
  if (glob.startsWith('.')) return 'names no database before its "."';
  const database = databaseGlob(glob);
  if (glob === `${database}.`) return 'names no collection after its "."';
  const foreign = NOT_IN_DATABASE_NAMES.exec(database)?.[0];
  if (foreign !== undefined)
    return `has a "${foreign}" in the name of the database, which can't hold one: globs match "database.collection"`;
  return syntaxFault(collectionGlob(glob));
}

/** The namespace with the database's other name. */
export function mappedNamespace(namespace: string, databases: readonly MappedDatabase[]): string {
  const end = namespace.indexOf('.');
  const database = end === -1 ? namespace : namespace.slice(0, end);
  const mapped = databases.find(({ from }) => from === database);
  return mapped === undefined ? namespace : mapped.to + namespace.slice(database.length);
}

export function isSystemDatabase(database: string): boolean {
  return SYSTEM_DATABASES.has(database);
}

export function isSystemCollection(collection: string): boolean {
  return SYSTEM_COLLECTION.test(collection);
}

/** Globs over `database.collection`. A namespace is in if any `include` matches, or there is no `include`, and no `exclude` does. */
export interface NamespaceGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export type NamespaceFilter = (namespace: string) => boolean;

/** A glob without a dot, such as `shop`, names a whole database. */
export function namespaceFilter({ include, exclude }: NamespaceGlobs): NamespaceFilter {
  const included = include.length === 0 ? () => true : globMatcher(include.map(collectionGlob));
  const excluded = exclude.length === 0 ? () => false : globMatcher(exclude.map(collectionGlob));
  return (namespace) => included(namespace) && !excluded(namespace);
}

/** The databases that the globs name; null if a glob may match several: then all must be listed, which takes more privileges. */
export function namedDatabases(include: readonly string[]): readonly string[] | null {
  const databases = include.map(databaseGlob);
  return databases.length === 0 || databases.some(isGlob) ? null : [...new Set(databases)];
}

export function mayMatchIn(glob: string, database: string): boolean {
  return globMatcher([databaseGlob(glob)])(database);
}
