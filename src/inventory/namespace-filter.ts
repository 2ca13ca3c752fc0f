import { collectionGlob, databaseGlob, globMatcher, isPattern } from './namespace-glob.js';

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
  return databases.length === 0 || databases.some(isPattern) ? null : [...new Set(databases)];
}

export function mayMatchIn(glob: string, database: string): boolean {
  return globMatcher([databaseGlob(glob)])(database);
}
