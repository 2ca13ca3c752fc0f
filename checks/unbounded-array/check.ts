import {
  defineCheck,
  type ArrayProfile,
  type Collection,
  type Confidence,
  type Problem,
  type DocumentSample,
  type Exempt,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../../src/check.js';
import { inWords, plural } from '../../src/format.js';
import { arrayElements, type ArrayElements } from '../../src/judgement/arrays/array-elements.js';
import { arrayFigures } from '../../src/judgement/arrays/array-figures.js';
import { arrayRemedy } from '../../src/judgement/arrays/array-remedy.js';
import { arrayShape, RETIRED_OF_ARRAY_SHAPES, TAIL_RATIO } from '../../src/judgement/arrays/array-shape.js';
import { arrayTowardsLimit, withGrowthTowardsLimit } from '../../src/judgement/arrays/growth-towards-limit.js';
import { writeBound } from '../../src/judgement/arrays/write-bound.js';
import { partReads, partReadsFigures } from '../../src/judgement/documents/part-reads.js';
import { largestAtLeast, quantileAtLeast, seenPart, type SeenPart } from '../../src/judgement/margins.js';
import { RECURRING } from '../../src/judgement/queries/query-thresholds.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { bySample, distributionSeverity, lowered } from '../../src/judgement/severity-lines.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { isQueryable, queryPath, withoutElements } from '../../src/profile/path-steps.js';
import { DOCUMENT_LIMIT_BYTES } from '../../src/profile/server-limits.js';
import { SOURCE_NAMES } from '../../src/workload/coverage/source-window.js';
import type { CollectionReads } from '../../src/workload/reads/collection-reads.js';
import { ARRAYS_FOR_HIGH, exemptText, messageOf } from './array-text.js';
import {
  ARRAY_LENGTH_THRESHOLDS,
  arrayLengthLines,
  faultyArrayShape,
  type FaultyArrayShape,
} from './faulty-array-shape.js';

const thresholds = {
  ...ARRAY_LENGTH_THRESHOLDS,
  giantBytes: {
    default: 1024 * 1024,
    unit: 'bytes',
    description: 'bytes of the array in one document from which it is a fault, though there are few such arrays',
    source: '"aim for documents under 1MB": MongoDB agent skills, "Keep Documents Small"',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

/** Bytes of the array in one document from which an error is given, regardless of its length: a quarter of 16 MB. Judgement. */
const ERROR_BYTES = DOCUMENT_LIMIT_BYTES / 4;

/** Arrays from which a finding can be trusted at all. */
const ARRAYS_FOR_MEDIUM = 20;

/**
 * An array longer than the lines is a finding unless something bounds it: its lengths, fields beside it, or recorded writes. Few
 * arrays, and what a sample does not show for sure, are an info; a cap far beyond the lines is one step less.
 */
export const unboundedArray = defineCheck({
  id: 'unbounded-array',
  title: 'Unbounded array',
  summary: 'an array with no visible bound: a heavy tail of lengths, or most of a document that grows with it',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage', 'growth', 'reads'],
  lostByPseudonyms: 'arrays of coordinates, such as `lat` and `lng`, were not recognized and may be reported.',
  thresholds,
  retiredThresholds: [
    ...RETIRED_OF_ARRAY_SHAPES,
    'embeddedInfo',
    'embeddedError',
    'elementInfo',
    'elementError',
    'errorBytes',
    'recordedWrites',
    'growthErrorDays',
  ],
  judge({ collection, documents, storage, growth, reads }, limits) {
    const { paths } = documents.profile;
    const seen = seenPart(documents, storage);
    const problems = new Map<string, Problem>();
    const exempt = new Map<string, Exempt>();
    for (const path of paths) {
      const { array } = path;
      // An array in an array lies at `matrix[]`; it is reported with the array that it lies in.
      const name = withoutElements(path.path);
      if (array === undefined || problems.has(name)) continue;
      const elements = arrayElements(path, paths);
      const lines = arrayLengthLines(elements, limits);
      const long = { elements: lines.info, bytes: ERROR_BYTES };
      const growing = growth?.arrays.find((one) => one.path === path.path);
      const writes = writeBound(path.path, array, elements, reads, growing?.oplog ?? null);
      const written = writtenOpenly(path.path, reads);
      const shapeIn = (part: SeenPart) => arrayShape({ ...path, array }, paths, long, part, writes);
      const shape = shapeIn(seen);
      const isRewritten = written.whole >= RECURRING;
      const faultyIn = (of: SeenPart) =>
        faultyArrayShape(array, elements, shapeIn(of), limits, of, writes, isRewritten);
      const found = faultyIn(seen);
      if (found === null) {
        if (shape.kind === 'bounded' && distributionSeverity(array.lengths, lines, seen) !== null)
          exempt.set(name, { path: name, exempt: exemptText(array, elements.kind, shape.by, writes) });
        continue;
      }
      if (found.countedPer === 'document' && [...problems.keys()].some((outer) => name.startsWith(`${outer}[]`)))
        continue;
      const part = partReads(name, reads, lines.warning);
      const remedy = arrayRemedy({
        collection,
        path: name,
        isInArray: path.path !== name,
        elements,
        lengths: found.counts,
        countedPer: found.countedPer,
        tooLong: lines.warning,
        reads: part,
      });
      const problem: Omit<Problem, 'severity' | 'confidence'> = {
        path: name,
        causedBy: name,
        message: messageOf(name, array, elements, found, limits) + writtenText(written),
        restsOn:
          found.isRewritten === true && reads !== undefined ? ['sample', SOURCE_NAMES[reads.source]] : ['sample'],
        evidence: {
          source: 'sample',
          window: sampleWindow(documents, storage),
          ...arrayFigures(array, elements, found.counts, found.countedPer),
          ...(found.cappedAt !== undefined && { cappedAt: found.cappedAt }),
          heavyTail: found.heavyTail,
          dominant: found.dominant,
          ...(part !== null && { reads: partReadsFigures(part) }),
        },
        remedy: {
          steps: [
            ...(isRewritten ? [partialWriteStep(collection, name)] : []),
            ...(found.isRewritten === true ? [] : remedy.steps),
          ],
        },
      };
      const towards = growing === undefined ? null : arrayTowardsLimit(growing);
      const graded = bySample(seen, (of) => {
        const faulty = of === seen ? found : faultyIn(of);
        if (faulty === null) return null;
        const grade = gradeOf(array, elements, faulty, limits, of, documents.sample.method, written);
        return withGrowthTowardsLimit({ ...grade, ...problem }, towards);
      });
      if (graded !== null) problems.set(name, graded);
    }
    const excused = [...exempt].filter(([name]) => !problems.has(name)).map(([, each]) => each);
    return [...problems.values(), ...excused];
  },
});

function gradeOf(
  { bytesPerDocument }: ArrayProfile,
  elements: ArrayElements,
  { counts, dominant, isSure, cappedAt, isRewritten }: FaultyArrayShape,
  limits: Limits,
  seen: SeenPart,
  method: DocumentSample['method'],
  written: OpenWrites,
): { severity: Severity; confidence: Confidence } {
  const byLength = distributionSeverity(counts, arrayLengthLines(elements, limits), seen);
  if (cappedAt !== undefined) return { severity: lowered(byLength?.severity ?? null) ?? 'info', confidence: 'medium' };
  if (isRewritten) return { severity: 'info', confidence: 'medium' };
  const largest = largestAtLeast(bytesPerDocument, seen);
  const byDocument = largest >= ERROR_BYTES ? 'error' : (byLength?.severity ?? 'info');
  const severity = byDocument === 'info' && isKeptUp(written) ? 'warning' : byDocument;
  // The outline of one thing, or one recording, ends at some length. Only measured growth could show otherwise.
  if (elements.positions) return { severity: 'info', confidence: 'low' };
  if (elements.floats) return { severity: 'info', confidence: counts.count < ARRAYS_FOR_MEDIUM ? 'low' : 'medium' };
  if (!isSure) return { severity: 'info', confidence: 'low' };
  // So few arrays may be test data: no reason to fail a build. Megabytes in one array are a fault, however few there are.
  if (counts.count < ARRAYS_FOR_MEDIUM)
    return largest >= limits.giantBytes
      ? { severity: lowered(severity) ?? 'info', confidence: 'medium' }
      : { severity: 'info', confidence: 'low' };
  const surelyLong = quantileAtLeast(counts, 'p99', seen);
  const isStrong = dominant || surelyLong >= 2 * TAIL_RATIO * Math.max(1, counts.median);
  const isCommon = counts.count >= ARRAYS_FOR_HIGH && byLength?.byExtremesOnly === false;
  return { severity, confidence: isStrong && isCommon && method !== 'natural-order' ? 'high' : 'medium' };
}

/** Executions of recorded writes: proof that the array grows, or that each of them pays for its length. */
interface OpenWrites {
  readonly added: number;
  readonly whole: number;
}

function writtenOpenly(path: string, reads: CollectionReads | undefined): OpenWrites {
  const { added = 0, whole = 0 } = reads?.arrayWrites?.find((each) => each.path === queryPath(path)) ?? {};
  return { added, whole };
}

const isKeptUp = ({ added, whole }: OpenWrites) => added + whole >= RECURRING;

function writtenText(written: OpenWrites): string {
  if (!isKeptUp(written)) return '';
  const { added, whole } = written;
  const parts = [
    ...(added > 0 ? [`${plural(added, 'recorded write')} ${added === 1 ? 'adds' : 'add'} to it`] : []),
    ...(whole > 0 ? [`${plural(whole, 'recorded write')} ${whole === 1 ? 'sends' : 'send'} it whole`] : []),
  ];
  return ` ${inWords(parts)}.`;
}

/** What to send in place of all elements. */
function partialWriteStep({ namespace }: Pick<Collection, 'namespace'>, path: string): RemedyStep {
  const update = `{ $pull: { ${JSON.stringify(path)}: <condition of an element> } }`;
  return {
    text: `Send only what changes of \`${path}\`: \`$push\` adds an element, \`$pull\` removes some, arrayFilters change one. A \`$set\` of all elements is sent and stored at full length, and overwrites what others wrote meanwhile.`,
    ...(isQueryable(path) &&
      !path.includes('[]') && { code: shellStatement(namespace, 'updateOne', '<filter>', update) }),
  };
}
