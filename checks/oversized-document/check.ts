import {
  defineCheck,
  type DocumentEvidence,
  type DocumentProfile,
  type LargestDocuments,
  type Problem,
  type Subject,
  type Verdict,
} from '../../src/check.js';
import { formatBytes, formatShare, plural } from '../../src/format.js';
import { growthSourceNames } from '../../src/judgement/arrays/growth-text.js';
import {
  GROWTH_THRESHOLDS,
  growthTowardsLimit,
  withGrowthTowardsLimit,
  type GrowthTowardsLimit,
} from '../../src/judgement/arrays/growth-towards-limit.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { severityOf, type SeverityLines } from '../../src/judgement/severity-lines.js';
import { DOCUMENT_LIMIT_BYTES } from '../../src/server-limits.js';
import { remedyFor } from './remedy.js';
import { unseen, type Needs } from './unseen.js';

export const oversizedDocument = defineCheck({
  id: 'oversized-document',
  title: 'Document near the size limit',
  summary: 'documents near the 16 MB at which writes fail, including those that the sample missed',
  appliesTo: ['collection'],
  needs: ['documents', 'largestDocuments'],
  uses: ['storage', 'growth'],
  thresholds: {
    warning: {
      default: DOCUMENT_LIMIT_BYTES / 2,
      unit: 'bytes',
      description: 'bytes of a document from which a warning is given',
      source: 'judgement: half of the 16 MB limit (MongoDB manual, "Limits and Thresholds")',
    },
    error: {
      default: Math.ceil(0.8 * DOCUMENT_LIMIT_BYTES),
      unit: 'bytes',
      description: 'bytes of a document from which an error is given',
      source: 'judgement: 80 % of the 16 MB limit (MongoDB manual, "Limits and Thresholds")',
    },
    unseenMean: {
      default: DOCUMENT_LIMIT_BYTES / 128,
      unit: 'bytes',
      description: 'least mean size of documents outside the sample from which they are reported',
      source: 'judgement: below it, many middle-sized documents explain the missing bytes as well as one giant',
    },
    ...GROWTH_THRESHOLDS,
  },
  judge(subject, { warning, error, unseenMean, growthErrorDays }): Verdict[] {
    const { largestDocuments } = subject;
    const lines = { info: Infinity, warning, error };
    const growth = growthTowardsLimit(subject.growth);
    if (severityOf(largestDocuments.maximumBytes, lines) !== null)
      return [withGrowthTowardsLimit(seen(subject, lines), growth, growthErrorDays)];
    const { probe } = largestDocuments;
    return [
      ...(growth !== null && growth.expectedDays <= growthErrorDays ? [growing(subject, growth, lines.warning)] : []),
      ...(probe.state === 'cut-short' ? unseen(subject, probe, lines, unseenMean) : []),
    ];
  },
});

function seen(
  { collection, documents, storage, largestDocuments }: Subject<Needs, 'storage'>,
  lines: SeverityLines,
): Problem {
  const { maximumBytes, source, sizes } = largestDocuments;
  const stored = storage?.count ?? null;
  const over = sizes.filter((bytes) => bytes >= lines.warning).length;
  const areAllListed = over < sizes.length || sizes.length === documents.profile.documents;
  const isCounted = areAllListed && sawAllFrom(lines.warning, documents, largestDocuments);
  const ids = idsFrom(lines.warning, largestDocuments);
  const heaviest = heaviestPart(documents.profile, maximumBytes);
  return {
    severity: severityOf(maximumBytes, lines) ?? 'warning',
    confidence: 'high',
    path: null,
    message:
      `The largest document has ${formatBytes(maximumBytes)}, ${formatShare(maximumBytes / DOCUMENT_LIMIT_BYTES)} of the 16 MB at ` +
      `which writes fail${over > 1 ? `; ${isCounted ? '' : 'at least '}${plural(over, 'document')} have ${formatBytes(lines.warning)} or more` : ''}.` +
      (heaviest === null ? '' : ` \`${heaviest.path}\` makes up ${formatShare(heaviest.share)} of it.`),
    evidence: {
      source,
      window:
        source === 'probe' && stored !== null ? `all ${plural(stored, 'document')}` : sampleWindow(documents, storage),
      largestBytes: maximumBytes,
      shareOfLimit: maximumBytes / DOCUMENT_LIMIT_BYTES,
      ...(isCounted ? { documentsOverLine: over } : { documentsOverLineAtLeast: over }),
      ...(source === 'sample' && { documentsShowing: over }),
      heaviestPath: heaviest?.path ?? null,
      heaviestShare: heaviest?.share ?? null,
      ...(ids.length > 0 && { ids: [...ids] }),
    },
    lookFor: { bytes: Math.ceil(lines.warning) },
    remedy: remedyFor(collection.namespace, heaviest?.path ?? null, lines.warning, isCounted ? ids : []),
  };
}

/** Whether no document of at least so many bytes can have been missed. */
function sawAllFrom(bytes: number, { sample }: DocumentEvidence, { probe }: LargestDocuments): boolean {
  return sample.complete || (probe.state === 'complete' && !probe.atLeast && bytes >= probe.thresholdBytes);
}

/** `_id`s of the documents at or above the line, as far as they are known: as Extended JSON. */
function idsFrom(bytes: number, { probe, ids = [] }: LargestDocuments): readonly string[] {
  return probe.state === 'complete' ? ids.filter((_, index) => (probe.sizes[index] ?? 0) >= bytes) : [];
}

/** Documents that are still small, but not for long. */
function growing(
  { collection, documents, storage, largestDocuments }: Subject<Needs, 'storage'>,
  growth: GrowthTowardsLimit,
  bytes: number,
): Problem {
  const { maximumBytes } = largestDocuments;
  const problem: Problem = {
    severity: 'warning',
    confidence: 'medium',
    path: null,
    message: `The largest document has ${formatBytes(maximumBytes)}; writes fail at 16 MB.`,
    evidence: {
      source: growthSourceNames(growth.sources),
      window: sampleWindow(documents, storage),
      largestBytes: maximumBytes,
      shareOfLimit: maximumBytes / DOCUMENT_LIMIT_BYTES,
    },
    remedy: remedyFor(collection.namespace, growth.path, bytes),
  };
  return withGrowthTowardsLimit(problem, growth, 0);
}

function heaviestPart(profile: DocumentProfile, maximumBytes: number): { path: string; share: number } | null {
  const { bytes, heaviestPath, heaviestPathBytes } = profile.largest;
  // The probe measures documents, but does not profile them.
  if (bytes < maximumBytes || heaviestPath === null) return null;
  return { path: heaviestPath.replace(/(?:\[\])+$/, ''), share: heaviestPathBytes / bytes };
}
