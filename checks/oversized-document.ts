import {
  DOCUMENT_LIMIT_BYTES,
  GROWTH_THRESHOLDS,
  formatBytes,
  formatShare,
  growthSourceNames,
  growthTowardsLimit,
  plural,
  sampleWindow,
  severityOf,
  withGrowthTowardsLimit,
  shellCollection,
  type GrowthTowardsLimit,
  type SeverityLines,
} from '../src/helpers.js';
import {
  defineCheck,
  type DocumentProfile,
  type LargestDocuments,
  type Problem,
  type Subject,
  type Verdict,
} from '../src/check.js';

/**
 * Documents that all differ from `n` documents drawn at random are, with a confidence of 95 %, at most 3/n of all: the
 * rule of three. Source: Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 1983.
 */
const RULE_OF_THREE = 3;

type Needs = 'documents' | 'storage' | 'largestDocuments';
type CutShort = Extract<LargestDocuments['probe'], { state: 'cut-short' }>;

export const oversizedDocument = defineCheck({
  id: 'oversized-document',
  title: 'Document near the size limit',
  summary: 'documents near the 16 MB at which writes fail, also those that the sample missed',
  appliesTo: ['collection'],
  needs: ['documents', 'storage', 'largestDocuments'],
  uses: ['growth'],
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
      description: 'least mean size of documents that nobody has seen from which they are reported',
      source: 'judgement: below it, many middling documents explain the missing bytes as well as one giant',
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

function seen({ collection, documents, storage, largestDocuments }: Subject<Needs>, lines: SeverityLines): Problem {
  const { maximumBytes, source, probe, ids } = largestDocuments;
  const sizes = probe.state === 'complete' ? probe.sizes.filter((bytes) => bytes >= lines.warning) : [];
  const atLeast = probe.state === 'complete' && probe.atLeast ? 'at least ' : '';
  const heaviest = heaviestPart(documents.profile, maximumBytes);
  return {
    severity: severityOf(maximumBytes, lines) ?? 'warning',
    confidence: 'high',
    path: null,
    message:
      `The largest document has ${formatBytes(maximumBytes)}, ${formatShare(maximumBytes / DOCUMENT_LIMIT_BYTES)} of the 16 MB at ` +
      `which writes to it fail${sizes.length > 1 ? `; ${atLeast}${plural(sizes.length, 'document')} have ${formatBytes(lines.warning)} or more` : ''}.` +
      (heaviest === null ? '' : ` \`${heaviest.path}\` makes up ${formatShare(heaviest.share)} of it.`),
    evidence: {
      source,
      window: source === 'probe' ? `all ${plural(storage.count, 'document')}` : sampleWindow(documents, storage),
      largestBytes: maximumBytes,
      shareOfLimit: maximumBytes / DOCUMENT_LIMIT_BYTES,
      documentsOverLine: Math.max(1, sizes.length),
      heaviestPath: heaviest?.path ?? null,
      heaviestShare: heaviest?.share ?? null,
      ...(ids !== undefined && { ids: ids.slice(0, sizes.length) }),
    },
    remedy: { text: remedyText(collection.namespace, heaviest?.path ?? null, lines.warning) },
  };
}

/** Documents that are small still, and not for long. */
function growing(
  { collection, documents, storage, largestDocuments }: Subject<Needs>,
  growth: GrowthTowardsLimit,
  bytes: number,
): Problem {
  const { maximumBytes } = largestDocuments;
  const problem: Problem = {
    severity: 'warning',
    confidence: 'medium',
    path: null,
    message: `The largest document has ${formatBytes(maximumBytes)} of the 16 MB at which writes to it fail, and it will soon have more.`,
    evidence: {
      source: growthSourceNames(growth.sources),
      window: sampleWindow(documents, storage),
      largestBytes: maximumBytes,
      shareOfLimit: maximumBytes / DOCUMENT_LIMIT_BYTES,
    },
    remedy: { text: remedyText(collection.namespace, growth.path, bytes) },
  };
  return withGrowthTowardsLimit(problem, growth, 0);
}

/** What the bytes that nobody saw are likely to be, where the search for them did not come to its end. */
function unseen(
  { collection, documents, storage, largestDocuments }: Subject<Needs>,
  probe: CutShort,
  lines: SeverityLines,
  unseenMean: number,
): Verdict[] {
  const { profile, sample } = documents;
  const { unseenBytes } = largestDocuments;
  const why = `the search for them was cut short: ${probe.detail.replace(/\.?$/, '.')}`;
  const atMost = Math.min(DOCUMENT_LIMIT_BYTES, unseenBytes);
  if (sample.complete || severityOf(atMost, lines) === null) return [];
  const count = Math.ceil((RULE_OF_THREE / profile.documents) * storage.count);
  const atLeast = unseenBytes / Math.max(1, count);
  const isRandom = sample.method !== 'natural-order';
  // As many documents as the largest seen are the tail of what was seen, and explain the bytes without any other.
  if (isRandom && atLeast <= profile.sizes.max) return [];
  // The rule holds for documents drawn at random.
  if (!isRandom || atLeast < unseenMean) {
    return [
      {
        notJudged: 'bound',
        detail:
          `${formatBytes(unseenBytes)} lie in documents that the sample did not show; some may have ` +
          `${formatBytes(probe.thresholdBytes)} or more, but ${why}`,
      },
    ];
  }
  return [
    {
      severity: severityOf(atLeast, lines) ?? 'warning',
      // No bound is safe where sizes have a heavy tail: there, the mean of the sample is too low more often than not.
      confidence: 'low',
      path: null,
      message:
        `Larger documents than any seen very likely exist: ${formatBytes(unseenBytes)} probably lie in at most ${plural(count, 'document')} that ` +
        `the sample did not show, which then have ${formatBytes(atLeast)} or more on average and up to ${formatBytes(atMost)} each; ` +
        `writes fail at 16 MB; ${why}`,
      evidence: {
        source: 'sample and collStats',
        window: sampleWindow(documents, storage),
        unseenBytes,
        unseenDocumentsAtMost: count,
        meanBytesAtLeast: Math.round(atLeast),
        largestBytesAtMost: atMost,
        largestSeenBytes: profile.sizes.max,
        averageBytes: Math.round(storage.averageDocumentSize),
      },
      remedy: { text: remedyText(collection.namespace, null, lines.warning) },
    },
  ];
}

function heaviestPart(profile: DocumentProfile, maximumBytes: number): { path: string; share: number } | null {
  const { bytes, heaviestPath, heaviestPathBytes } = profile.largest;
  // A document that the probe found was measured, not profiled.
  if (bytes < maximumBytes || heaviestPath === null) return null;
  return { path: heaviestPath.replace(/(?:\[\])+$/, ''), share: heaviestPathBytes / bytes };
}

function remedyText(namespace: string, path: string | null, bytes: number): string {
  const part = path === null ? 'the part that grows' : `\`${path}\``;
  return (
    `Find them: \`${shellCollection(namespace)}.aggregate([{ $match: { $expr: { $gte: [{ $bsonSize: "$$ROOT" }, ${bytes}] } } }, ` +
    `{ $project: { bytes: { $bsonSize: "$$ROOT" } } }])\`. Then move ${part} out of the document: elements of an array into a ` +
    'collection of their own with the _id of the parent, files and long texts into GridFS or an object store, and bound what stays.'
  );
}
