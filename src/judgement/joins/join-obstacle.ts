import { arraysOf } from '../../planner/key-fields.js';
import type { Hindrance, JoinKey } from '../../workload/joins/join.js';
import type { EqualityJoin } from './equality-join.js';

/** Why no index on the foreign field can serve a join as it is written, as a clause, and how to write it instead. */
export interface JoinObstacle {
  readonly because: string;
  readonly instead: string;
}

const BY_ELEMENTS =
  'Write the join with `localField` and `foreignField`: they compare each element of an array, and can use an index on the foreign field.';
const OTHERWISE =
  'Write the join so that the server can look up the values, or store the joined data in the outer document.';

const HINDRANCES: Readonly<Record<Hindrance, readonly [because: string, instead: string]>> = {
  membership: [
    'it compares with `$in` inside `$expr`, for which the server uses no index',
    `${BY_ELEMENTS} Compare several foreign fields in one \`$or\`, and index every one of them.`,
  ],
  'converted-foreign-field': [
    'it converts the foreign field before the comparison, but an index holds the field as it is stored',
    'Convert the outer side in `let`, or store both keys as one type. Then compare the foreign field itself.',
  ],
  'computed-foreign-field': [
    'it compares with a value computed from the foreign document, which no index holds',
    'Store the computed value in a field of its own, index that field, and compare with it.',
  ],
  'wrapped-comparison': [
    'the comparison is within another expression, in which the server does not look for it',
    'Compare the field with the variable directly. Combine it with other conditions by `$and`.',
  ],
  inequality: [
    'it asks for values that are not equal, which is nearly everything',
    'Reverse the join: start from the documents to return. Or store the searched value in the outer document.',
  ],
  alternatives: [
    'one of its alternatives compares nothing with the outer document, and an index serves all alternatives or none',
    'Make it two joins, one for each alternative. Or keep the alternative that compares in the join, and put a `$match` after it.',
  ],
  'stage-before': [
    'the server cannot move the comparison ahead of a stage before it',
    'Move the comparison before the stage, or join the collection instead of its view.',
  ],
  'nested-rename': [
    'a stage before the comparison renames the field from a nested path, which the server does not follow',
    'Compare with the path as it is stored, not with its new name.',
  ],
};

/** Why a comparison names no stored field as an index would need it; null if it does, or if that is unknown. */
export function hindranceOf({ index }: JoinKey): JoinObstacle | null {
  if (index.possible !== false) return null;
  const [because, instead] = HINDRANCES[index.because];
  return { because: index.stage === null ? because : `${because} (${index.stage})`, instead };
}

/**
 * Null if an index can serve the join. Documents that lack the local field cost a scan with `$expr` in any case (measured on 6.0.5
 * and 6.0.27); the index still serves the others.
 */
export function joinObstacle(join: EqualityJoin): JoinObstacle | null {
  const { kind } = join.foreign;
  if (kind === 'view') return { because: 'it reads a view, which has no indexes of its own', instead: OTHERWISE };
  const ofBuckets = kind === 'timeseries' ? timeSeriesObstacle(join) : null;
  if (ofBuckets !== null) return { because: ofBuckets, instead: OTHERWISE };
  const ofArrays = join.form === 'exprEquality' ? arrayObstacle(join) : null;
  return ofArrays === null ? null : { because: ofArrays, instead: BY_ELEMENTS };
}

/** Buckets are stored by time. Measured on 6.0.5 and 6.0.27: as many are read with an index on the timeField as without. */
export function isStoredInOrder({ foreignField, foreign: { timeseries } }: EqualityJoin): boolean {
  return foreignField === timeseries?.timeField;
}

/** Measured on 6.0.5 and 6.0.27: an array in one document makes the index multikey, and a variable that holds one makes it scan. */
function arrayObstacle({ foreignField, arrays, localTypes }: EqualityJoin): string | null {
  if (arraysOf(foreignField, arrays).length > 0)
    return `some documents hold arrays at "${foreignField}", and $expr compares an array as a whole`;
  const isOfArrays = localTypes?.includes('array') === true && !localTypes.some(isIndexedByExpr);
  return isOfArrays ? '$expr compares a local array as a whole' : null;
}

/** Measured on 6.0.5 and 6.0.27: an equality reaches the buckets by the metaField, and with a date by the timeField. */
function timeSeriesObstacle({ form, foreignField, foreign: { timeseries }, localTypes }: EqualityJoin): string | null {
  const metaField = timeseries?.metaField;
  if (metaField !== undefined && (foreignField === metaField || foreignField.startsWith(`${metaField}.`))) return null;
  if (foreignField !== timeseries?.timeField) {
    return `indexes of a time-series collection serve equalities on its metaField and timeField, and "${foreignField}" is neither`;
  }
  if (form === 'exprEquality') {
    return '$expr compares the timeField only after all buckets are unpacked; localField and foreignField compare it before';
  }
  if (localTypes?.every((type) => type === 'date') === true) return null;
  return 'the timeField of a time-series collection is looked up by dates only, and some local values may not be dates';
}

function isIndexedByExpr(type: string): boolean {
  return type !== 'array' && type !== 'missing' && type !== 'undefined';
}
