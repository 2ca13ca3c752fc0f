import type { Collection } from '../inventory/collection.js';
import type { EvidenceName } from './evidence.js';
import type { PieceName } from './source.js';

/** Which evidence a run collects. */
export interface EvidencePlan {
  /** The pieces of one collection, with everything that they rest on. */
  ofCollection(collection: Collection): ReadonlySet<PieceName>;
  readonly ofCluster: ReadonlySet<PieceName>;
  /** What is kept of each collection until the cluster is judged. */
  readonly kept: ReadonlySet<EvidenceName>;
}
