import type { Collection, CollectionKind } from '../inventory/collection.js';
import type { CollectedEvidence } from './collect-evidence.js';
import { absent } from '../presence.js';
import type { EvidenceName } from './evidence.js';

/** Evidence that each kind of collection can have: a view stores nothing, and a time-series collection's documents are the server's. */
const POSSIBLE: Readonly<Record<CollectionKind, (name: EvidenceName) => boolean>> = {
  collection: () => true,
  timeseries: (name) => name === 'storage' || name === 'indexes',
  view: () => false,
};

/** Those of the wanted names that a collection of this kind can have. */
export function possibleEvidence({ kind }: Collection, wanted: ReadonlySet<EvidenceName>): readonly EvidenceName[] {
  return [...wanted].filter(POSSIBLE[kind]);
}

/** The pieces that are kept for checks of the whole cluster; what this kind of collection cannot have is absent. */
export function keptEvidence(
  { namespace, kind }: Collection,
  evidence: CollectedEvidence,
  wanted: ReadonlySet<EvidenceName>,
): CollectedEvidence {
  const impossible = absent('unsupported', `${namespace} is a ${kind === 'view' ? 'view' : 'time-series collection'}.`);
  return Object.fromEntries([...wanted].map((name) => [name, evidence[name] ?? impossible]));
}
