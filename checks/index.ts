import type { AnyCheck } from '../src/check.js';
import { bloatedDocument } from './bloated-document.js';
import { deepNesting } from './deep-nesting.js';
import { dynamicFieldNames } from './dynamic-field-names.js';
import { longReferenceArray } from './long-reference-array.js';
import { outlierDocument } from './outlier-document.js';
import { oversizedDocument } from './oversized-document.js';
import { unboundedArray } from './unbounded-array.js';

/** The checks that mongolint has built in, in the order in which they run and are listed. */
export const builtInChecks: readonly AnyCheck[] = [
  unboundedArray,
  longReferenceArray,
  oversizedDocument,
  bloatedDocument,
  outlierDocument,
  deepNesting,
  dynamicFieldNames,
];
