import type { Cluster } from '../connect/connect.js';
import type { Inventory } from '../inventory/inventory.js';
import type { NamespaceGlobs } from '../inventory/namespace-filter.js';

/** One of two runs that are compared, but for its collections. */
export interface ComparedRunFacts {
  readonly cluster: Cluster;
  readonly inventory: Pick<Inventory, 'unlisted' | 'shardingUnknown'>;
  /** What it was asked for: what all of them let through, by its own names. */
  readonly globs: readonly NamespaceGlobs[];
}
