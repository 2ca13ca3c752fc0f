import type { ExpectedSize } from '../finding/expected-size.js';
import type { Collection } from '../inventory/collection.js';
import { namespaceFilter } from '../inventory/namespace-glob.js';

export interface ExpectedSetting {
  readonly glob: string;
  readonly documents?: number;
  readonly executionsPerDay?: number;
}

/** Attaches its expected size to each collection. If several globs match, the last one that gives a figure wins. */
export function withExpectedSizes(settings: readonly ExpectedSetting[]): (collection: Collection) => Collection {
  const filters = settings.map(({ glob, ...figures }) => ({
    matches: namespaceFilter({ include: [glob], exclude: [] }),
    figures,
  }));
  return (collection) => {
    const matching = filters.filter(({ matches }) => matches(collection.namespace));
    if (matching.length === 0) return collection;
    const figures: Omit<ExpectedSize, 'from'> = Object.assign({}, ...matching.map((each) => each.figures));
    return { ...collection, expected: { ...figures, from: 'expect' } };
  };
}
