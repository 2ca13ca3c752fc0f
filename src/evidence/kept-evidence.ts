import type { Collection } from '../inventory/collection.js';
import { absent } from '../presence.js';
import type { EvidenceName } from './evidence.js';
import type { CollectedEvidence } from './source.js';

/** The pieces that are kept for checks of the whole cluster; what this kind of collection cannot have is absent. */
export function keptEvidence(
  { namespace, kind }: Collection,
  evidence: CollectedEvidence,
  wanted: ReadonlySet<EvidenceName>,
): CollectedEvidence {
  const impossible = absent('unsupported', `${namespace} is a ${kind === 'view' ? 'view' : 'time-series collection'}.`);
  return Object.fromEntries([...wanted].map((name) => [name, evidence[name] ?? impossible]));
}
