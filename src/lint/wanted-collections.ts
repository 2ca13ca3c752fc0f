import type { Inventory } from '../inventory/inventory.js';
import { mayMatchIn, namespaceFilter } from '../inventory/namespace-filter.js';
import { globFault } from '../inventory/namespace-glob.js';
import { LintError } from '../lint-error.js';

/** Globs over `database.collection`. Everything is wanted if none is included. */
export interface WantedGlobs {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/**
 * Refuses a glob that can never match, which would silently leave out less than is meant.
 *
 * @throws LintError
 */
export function assertGlobs({ include = [], exclude = [] }: WantedGlobs): void {
  for (const [option, globs] of Object.entries({ include, exclude })) {
    for (const glob of globs) {
      const fault = globFault(glob);
      if (fault !== null) throw new LintError(`${option}: the glob ${glob} ${fault}.`);
    }
  }
}

/**
 * Refuses globs that leave nothing to lint: a misspelt one must not look like a clean cluster.
 *
 * @throws LintError
 */
export function assertGlobsMatch(
  { collections, known, unlisted }: Inventory,
  { include = [], exclude = [] }: WantedGlobs,
): void {
  for (const glob of include) {
    const matches = namespaceFilter({ include: [glob], exclude: [] });
    const isKnown = known.some(({ namespace }) => matches(namespace));
    if (isKnown || unlisted.some(({ database }) => database !== undefined && mayMatchIn(glob, database))) continue;
    throw new LintError(
      `No collection that the user can see matches --include ${glob}: globs match "database.collection", such as "shop.*".`,
    );
  }
  if (exclude.length === 0 || collections.length > 0 || known.length === 0) return;
  throw new LintError(
    `No collection is left to lint: --exclude ${exclude.join(' --exclude ')} leaves out all that there are.`,
  );
}
