import { arraysOf } from '../../planner/key-fields.js';
import type { EqualityJoin } from './equality-join.js';

const REWRITE = 'localField and foreignField compare its elements and can use an index';

/**
 * Why no index on the foreign field can serve a join, and what would help, as a clause; null if one can. Documents that lack
 * the local field cost a scan with `$expr` in any case (measured on 6.0.5 and 6.0.27); the index still serves the others.
 */
export function joinObstacle(join: EqualityJoin): string | null {
  const { kind } = join.foreign;
  if (kind === 'view') return 'it reads a view, which has no indexes of its own; only the collection behind it has';
  const ofBuckets = kind === 'timeseries' ? timeSeriesObstacle(join) : null;
  return ofBuckets ?? (join.form === 'exprEquality' ? exprObstacle(join) : null);
}

/** Buckets are stored by time. Measured on 6.0.5 and 6.0.27: as many are read with an index on the timeField as without. */
export function isStoredInOrder({ foreignField, foreign: { timeseries } }: EqualityJoin): boolean {
  return foreignField === timeseries?.timeField;
}

function exprObstacle({ foreignField, arrays, localTypes }: EqualityJoin): string | null {
  // Measured on 6.0.5 and 6.0.27: one array in one document at the path makes the index multikey, and $expr cannot use it.
  if (arraysOf(foreignField, arrays).length > 0) {
    return `some documents hold arrays at "${foreignField}", and $expr compares an array as a whole; ${REWRITE}`;
  }
  // Measured on 6.0.5 and 6.0.27: a variable that holds an array leads to a scan, whatever the index.
  if (localTypes?.includes('array') === true && !localTypes.some(isIndexedByExpr)) {
    return `$expr compares a local array as a whole; ${REWRITE}`;
  }
  return null;
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
