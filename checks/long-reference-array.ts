import { defineCheck, type Confidence, type Problem } from '../src/check.js';
import { formatBytes, formatCount, plural } from '../src/format.js';
import { arrayElements, arrayFigures } from '../src/judgement/arrays/array-elements.js';
import { arrayRemedy } from '../src/judgement/arrays/array-remedy.js';
import { arrayShape } from '../src/judgement/arrays/array-shape.js';
import { partReads, partReadsFigures } from '../src/judgement/documents/part-reads.js';
import { bySample, distributionSeverity, seenPart } from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { withoutElements } from '../src/profile/path-steps.js';

/** Arrays from which a finding is of high confidence. A single long array is a fact too, but not a habit. */
const ARRAYS_FOR_HIGH = 20;
/** Share of references from which an array is one of references. */
const NEARLY_ALL = 0.95;

export const longReferenceArray = defineCheck({
  id: 'long-reference-array',
  title: 'Long array of references',
  summary: 'an array of thousands of ObjectIds, UUIDs or DBRefs that point to other documents',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage', 'reads'],
  thresholds: {
    warning: {
      default: 2_000,
      unit: 'elements',
      description: 'references per array (an info if few arrays reach it)',
      source: 'judgement: "a few thousand" begins here; such an array has some 40 KB',
    },
    error: {
      default: 5_000,
      unit: 'elements',
      description: 'references per array (a warning if few arrays reach it)',
      source: '"more than a few thousand": MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
    },
  },
  judge({ collection, documents, storage, reads }, { warning, error }) {
    const { paths } = documents.profile;
    const seen = seenPart(documents, storage);
    return paths.flatMap((path): Problem[] => {
      const { array } = path;
      if (array === undefined) return [];
      const elements = arrayElements(path, paths);
      const shape = arrayShape({ ...path, array }, paths, { elements: warning, bytes: Infinity }, seen);
      const isBounded = shape.kind === 'bounded';
      const grade = bySample(seen, (part) => {
        const byLength = distributionSeverity(array.lengths, { info: Infinity, warning, error }, part);
        // An array that can't grow further is a cost, not a danger.
        return byLength?.severity === 'error' && isBounded ? { ...byLength, severity: 'warning' } : byLength;
      });
      if (grade === null || elements.kind !== 'references' || elements.share < NEARLY_ALL) return [];
      const { lengths, bytesPerDocument } = array;
      const { byExtremesOnly, ...severities } = grade;
      const confidence: Confidence = lengths.count >= ARRAYS_FOR_HIGH && !byExtremesOnly ? 'high' : 'medium';
      const name = withoutElements(path.path);
      const part = partReads(name, reads, warning);
      return [
        {
          ...severities,
          confidence,
          path: name,
          causedBy: name,
          message:
            `\`${name}\`: median ${formatCount(lengths.median)}, p99 ${formatCount(lengths.p99)}, max ${plural(lengths.max, 'reference')} ` +
            `(${formatBytes(bytesPerDocument.max)} in one document). Every read of a document, and every write to it, moves them all.`,
          restsOn: ['sample'],
          evidence: {
            source: 'sample',
            window: sampleWindow(documents, storage),
            ...arrayFigures(array, elements, lengths),
            bounded: isBounded,
            ...(part !== null && { reads: partReadsFigures(part) }),
          },
          remedy: arrayRemedy({
            collection,
            path: name,
            isInArray: path.path !== name,
            elements,
            lengths,
            countedPer: 'array',
            tooLong: warning,
            reads: part,
          }),
        },
      ];
    });
  },
});
