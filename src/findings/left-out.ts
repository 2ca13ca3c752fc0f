import type { CollectedEvidence } from '../evidence/source.js';
import type { Collection } from '../inventory/collection.js';
import { formatCount, plural } from '../format.js';
import type { Skipped } from '../finding.js';

/** Documents that no check saw, because of a bound or of damage, although the rest was judged. */
export function leftOut({ namespace }: Collection, { documents }: CollectedEvidence): Skipped[] {
  if (documents?.present !== true) return [];
  const { sample, profile } = documents.value;
  const entries: Skipped[] = profile.limits.map((detail) => ({ check: '*', namespace, reason: 'bound', detail }));
  if (sample.boundedBy === 'time') {
    entries.push({
      check: '*',
      namespace,
      reason: 'timeout',
      detail: `only ${plural(profile.documents, 'document')} were read and judged before the time limit; raise it with --timeout or --max-time.`,
    });
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
