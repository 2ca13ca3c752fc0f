import {
  type ArrayProfile,
  defineCheck,
  type IndexDescription,
  type PathProfile,
  type RemedyStep,
  type Severity,
  type Verdict,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { formatIndexKey, isIdIndex } from '../src/inventory/index-key.js';
import { arrayShape, elementsPerDocument, RETIRED_OF_ARRAY_SHAPES } from '../src/judgement/arrays/array-shape.js';
import { bySample, lowered, quantileAtLeast, seenPart, type SeenPart, severityOf } from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { ownValue } from '../src/plain.js';
import type { Distribution } from '../src/profile/document-profile.js';
import { fieldName, queryPath, withoutElements } from '../src/profile/path-steps.js';

const NUMERIC: ReadonlySet<string> = new Set(['int', 'long', 'double']);

/** Bytes of an array from which its length does not matter: not so for an index. */
const ANY_BYTES = Infinity;

/** Arrays of the sample below which nothing is concluded. Judgement: the median of fewer is a chance. */
const FEWEST_ARRAYS = 20;

export const largeMultikeyIndex = defineCheck({
  id: 'large-multikey-index',
  title: 'Multikey index on long arrays',
  summary: 'an index on arrays without a bound, to which each insert writes hundreds of keys',
  appliesTo: ['collection'],
  needs: ['documents', 'indexes'],
  uses: ['storage'],
  thresholds: {
    info: {
      default: 100,
      unit: 'elements',
      description: 'elements in the median document',
      source: 'measured on 6.0.5: 100 keys take about a millisecond to insert or delete',
    },
    warning: {
      default: 1_000,
      unit: 'elements',
      description: 'elements in the median document',
      source: 'measured on 6.0.5: about ten milliseconds',
    },
    withArray: {
      default: 0.5,
      unit: 'share',
      description: 'share of documents with the array, at least',
      source: 'judgement: most writes are then of documents without it',
    },
  },
  retiredThresholds: [...RETIRED_OF_ARRAY_SHAPES, 'arrays'],
  judge({ documents, indexes, storage }, { info, warning, withArray }) {
    const { paths } = documents.profile;
    const seen = seenPart(documents, storage);
    return indexes.flatMap((index): Verdict[] => {
      const elements = isWhole(index) ? multikeyElements(index, paths) : null;
      if (elements === null || elements.counts.count < FEWEST_ARRAYS) return [];
      const { profile, counts, mostValues, array } = elements;
      if (profile.documents < withArray * documents.profile.documents) return [];
      const medianIn = (part: SeenPart) => Math.min(quantileAtLeast(counts, 'median', part), mostValues);
      const grade = bySample(seen, (part) => {
        const severity = severityOf(medianIn(part), { info, warning, error: Infinity });
        const shape = arrayShape(profile, paths, { elements: info, bytes: ANY_BYTES }, part);
        if (severity === null || shape.kind === 'bounded') return null;
        return gradeOf(severity, shape.kind === 'unbounded' && shape.isSure);
      });
      if (grade === null) return [];
      const median = medianIn(seen);
      const indexBytes = ownValue(storage?.indexSizes ?? {}, index.name);
      return [
        {
          ...grade,
          path: index.name,
          causedBy: array,
          message:
            `Index \`${index.name}\` on ${formatIndexKey(index.key)} has a key for each element of \`${array}\`, equal ones aside: ` +
            `half of the documents have ${formatCount(median)} elements or more, max ${formatCount(counts.max)}. Each insert and delete of one writes all of its keys.`,
          restsOn: ['sample'],
          evidence: {
            source: 'listIndexes and sample',
            window: sampleWindow(documents, storage),
            key: { ...index.key },
            medianElementsAtLeast: median,
            mostElements: counts.max,
            arrays: counts.count,
            ...(indexBytes !== undefined && { indexBytes }),
          },
          remedy: { steps: remedySteps(index, elements) },
        },
      ];
    });
  },
});

/** Others hold a part of the documents, or keys of their own. */
function isWhole(index: IndexDescription): boolean {
  return !isIdIndex(index) && index.partialFilterExpression === undefined && index.building !== true;
}

function gradeOf(severity: Severity, isSure: boolean): { severity: Severity; confidence: 'high' | 'medium' } {
  return isSure ? { severity, confidence: 'high' } : { severity: lowered(severity) ?? 'info', confidence: 'medium' };
}

function remedySteps(index: IndexDescription, { array, counts }: MultikeyElements): RemedyStep[] {
  const name = fieldName(array);
  return stepsOf(
    `Move the elements of \`${array}\` into documents of their own, each with the \`_id\` of its parent, and index the same field there. Each of them then writes one key.`,
    `If queries search the newest elements only, keep these in \`${name}\` with \`$push\`, \`$each\` and \`$slice\`, and the others in a collection of their own.`,
    `Once no query searches \`${array}\`, hide \`${index.name}\`, and drop it after a full cycle of the application's jobs. It frees ${plural(Math.round(counts.mean), 'key')} per document on average, equal ones aside.`,
  );
}

type ArrayPath = PathProfile & { readonly array: ArrayProfile };

/** The array that makes an index multikey, with an entry for each different value that a document's elements have. */
interface MultikeyElements {
  /** As in the profile, without the mark of its elements. */
  readonly array: string;
  readonly profile: ArrayPath;
  /** Elements per document, of those that hold the array. */
  readonly counts: Distribution;
  /** The most values that the elements of a document can have by their type and range; Infinity if these do not say. */
  readonly mostValues: number;
}

/** By the field of the index with the most elements; null without an array whose elements may all differ. */
function multikeyElements(
  { key }: Pick<IndexDescription, 'key'>,
  paths: readonly PathProfile[],
): MultikeyElements | null {
  const found = Object.entries(key).flatMap(([field, kind]): MultikeyElements[] => {
    const profile = typeof kind === 'number' ? innermostArray(field, paths) : null;
    const mostValues = profile === null ? 0 : mostValuesOf(field, profile, paths);
    if (profile === null || mostValues === 0) return [];
    const isNested = profile.path.includes('[]');
    const counts = isNested ? elementsPerDocument(profile.array) : profile.array.lengths;
    return [{ array: withoutElements(profile.path), profile, counts, mostValues }];
  });
  return found.toSorted((one, other) => other.counts.median - one.counts.median)[0] ?? null;
}

function innermostArray(field: string, paths: readonly PathProfile[]): ArrayPath | null {
  const onTheWay = paths.flatMap((each) => {
    const { array } = each;
    const path = queryPath(each.path);
    return array !== undefined && (field === path || field.startsWith(`${path}.`)) ? [{ ...each, array }] : [];
  });
  return onTheWay.toSorted((one, other) => other.path.length - one.path.length)[0] ?? null;
}

/** Texts and truth values beside others in an element are of a few kinds most often: 0, as they can't be counted. */
function mostValuesOf(field: string, array: PathProfile, paths: readonly PathProfile[]): number {
  if (queryPath(array.path) === field) {
    const values = paths.find(({ path }) => path === `${array.path}[]`);
    return values === undefined ? 0 : byRange(values);
  }
  const values = paths.find(({ path }) => queryPath(path) === field && path.startsWith(`${array.path}[]`));
  const types = Object.keys(values?.types ?? {});
  const isOfFew = types.some((type) => type === 'string' || type === 'bool' || type === 'null');
  // Elements without the field have one entry together.
  return values === undefined || isOfFew || values.presence < 1 ? 0 : byRange(values);
}

function byRange({ types, values }: PathProfile): number {
  const { numbers } = values ?? {};
  const isOfNumbers = Object.keys(types).every((type) => NUMERIC.has(type));
  if (numbers === undefined || !isOfNumbers || numbers.whole < numbers.count) return Infinity;
  return numbers.max - numbers.min + 1;
}
