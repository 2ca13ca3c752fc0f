import { defineCheck, type Exempt, type Problem } from '../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../src/format.js';
import { arrayElements, arrayFigures, writeBound } from '../src/judgement/arrays/array-elements.js';
import {
  ARRAYS_FOR_HIGH,
  type ArrayGrade,
  ERROR_BYTES,
  gradeOf,
  type JudgedArray,
} from '../src/judgement/arrays/array-grade.js';
import { arrayRemedy } from '../src/judgement/arrays/array-remedy.js';
import { arrayShape, BOUNDS, FEWEST_ARRAYS, RETIRED_OF_ARRAY_SHAPES } from '../src/judgement/arrays/array-shape.js';
import { arrayTowardsLimit, withGrowthTowardsLimit } from '../src/judgement/arrays/growth-text.js';
import { partReads, partReadsFigures } from '../src/judgement/documents/part-reads.js';
import { bySample, distributionSeverity, seenPart } from '../src/judgement/margins.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { picked } from '../src/plain.js';
import { queryPath, withoutElements } from '../src/profile/path-steps.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';

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
  thresholds: {
    embeddedWarning: {
      default: 200,
      unit: 'elements',
      description: 'embedded documents per array, for a warning; half for an info, five times as many for an error',
      source: 'MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
    },
    elementWarning: {
      default: 1_000,
      unit: 'elements',
      description: 'references or plain values per array, for a warning',
      source: 'fewer than 1,000 in an indexed array: MongoDB manual, "Operations Checklist: Development"',
    },
    giantBytes: {
      default: 1024 * 1024,
      unit: 'bytes',
      description: 'bytes of one array, to report even a few',
      source: 'MongoDB agent skills, "Keep Documents Small"',
    },
  },
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
    const exempt: Exempt[] = [];
    for (const path of paths) {
      const { array } = path;
      // An array in an array lies at `matrix[]`; it is reported with the array that it lies in.
      const name = withoutElements(path.path);
      if (array === undefined || problems.has(name)) continue;
      const elements = arrayElements(path, paths);
      const warning = elements.kind === 'documents' ? limits.embeddedWarning : limits.elementWarning;
      const lines = { info: warning / 2, warning, error: 5 * warning };
      const growing = growth?.arrays.find((one) => one.path === path.path);
      const bound = writeBound(path.path, array, elements, reads, growing);
      const { added = 0, whole = 0 } = reads?.arrayWrites?.find((each) => each.path === queryPath(path.path)) ?? {};
      const judged: JudgedArray = {
        array,
        elements,
        lines,
        giantBytes: limits.giantBytes,
        documents: documents.profile.documents,
        bound,
        written: { added, whole },
        shapeIn: (part) =>
          arrayShape({ ...path, array }, paths, { elements: lines.info, bytes: ERROR_BYTES }, part, bound),
        isInNaturalOrder: documents.sample.method === 'natural-order',
      };
      const found = gradeOf(judged, seen);
      if (found === null) {
        const shape = judged.shapeIn(seen);
        const length = plural(array.lengths.max, 'element');
        if (shape.kind === 'bounded' && distributionSeverity(array.lengths, lines, seen) !== null)
          exempt.push({ path: name, exempt: `up to ${length}: ${BOUNDS[shape.by]}` });
        continue;
      }
      if (found.countedPer === 'document' && [...problems.keys()].some((outer) => name.startsWith(`${outer}[]`)))
        continue;
      const part = partReads(name, reads, warning);
      const place = { collection, path: name, isInArray: path.path !== name, elements, tooLong: warning, reads: part };
      const remedy = arrayRemedy({ ...place, lengths: found.counts, countedPer: found.countedPer });
      const problem: Omit<Problem, 'severity' | 'confidence'> = {
        path: name,
        causedBy: name,
        message: messageOf(name, judged, found),
        restsOn:
          (found.isRewritten ?? found.isInserted) && reads !== undefined
            ? ['sample', SOURCE_NAMES[reads.source]]
            : ['sample'],
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
          steps: found.isInserted
            ? [insertedWhole(name)]
            : [...onlyIf(whole >= RECURRING, partialWrites(name)), ...(found.isRewritten ? [] : remedy.steps)],
        },
      };
      const towards = growing === undefined ? null : arrayTowardsLimit(growing);
      const graded = bySample(seen, (of) => {
        const grade = of === seen ? found : gradeOf(judged, of);
        return grade && withGrowthTowardsLimit({ ...problem, ...picked(grade, ['severity', 'confidence']) }, towards);
      });
      if (graded !== null) problems.set(name, graded);
    }
    return [...problems.values(), ...exempt.filter(({ path }) => !problems.has(path))];
  },
});

/** What to send in place of all elements. */
function partialWrites(path: string) {
  const text = `Send only what changes of \`${path}\`: \`$push\` adds an element, \`$pull\` removes some, arrayFilters change one. A \`$set\` of all elements is sent and stored at full length, and overwrites what others wrote meanwhile.`;
  return { text };
}

/** What is written once does not grow: what it costs is what reads of whole documents return. */
function insertedWhole(path: string) {
  const text = `Leave \`${path}\` as it is while documents are inserted whole and never changed. If an update will add to it, cap the array first, or move the elements to a collection of their own.`;
  return { text };
}

function messageOf(
  name: string,
  { array, elements, lines, written, bound: writes }: JudgedArray,
  grade: ArrayGrade,
): string {
  const { counts, countedPer, dominant, cappedAt } = grade;
  const noun = { documents: 'embedded document', references: 'reference' }[elements.kind as string] ?? 'element';
  const p99 = counts.count >= ARRAYS_FOR_HIGH ? `p99 ${formatCount(counts.p99)}, ` : '';
  const most = `${plural(counts.max, noun)}${countedPer === 'document' ? ' per document' : ''}`;
  const share = formatShare(array.shareOfDocument.mean);
  const isKeptUp = written.added + written.whole >= RECURRING;
  const bound =
    cappedAt !== undefined
      ? `It is capped at ${formatCount(cappedAt)}, beyond the ${formatCount(lines.warning)} from which the literature advises another collection.`
      : counts.count < FEWEST_ARRAYS
        ? `The sample has only ${plural(counts.count, 'such array')}: too few to show a bound.`
        : grade.isInserted && writes?.kind === 'inserted'
          ? `Recorded writes do not add to it: ${plural(writes.inserts, 'insert')}, no update.`
          : 'No visible bound.';
  return [
    `\`${name}\`: median ${formatCount(counts.median)}, ${p99}max ${most} (${formatBytes(array.bytesPerDocument.max)}). ${bound}`,
    ...onlyIf(dominant && !grade.isInserted, `It makes up ${share} of an average document, which grows with it.`),
    ...onlyIf(elements.positions, 'The points of one shape are bounded; a track that is still recorded is not.'),
    ...onlyIf(elements.floats, 'One signal or vector is bounded; a series that is still appended to is not.'),
    ...onlyIf(isKeptUp && written.added > 0, `Recorded writes that add to it: ${formatCount(written.added)}.`),
    ...onlyIf(isKeptUp && written.whole > 0, `Recorded writes that send it whole: ${formatCount(written.whole)}.`),
  ].join(' ');
}
