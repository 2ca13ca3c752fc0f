/** Judgements that several checks share, for checks from plugins as well. */
export { arrayElements, NUMERIC_TYPES, type ArrayElements, type ElementKind } from './array-elements.js';
export { arrayFigures } from './array-figures.js';
export { arrayRemedy, type ArrayToBound } from './array-remedy.js';
export {
  ARRAY_SHAPE_LIMITS,
  ARRAY_SHAPE_THRESHOLDS,
  arrayShape,
  elementsPerDocument,
  type ArrayBound,
  type ArrayShape,
  type ArrayShapeLimits,
  type LongArray,
  type UnboundedShape,
} from './array-shape.js';
export { collectionFamilies, type CollectionFamily } from './collection-families.js';
export { convertingUpdate, isConvertible } from './converting-update.js';
export { documentSchema, type DocumentSchema, type SchemaLimits } from './document-schema.js';
export {
  arrayTowardsLimit,
  GROWTH_THRESHOLDS,
  growthTowardsLimit,
  towardsLimitText,
  withGrowthTowardsLimit,
  type GrowthTowardsLimit,
} from './growth-towards-limit.js';
export { forecastText, growthSourceNames, growthSourcesText, rangeText, rateText } from './growth-text.js';
export { heaviestPaths, type HeavyPath } from './heaviest-paths.js';
export { formatIndexKey, hideIndexCommand, isIdIndex } from './index-key.js';
export { redundantIndexes, type IndexedCollection, type RedundantIndex } from './index-prefix.js';
export type { LengthBound } from './length-bound.js';
export { fieldName, queryPath, withoutElements } from './path-steps.js';
export { sampleWindow } from './sample-window.js';
export { DOCUMENT_LIMIT_BYTES, NESTING_LIMIT_LEVELS } from './server-limits.js';
export { distributionSeverity, lowered, severityOf, type DistributionSeverity, type SeverityLines } from './severity-lines.js';
export { timeSeriesPlan, type TimeSeriesPlan } from './time-series-plan.js';
export { familyCounts, type TypeFamily } from './type-families.js';
export { typeMixture, type TypeMixture } from './type-mixture.js';
