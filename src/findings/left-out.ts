import type { CollectedEvidence } from '../evidence/source.js';
import type { Skipped } from '../finding.js';
import { formatCount, plural } from '../format.js';
import type { Collection } from '../inventory/collection.js';
import type { SampleEnd } from '../profile/document-profile.js';

/** A bound in bytes is no gap: it is how a sample is meant to end. */
const EARLY_ENDS: { readonly [Bound in SampleEnd]?: Pick<Skipped, 'reason' | 'detail'> } = {
  time: { reason: 'timeout', detail: 'the time limit; raise it with --timeout or --max-time.' },
  interruption: { reason: 'interrupted', detail: 'the run was interrupted; run again.' },
  connection: { reason: 'connection', detail: 'the connection to the server was lost; run again when it is back.' },
  vanished: { reason: 'vanished', detail: 'the collection was dropped, renamed or emptied.' },
};

/** Documents that no check saw, because of a bound or of damage, although the rest was judged. */
export function leftOut({ namespace }: Collection, { documents }: CollectedEvidence): Skipped[] {
  if (documents?.present !== true) return [];
  const { sample, profile } = documents.value;
  const entries: Skipped[] = profile.limits.map((detail) => ({ check: '*', namespace, reason: 'bound', detail }));
  const early = sample.boundedBy === null ? undefined : EARLY_ENDS[sample.boundedBy];
  if (early !== undefined) {
    const detail = `only ${plural(profile.documents, 'document')} were read and judged before ${early.detail}`;
    entries.push({ check: '*', namespace, reason: early.reason, detail });
  }
  if (profile.malformed.documents > 0) {
    entries.push({
      check: '*',
      namespace,
      reason: 'malformed',
      detail: `${formatCount(profile.malformed.documents)} of the sampled documents are not valid BSON (${profile.malformed.detail ?? 'unknown damage'}); run validate on the collection.`,
    });
  }
  return entries;
}
