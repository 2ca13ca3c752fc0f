import picomatch from 'picomatch';

/** Globs over `database.collection`; a namespace is in where any `include` matches (or there is none) and no `exclude` does. */
export interface NamespaceGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export type NamespaceFilter = (namespace: string) => boolean;

// Namespaces are not paths: "/" and a leading "." are ordinary characters in them.
const GLOB_OPTIONS = { dot: true, bash: true } as const;

/** Builds the filter. A glob without a dot, such as `shop`, names a whole database. */
export function namespaceFilter({ include, exclude }: NamespaceGlobs): NamespaceFilter {
  const included = include.length === 0 ? () => true : picomatch(include.map(overCollections), GLOB_OPTIONS);
  const excluded = exclude.length === 0 ? () => false : picomatch(exclude.map(overCollections), GLOB_OPTIONS);
  return (namespace) => included(namespace) && !excluded(namespace);
}

function overCollections(glob: string): string {
  return glob.includes('.') || glob === '*' || glob === '**' ? glob : `${glob}.*`;
}
