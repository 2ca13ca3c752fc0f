import {
  ARRAY_SHAPE_THRESHOLDS,
  DOCUMENT_LIMIT_BYTES,
  GROWTH_THRESHOLDS,
  arrayElements,
  arrayFigures,
  arrayRemedy,
  arrayShape,
  arrayTowardsLimit,
  distributionSeverity,
  formatBytes,
  formatCount,
  formatShare,
  partReads,
  partReadsFigures,
  plural,
  sampleWindow,
  withGrowthTowardsLimit,
  type ArrayElements,
  type SeverityLines,
  type UnboundedShape,
} from '../src/helpers.js';
import {
  defineCheck,
  type ArrayProfile,
  type Confidence,
  type Problem,
  type DocumentSample,
  type Severity,
  type ThresholdValues,
} from '../src/check.js';

const thresholds = {
  embeddedInfo: {
    default: 100,
    unit: 'elements',
    description: 'embedded documents per array from which an info is given',
    source: 'judgement: half of the limit in the literature',
  },
  embeddedWarning: {
    default: 200,
    unit: 'elements',
    description: 'embedded documents per array from which a warning is given',
    source: '"a couple of hundred": MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
  },
  embeddedError: {
    default: 1_000,
    unit: 'elements',
    description: 'embedded documents per array from which an error is given',
    source: 'judgement: five times the limit in the literature; a multikey index then has 1,000 keys per document',
  },
  elementInfo: {
    default: 500,
    unit: 'elements',
    description: 'references or plain values per array from which an info is given',
    source: 'judgement: half of the warning',
  },
  elementWarning: {
    default: 1_000,
    unit: 'elements',
    description: 'references or plain values per array from which a warning is given',
    source: 'MongoDB manual, "Operations Checklist: Development": indexed arrays of fewer than 1,000 elements',
  },
  elementError: {
    default: 5_000,
    unit: 'elements',
    description: 'references or plain values per array from which an error is given',
    source: '"more than a few thousand": MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
  },
  errorBytes: {
    default: DOCUMENT_LIMIT_BYTES / 4,
    unit: 'bytes',
    description: 'bytes of the array in one document from which an error is given, regardless of its length',
    source: 'judgement: a quarter of the 16 MB that a document may have (MongoDB manual, "Limits and Thresholds")',
  },
  ...GROWTH_THRESHOLDS,
  ...ARRAY_SHAPE_THRESHOLDS,
} as const;

type Limits = ThresholdValues<typeof thresholds>;

/** Arrays from which a finding can be trusted at all, and in full. */
const ARRAYS_FOR_MEDIUM = 20;
const ARRAYS_FOR_HIGH = 100;

export const unboundedArray = defineCheck({
  id: 'unbounded-array',
  title: 'Unbounded array',
  summary: 'an array with no visible bound: a heavy tail of lengths, or most of a document that grows with it',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage', 'growth', 'reads'],
  thresholds,
  judge({ collection, documents, storage, growth, reads }, limits) {
    const { paths } = documents.profile;
    const problems = new Map<string, Problem>();
    for (const path of paths) {
      const { array } = path;
      // An array in an array lies at `matrix[]`; it is reported with the array that it lies in.
      const name = path.path.replace(/(?:\[\])+$/, '');
      if (array === undefined || problems.has(name)) continue;
      const elements = arrayElements(path, paths);
      const lines = linesFor(elements, limits);
      const shape = arrayShape({ ...path, array }, paths, { elements: lines.info, bytes: limits.errorBytes }, limits);
      const found = shape.kind === 'unclear' ? giantAmongFew(array, elements, limits) : shape;
      if (found?.kind !== 'unbounded') continue;
      if (found.countedPer === 'document' && [...problems.keys()].some((outer) => name.startsWith(`${outer}[]`)))
        continue;
      const part = partReads(name, reads, lines.warning);
      const problem: Problem = {
        ...gradeOf(array, elements, found, limits, documents.sample.method),
        path: name,
        message: messageOf(name, array, elements, found, limits),
        evidence: {
          source: 'sample',
          window: sampleWindow(documents, storage),
          ...arrayFigures(array, elements, found.counts, found.countedPer),
          heavyTail: found.heavyTail,
          dominant: found.dominant,
          ...(part !== null && { reads: partReadsFigures(part) }),
        },
        remedy: arrayRemedy({
          collection,
          path: name,
          isInArray: path.path !== name,
          elements,
          lengths: found.counts,
          countedPer: found.countedPer,
          tooLong: lines.warning,
          reads: part,
        }),
      };
      const growing = growth?.arrays.find((one) => one.path === path.path);
      problems.set(
        name,
        withGrowthTowardsLimit(
          problem,
          growing === undefined ? null : arrayTowardsLimit(growing),
          limits.growthErrorDays,
        ),
      );
    }
    return [...problems.values()];
  },
});

