import type { Inventory } from '../inventory/inventory.js';
import { globFault, mayMatchIn, namespaceFilter } from '../inventory/namespace-glob.js';
import { LintError } from '../lint-error.js';

/** Globs over `database.collection`. Without `include`, everything is wanted. */
export interface WantedGlobs {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** An inventory as far as globs are held against it. */
type ListedCollections = Pick<Inventory, 'unlisted'> & {
  readonly [Which in 'collections' | 'known']: readonly { readonly namespace: string }[];
};

/** @throws LintError for a glob that can never match: it would silently select the wrong collections */
export function assertGlobs({ include = [], exclude = [] }: WantedGlobs): void {
  for (const [option, globs] of Object.entries({ include, exclude })) {
    for (const glob of globs) {
      const fault = globFault(glob);
      if (fault !== null) throw new LintError(`${option}: the glob ${glob} ${fault}.`);
    }
  }
}

/** @throws LintError if the globs leave nothing to lint: a misspelt one must not look like a clean cluster */
export function assertGlobsMatch(
  { collections, known, unlisted }: ListedCollections,
  { include = [], exclude = [] }: WantedGlobs,
): void {
  for (const glob of include) {
    const matches = namespaceFilter({ include: [glob], exclude: [] });
    const isKnown = known.some(({ namespace }) => matches(namespace));
    if (isKnown || unlisted.some(({ database }) => database !== undefined && mayMatchIn(glob, database))) continue;
    throw new LintError(
      `No collection that the user can see matches --include ${glob}: globs match "database.collection", such as "shop.*". A database in the connection string is such a glob.`,
    );
  }
  if (exclude.length === 0 || collections.length > 0 || known.length === 0) return;
  throw new LintError(`Nothing left to lint: --exclude ${exclude.join(' --exclude ')} excludes every collection.`);
}
