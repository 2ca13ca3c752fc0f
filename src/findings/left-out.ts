import type { CollectedEvidence } from '../evidence/source.js';
import type { Collection } from '../inventory/collection.js';
import { formatCount, plural } from '../format.js';
import type { Skipped } from '../finding.js';

/**
 * What a bound or damage left out of a collection's documents although the rest was judged: for every check, since none
 * saw it.
 */
export function leftOut({ namespace }: Collection, { documents }: CollectedEvidence): Skipped[] {
  if (documents?.present !== true) return [];
  const { sample, profile } = documents.value;
  const entries: Skipped[] = profile.limits.map((detail) => ({ check: '*', namespace, reason: 'bound', detail }));
  if (sample.boundedBy === 'time') {
    entries.push({
      check: '*',
      namespace,
      reason: 'timeout',
      detail: `the time was up after ${plural(profile.documents, 'document')}; those were judged. Allow more with --timeout or --max-time.`,
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
