import type { ArrayProfile, Distribution } from '../../profile/document-profile.js';
import type { ArrayElements } from './array-elements.js';

/** For a finding's evidence: lengths in elements, sizes in bytes, shares from 0 to 1. */
export function arrayFigures(
  { bytesPerDocument, shareOfDocument, sizeCorrelation }: ArrayProfile,
  { kind }: ArrayElements,
  counts: Distribution,
  countedPer: 'array' | 'document' = 'array',
) {
  return {
    [countedPer === 'array' ? 'arrays' : 'documents']: counts.count,
    elementKind: kind,
    median: counts.median,
    p95: counts.p95,
    p99: counts.p99,
    max: counts.max,
    countAtMax: counts.countAtMax,
    shareOfDocument: shareOfDocument.mean,
    sizeCorrelation,
    largestBytes: bytesPerDocument.max,
    distribution: { unit: 'elements' as const, buckets: [...counts.buckets] },
  };
}