function linesFor({ kind }: ArrayElements, limits: Limits): SeverityLines {
  return kind === 'documents'
    ? { info: limits.embeddedInfo, warning: limits.embeddedWarning, error: limits.embeddedError }
    : { info: limits.elementInfo, warning: limits.elementWarning, error: limits.elementError };
}

/** A few arrays can't show a shape. A giant that makes up most of its document does not need to. */
function giantAmongFew(array: ArrayProfile, elements: ArrayElements, limits: Limits): UnboundedShape | null {
  const { lengths, shareOfDocument } = array;
  const isGiant =
    lengths.count < limits.shapeArrays &&
    (elements.kind === 'documents' || elements.kind === 'references') &&
    lengths.max >= linesFor(elements, limits).error &&
    shareOfDocument.max >= limits.dominantShare;
  return isGiant ? { kind: 'unbounded', heavyTail: false, dominant: true, counts: lengths, countedPer: 'array' } : null;
}

function gradeOf(
  { bytesPerDocument }: ArrayProfile,
  elements: ArrayElements,
  { counts, dominant }: UnboundedShape,
  limits: Limits,
  method: DocumentSample['method'],
): { severity: Severity; confidence: Confidence } {
  const byLength = distributionSeverity(counts, linesFor(elements, limits));
  const severity = bytesPerDocument.max >= limits.errorBytes ? 'error' : (byLength?.severity ?? 'info');
  // The outline of one thing, or one recording, ends at some length. Only measured growth could show otherwise.
  if (elements.positions) return { severity: 'info', confidence: 'low' };
  if (elements.floats) return { severity: 'info', confidence: counts.count < ARRAYS_FOR_MEDIUM ? 'low' : 'medium' };
  // So few arrays may be test data: no reason to fail a build.
  if (counts.count < ARRAYS_FOR_MEDIUM)
    return { severity: severity === 'error' ? 'warning' : severity, confidence: 'low' };
  const isStrong = dominant || counts.p99 >= 2 * limits.tailRatio * Math.max(1, counts.median);
  const isCommon = counts.count >= ARRAYS_FOR_HIGH && byLength?.byExtremesOnly === false;
  return { severity, confidence: isStrong && isCommon && method !== 'natural-order' ? 'high' : 'medium' };
}

function messageOf(
  name: string,
  { bytesPerDocument, shareOfDocument }: ArrayProfile,
  { kind, positions, floats }: ArrayElements,
  { counts, countedPer, dominant }: UnboundedShape,
  limits: Limits,
): string {
  const noun = { documents: 'embedded document', references: 'reference' }[kind as string] ?? 'element';
  const share = formatShare(shareOfDocument.mean);
  const size = formatBytes(bytesPerDocument.max);
  if (counts.count < limits.shapeArrays) {
    const seen = counts.count === 1 ? 'the only array' : `one of only ${formatCount(counts.count)} arrays`;
    return (
      `\`${name}\` holds ${plural(counts.max, noun)} (${size}), ${share} of the document. It is ${seen} in the sample: too few to ` +
      'show a bound.'
    );
  }
  const p99 = counts.count >= ARRAYS_FOR_HIGH ? `p99 ${formatCount(counts.p99)}, ` : '';
  const per = countedPer === 'document' ? ' per document' : '';
  const sentences = [
    `\`${name}\`: median ${formatCount(counts.median)}, ${p99}max ${plural(counts.max, noun)}${per} (${size}). No visible bound.`,
    ...(dominant ? [`It makes up ${share} of an average document, which grows with it.`] : []),
    ...(positions ? ['The points of one shape are bounded; a track that is still recorded is not.'] : []),
    ...(floats && !positions ? ['One signal or vector is bounded; a series that is still appended to is not.'] : []),
  ];
  return sentences.join(' ');
}
