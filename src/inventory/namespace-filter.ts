import { collectionGlob, databaseGlob, globMatcher, isPattern } from './namespace-glob.js';

/** Globs over `database.collection`; a namespace is in where any `include` matches (or there is none) and no `exclude` does. */
export interface NamespaceGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export type NamespaceFilter = (namespace: string) => boolean;

/** Builds the filter. A glob without a dot, such as `shop`, names a whole database. */
export function namespaceFilter({ include, exclude }: NamespaceGlobs): NamespaceFilter {
  const included = include.length === 0 ? () => true : globMatcher(include.map(collectionGlob));
  const excluded = exclude.length === 0 ? () => false : globMatcher(exclude.map(collectionGlob));
  return (namespace) => included(namespace) && !excluded(namespace);
}

/**
 * The databases that the globs name outright, or null where one of them may match several: then all must be listed, for
 * which a user needs more privileges.
 */
export function namedDatabases(include: readonly string[]): readonly string[] | null {
  const databases = include.map(databaseGlob);
  return databases.length === 0 || databases.some(isPattern) ? null : [...new Set(databases)];
}

/** True where a glob may match collections of a database. */
export function mayMatchIn(glob: string, database: string): boolean {
  return globMatcher([databaseGlob(glob)])(database);
}
