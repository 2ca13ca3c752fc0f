import {
  type ArrayProfile,
  type Collection,
  defineCheck,
  type DocumentProfile,
  type LargestDocuments,
  type Problem,
  type RemedyStep,
} from '../src/check.js';
import { formatBytes, formatCount } from '../src/format.js';
import { partReads, partReadsAdvice, partReadsFigures } from '../src/judgement/documents/part-reads.js';
import {
  bySample,
  largestAtLeast,
  quantileAtMost,
  seenPart,
  type SeenPart,
  severityOf,
} from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { SCAN_COST, shellScan } from '../src/judgement/shell-statement.js';
import { withoutElements } from '../src/profile/path-steps.js';

/** Few are at most one in twenty. */
const UNIFORM_REST: Rest = { quantile: 'p95', deviations: 1.645 };

/**
 * The random cursor returns large documents too often: the mean of its samples was up to nine times that of the collection
 * (measured on 6.0.5). So "few" may be one in ten of the sample.
 */
const RANDOM_CURSOR_REST: Rest = { quantile: 'p90', deviations: 1.282 };

/** Sizes vary by some per cent even if their spread is narrow. In logarithms. */
const LEAST_DEVIATION = 0.05;

/** Sampled documents from which a finding is of high confidence. */
const DOCUMENTS_FOR_HIGH = 100;

/**
 * Standard deviations of the logarithm of sizes beyond which a document is not part of the tail. Judgement: one in three
 * million.
 */
const DEVIATIONS = 5;

/** Sampled documents below which the collection is not judged: the 95th percentile of fewer is the largest document itself. */
const FEWEST_SAMPLED = 20;

export const outlierDocument = defineCheck({
  id: 'outlier-document',
  title: 'Outlier documents',
  explainedBy: ['oversized-document'],
  summary: 'a few documents far larger than all the others',
  appliesTo: ['collection'],
  needs: ['documents', 'largestDocuments'],
  uses: ['storage', 'reads'],
  thresholds: {
    info: {
      default: 256 * 1024,
      unit: 'bytes',
      description: 'bytes of the largest document',
      source: 'judgement: eight leaf pages of the storage engine (32 KB: SERVER-16182); smaller ones cost little',
    },
    warning: {
      default: 2 * 1024 * 1024,
      unit: 'bytes',
      description: 'bytes of the largest document',
      source: 'judgement: an eighth of the 16 MB limit (MongoDB manual, "Limits and Thresholds")',
    },
    timesTheRest: {
      default: 10,
      unit: 'ratio',
      description: 'multiple of the 95th percentile of sizes that makes an outlier (the 90th with a random cursor)',
      source: 'judgement: what fits the rest, such as a page size, is wrong for it by an order of magnitude',
    },
  },
  retiredThresholds: ['deviations', 'documents'],
  judge({ collection, documents, storage, largestDocuments, reads }, limits) {
    const { profile, sample } = documents;
    const { sizes } = profile;
    const largest = Math.max(sizes.max, largestDocuments.maximumBytes);
    const lines = { info: limits.info, warning: limits.warning, error: Infinity };
    if (severityOf(largest, lines) === null || profile.documents < FEWEST_SAMPLED) return [];
    const rest = sample.method === 'random-cursor' ? RANDOM_CURSOR_REST : UNIFORM_REST;
    const nearlyAll = sizes[rest.quantile];
    if (!isOutlier(largest, nearlyAll, sizes.median, rest, limits)) return [];
    const seen = seenPart(documents, storage);
    const gradeOf = (part: SeenPart): Pick<Problem, 'severity' | 'confidence'> => {
      const found = largestDocuments.source === 'probe' ? largestDocuments.maximumBytes : largestAtLeast(sizes, part);
      const isSure = isOutlier(found, quantileAtMost(sizes, rest.quantile, part), sizes.median, rest, limits);
      if (!isSure) return { severity: 'info', confidence: 'low' };
      const confidence = profile.documents >= DOCUMENTS_FOR_HIGH ? 'high' : 'medium';
      return { severity: severityOf(found, lines) ?? 'info', confidence };
    };
    const heaviest = heaviestInLargest(profile, largest, limits.timesTheRest);
    const array = profile.paths.find(({ path }) => path === heaviest)?.array;
    const part = heaviest === null ? null : partReads(heaviest, reads, array?.lengths.p90 ?? Infinity);
    const share = rest.quantile === 'p95' ? '95 %' : '90 %';
    return [
      {
        ...bySample(seen, gradeOf),
        path: null,
        ...(array !== undefined && heaviest !== null && { causedBy: heaviest }),
        message:
          `A few documents are far larger than the others: ${share} of the sample have at most ${formatBytes(nearlyAll)}. The ` +
          `largest has ${formatBytes(largest)}, about ${formatCount(Number((largest / nearlyAll).toPrecision(2)))} times as much.` +
          (heaviest === null ? '' : ` Most of it is \`${heaviest}\`.`),
        restsOn: ['sample'],
        evidence: {
          source: largest > sizes.max ? 'sample and probe' : 'sample',
          window: sampleWindow(documents, storage),
          median: sizes.median,
          [rest.quantile]: nearlyAll,
          p99: sizes.p99,
          largestBytes: largest,
          ...outliersSeen(profile, largestDocuments, limits.timesTheRest * nearlyAll),
          heaviestPath: heaviest,
          ...(part !== null && { reads: partReadsFigures(part) }),
          distribution: { unit: 'bytes', buckets: [...sizes.buckets] },
        },
        remedy: {
          steps: [
            ...(heaviest === null || part === null ? [] : [{ text: partReadsAdvice(heaviest, part) }]),
            ...remedySteps(array, heaviest, collection, Math.ceil(limits.timesTheRest * nearlyAll)),
          ],
        },
      },
    ];
  },
});

