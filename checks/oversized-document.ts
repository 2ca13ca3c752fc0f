import {
  defineCheck,
  type DocumentEvidence,
  type DocumentProfile,
  type LargestDocuments,
  type Problem,
  type Remedy,
  type Subject,
  type Verdict,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatShare, plural } from '../src/format.js';
import { knownSizes } from '../src/inventory/storage.js';
import {
  GROWTH_ERROR_DAYS,
  growthSourceNames,
  growthTowardsLimit,
  type GrowthTowardsLimit,
  withGrowthTowardsLimit,
} from '../src/judgement/arrays/growth-text.js';
import { type SeverityLines, severityOf } from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { SCAN_COST, shellScan, shellStatement } from '../src/judgement/shell-statement.js';
import { withoutElements } from '../src/profile/path-steps.js';
import { DOCUMENT_LIMIT_BYTES } from '../src/profile/server-limits.js';

/**
 * Documents unlike all of `n` documents drawn at random are, with a confidence of 95 %, at most 3/n of all: the rule of
 * three. Source: Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 1983.
 */
const RULE_OF_THREE = 3;

/**
 * Least mean size of documents outside the sample from which they are reported. Judgement: below, many middle-sized ones
 * explain it, too.
 */
const UNSEEN_MEAN = DOCUMENT_LIMIT_BYTES / 128;

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
      description: 'bytes of a document',
      source: 'judgement: half of the 16 MB limit (MongoDB manual, "Limits and Thresholds")',
    },
    error: {
      default: Math.ceil(0.8 * DOCUMENT_LIMIT_BYTES),
      unit: 'bytes',
      description: 'bytes of a document',
      source: 'judgement: 80 % of the 16 MB limit (MongoDB manual, "Limits and Thresholds")',
    },
  },
  retiredThresholds: ['unseenMean', 'growthErrorDays'],
  judge(subject, { warning, error }): Verdict[] {
    const { largestDocuments } = subject;
    const lines = { info: Infinity, warning, error };
    const growth = growthTowardsLimit(subject.growth);
    if (severityOf(largestDocuments.maximumBytes, lines) !== null)
      return [withGrowthTowardsLimit(seen(subject, lines), growth)];
    const { probe } = largestDocuments;
    return [
      ...(growth !== null && growth.expectedDays <= GROWTH_ERROR_DAYS ? [growing(subject, growth, lines.warning)] : []),
      ...(probe.state === 'cut-short' ? unseen(subject, probe, lines) : []),
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
  const isArray = documents.profile.paths.some(({ path, array }) => path === heaviest?.path && array !== undefined);
  return {
    severity: severityOf(maximumBytes, lines) ?? 'warning',
    confidence: 'high',
    path: null,
    ...(isArray && heaviest !== null && { causedBy: heaviest.path }),
    message:
      `The largest document has ${formatBytes(maximumBytes)}, ${formatShare(maximumBytes / DOCUMENT_LIMIT_BYTES)} of the 16 MB at ` +
      `which writes fail${over > 1 ? `; ${isCounted ? '' : 'at least '}${plural(over, 'document')} have ${formatBytes(lines.warning)} or more` : ''}.` +
      (heaviest === null ? '' : ` \`${heaviest.path}\` makes up ${formatShare(heaviest.share)} of it.`),
    restsOn: [source],
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
    restsOn: growthSourceNames(growth.sources),
    evidence: {
      source: growthSourceNames(growth.sources).join(', '),
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
  return { path: withoutElements(heaviestPath), share: heaviestPathBytes / bytes };
}

type Needs = 'documents' | 'largestDocuments';

/** What the bytes outside the sample are likely to be, if the search for large documents did not finish. */
function unseen(
  { collection, documents, storage, largestDocuments }: Subject<Needs, 'storage'>,
  probe: Extract<LargestDocuments['probe'], { state: 'cut-short' }>,
  lines: SeverityLines,
): Verdict[] {
  const { profile, sample } = documents;
  const { unseenBytes } = largestDocuments;
  const why = probe.detail.replace(/\.?$/, '.');
  const stored = storage === undefined ? null : knownSizes(storage);
  if (unseenBytes === null || stored === null) {
    const what = `Whether ${collection.namespace} holds larger documents outside the sample is unknown`;
    return [{ notJudged: probe.reason, detail: `${what}: ${why}` }];
  }
  const atMost = Math.min(DOCUMENT_LIMIT_BYTES, unseenBytes);
  if (sample.complete || severityOf(atMost, lines) === null) return [];
  const count = Math.ceil((RULE_OF_THREE / profile.documents) * stored.count);
  const atLeast = unseenBytes / Math.max(1, count);
  const isRandom = sample.method !== 'natural-order';
  // Documents as large as the largest in the sample then explain the missing bytes.
  if (isRandom && atLeast <= profile.sizes.max) return [];
  // The rule holds for documents drawn at random.
  if (!isRandom || atLeast < UNSEEN_MEAN) {
    return [
      {
        notJudged: probe.reason,
        detail:
          `${formatBytes(unseenBytes)} are in documents outside the sample, and some of these may have ` +
          `${formatBytes(probe.thresholdBytes)} or more. The search for them was cut short: ${why}`,
      },
    ];
  }
  return [
    {
      severity: severityOf(atLeast, lines) ?? 'warning',
      // With a heavy tail of sizes no bound is safe: the mean of the sample is too low more often than not.
      confidence: 'low',
      path: null,
      message:
        `Documents larger than any in the sample very likely exist. An estimated ${formatBytes(unseenBytes)} are in at most ` +
        `${plural(count, 'document')} outside the sample: on average ${formatBytes(atLeast)} or more, at most ${formatBytes(atMost)} each. ` +
        `Writes fail at 16 MB. The search for them was cut short: ${why}`,
      restsOn: ['sample'],
      evidence: {
        source: 'sample and collStats',
        window: sampleWindow(documents, storage),
        unseenBytes,
        unseenDocumentsAtMost: count,
        meanBytesAtLeast: Math.round(atLeast),
        largestBytesAtMost: atMost,
        largestSeenBytes: profile.sizes.max,
        averageBytes: Math.round(stored.averageDocumentSize),
      },
      remedy: remedyFor(collection.namespace, null, lines.warning),
    },
  ];
}

/** @param ids of all documents of so many bytes, so that nobody needs to search for them; empty if not known */
function remedyFor(namespace: string, path: string | null, bytes: number, ids: readonly string[] = []): Remedy {
  const part = path === null ? 'the part that grows' : `\`${path}\``;
  const size = '{ bytes: { $bsonSize: "$$ROOT" } }';
  const known = `{ _id: { $in: EJSON.parse(${JSON.stringify(`[${ids.join(', ')}]`)}) } }`;
  const searched = `{ $expr: { $gte: [{ $bsonSize: "$$ROOT" }, ${bytes}] } }`;
  return {
    steps: stepsOf(
      ids.length > 0
        ? {
            text: `List the documents of ${formatBytes(bytes)} or more, by their _id.`,
            code: shellStatement(namespace, 'find', known, size),
          }
        : {
            text: `List the documents of ${formatBytes(bytes)} or more. ${SCAN_COST}`,
            code: shellScan(namespace, searched, size),
          },
      `Move ${part} out of these documents: elements of an array to their own collection, with the _id of the parent; files and long ` +
        'texts to GridFS or an object store.',
      'Limit the size of what stays, so that it cannot grow back. Check: the list is empty.',
    ),
  };
}
