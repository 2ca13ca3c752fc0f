import picomatch from 'picomatch';

/** Globs over `database.collection`; a namespace is in where any `include` matches (or there is none) and no `exclude` does. */
export interface NamespaceGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export type NamespaceFilter = (namespace: string) => boolean;

// Namespaces are not paths: "/" and a leading "." are ordinary characters in them.
const GLOB_OPTIONS = { dot: true, bash: true, flags: 's' } as const;

/** Builds the filter. A glob without a dot, such as `shop`, names a whole database. */
export function namespaceFilter({ include, exclude }: NamespaceGlobs): NamespaceFilter {
  const included = include.length === 0 ? () => true : picomatch(include.map(overCollections), GLOB_OPTIONS);
  const excluded = exclude.length === 0 ? () => false : picomatch(exclude.map(overCollections), GLOB_OPTIONS);
  return (namespace) => included(namespace) && !excluded(namespace);
}

/**
 * The databases that the globs name outright, or null where one of them may match several: then all must be listed, for
 * which a user needs more privileges.
 */
export function namedDatabases(include: readonly string[]): readonly string[] | null {
  const databases = include.map(databaseOf);
  return databases.length === 0 || databases.some((database) => picomatch.scan(database).isGlob) ? null : [...new Set(databases)];
}

/** True where a glob may match collections of a database. */
export function mayMatchIn(glob: string, database: string): boolean {
  return picomatch(databaseOf(glob), GLOB_OPTIONS)(database);
}

/** A database's name holds no dot, so what stands before the first is about the database. */
function databaseOf(glob: string): string {
  return glob.includes('.') ? glob.slice(0, glob.indexOf('.')) : glob;
}

function overCollections(glob: string): string {
  return glob.includes('.') || glob === '*' || glob === '**' ? glob : `${glob}.*`;
}