function outliersSeen(
  { documents }: DocumentProfile,
  { sizes }: LargestDocuments,
  line: number,
): Record<string, number> {
  const seen = sizes.filter((bytes) => bytes >= line).length;
  // Only the largest have their sizes kept.
  return seen < sizes.length || sizes.length === documents ? { outliersSeen: seen } : { outliersSeenAtLeast: seen };
}

/**
 * What makes the largest document large: an array of far more elements than others have, or else the heaviest path. Null if
 * the probe found the document: it measures documents, but does not profile them.
 */
function heaviestInLargest({ largest, paths }: DocumentProfile, bytes: number, timesTheRest: number): string | null {
  if (largest.bytes < bytes || largest.heaviestPath === null) return null;
  const heaviest = withoutElements(largest.heaviestPath);
  const around = paths.filter(({ path, array }) => heaviest.startsWith(`${path}[]`) && array !== undefined);
  const long = around.filter(
    ({ array }) => array !== undefined && array.lengths.max >= timesTheRest * Math.max(1, array.lengths.median),
  );
  const longest = long.toSorted((one, other) => (other.array?.lengths.max ?? 0) - (one.array?.lengths.max ?? 0))[0];
  return longest === undefined ? heaviest : withoutElements(longest.path);
}

/** The quantile of "nearly all documents", and its standard deviations above the mean in a normal distribution. */
interface Rest {
  readonly quantile: 'p90' | 'p95';
  readonly deviations: number;
}

function isOutlier(
  bytes: number,
  nearlyAll: number,
  median: number,
  rest: Rest,
  limits: { readonly timesTheRest: number },
): boolean {
  const deviation = Math.max(LEAST_DEVIATION, Math.log(nearlyAll / median) / rest.deviations);
  return bytes >= limits.timesTheRest * nearlyAll && Math.log(bytes / median) / deviation >= DEVIATIONS;
}

function remedySteps(
  array: ArrayProfile | undefined,
  heaviest: string | null,
  { name, namespace }: Collection,
  bytes: number,
): RemedyStep[] {
  return [
    {
      text: `List the outliers, of ${formatBytes(bytes)} or more. ${SCAN_COST}`,
      code: shellScan(
        namespace,
        `{ $expr: { $gte: [{ $bsonSize: "$$ROOT" }, ${bytes}] } }`,
        '{ bytes: { $bsonSize: "$$ROOT" } }',
      ),
    },
    { text: array === undefined ? movingText(heaviest, name) : overflowText(array, heaviest, name) },
    {
      text: 'Set hasOverflow: true on the first document, so that only the outliers need a second read. Check: the list is empty.',
    },
  ];
}

function movingText(heaviest: string | null, collection: string): string {
  const part = heaviest === null ? 'what makes these documents large' : `\`${heaviest}\` of these documents`;
  return (
    `Use the outlier pattern: move ${part} out of ${collection}. Files and long texts belong in GridFS or an object store, the rest in ` +
    'an overflow document with the _id of the first.'
  );
}

function overflowText(array: ArrayProfile, heaviest: string | null, collection: string): string {
  return (
    `Use the outlier pattern: keep at most ${formatCount(array.lengths.p90)} elements of \`${heaviest}\` in a document (90 % of the ` +
    `arrays have no more). Move further elements to overflow documents of ${collection}, with the _id of the first document.`
  );
}
