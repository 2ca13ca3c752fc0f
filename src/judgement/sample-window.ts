import { formatCount, plural } from '../format.js';
import type { StorageStatistics } from '../inventory/storage.js';
import type { DocumentEvidence } from '../profile/document-profile.js';

/** For a finding's `evidence.window`: "1,000 of 250,000 documents, drawn at random", or "all 400 documents". */
export function sampleWindow({ sample, profile }: DocumentEvidence, storage: StorageStatistics | undefined): string {
  if (sample.complete) return `all ${plural(profile.documents, 'document')}`;
  const count = storage?.count ?? null;
  // The count comes from metadata, which can be wrong after an unclean shutdown.
  if (count === null || count <= profile.documents) return plural(profile.documents, 'document');
  const isDrawn = sample.method === 'random-cursor' || sample.method === 'random-sort';
  const drawn = isDrawn ? ', drawn at random' : '';
  const larger = (sample.larger ?? 0) > 0 ? `, and ${formatCount(sample.larger ?? 0)} larger ones` : '';
  return `${formatCount(profile.documents)} of ${plural(count, 'document')}${drawn}${larger}`;
}
