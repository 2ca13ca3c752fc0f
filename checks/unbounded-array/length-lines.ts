import type { SeverityLines } from '../../src/judgement/severity-lines.js';
import type { ArrayElements } from '../../src/judgement/arrays/array-elements.js';

/** Lengths from which an array without a bound is reported, in elements, by what it holds. */
export const ARRAY_LENGTH_THRESHOLDS = {
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
} as const;

export type ArrayLengthLimits = Readonly<Record<keyof typeof ARRAY_LENGTH_THRESHOLDS, number>>;

/** The lines for arrays of such elements. */
export function arrayLengthLines({ kind }: Pick<ArrayElements, 'kind'>, limits: ArrayLengthLimits): SeverityLines {
  return kind === 'documents'
    ? { info: limits.embeddedInfo, warning: limits.embeddedWarning, error: limits.embeddedError }
    : { info: limits.elementInfo, warning: limits.elementWarning, error: limits.elementError };
}
