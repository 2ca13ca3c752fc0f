import { hasReached, isBefore, isPatchOf } from '../../connect/server-version.js';
import { isSameCollation, localeOf } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { PlannedServer } from '../../planner/access.js';
import { arraysOf, isWildcard } from '../../planner/wildcard.js';
import type { Hindrance, JoinKey } from '../../workload/joins/join.js';
import type { EqualityJoin } from './equality-join.js';

/** What two engines and two kinds of storage add to what the planner does with an index, as measured on 6.0.5 and 6.0.27. */
export interface JoinServer extends PlannedServer {
  /** True to take what is not known of the version for favourable. */
  readonly isFavourable?: true;
}

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

/** The slot-based engine runs a `$lookup` from this version on. */
const FIRST_WITH_SLOT_BASED_LOOKUP = '6.0.0';

/** Off by default from these releases on: SERVER-94166 (6.0.5 and 6.0.27 measured), and the manual for 7.0. */
const CLASSIC_BY_DEFAULT = ['6.0.18', '7.0.17'];

/** `$expr` seeks in a clustered collection from here. Measured: 6.0.27 and 7.0.28 seek; 8.2 by its source. */
const CLUSTERED_INDEX_FOR_EXPR = ['6.0.27', '7.0.28', '8.2.0'];

/** The last one that was measured to scan instead. Of those in between it is not known. */
const CLUSTERED_SCAN_FOR_EXPR = '6.0.5';

const ENGINE = 'the engine that runs a $lookup without a pipeline';

/** Why an engine does not use an index that the planner would; null if that is no reason. */
export function engineObstacle(index: IndexDescription, join: EqualityJoin, server: JoinServer): string | null {
  return isClassic(join, server) ? clusteredObstacle(index, join, server) : slotBasedObstacle(index, join);
}

/**
 * Whether a join is certain to run in the classic engine. Measured on 6.0.5: the slot-based one, which uses fewer
 * indexes, runs a `$lookup` with only `localField` and `foreignField`, no numeric path components, and a foreign
 * collection that is neither a view nor a time-series collection.
 */
export function isClassic(join: EqualityJoin, { version }: JoinServer): boolean {
  return (
    join.form !== 'localField' ||
    join.withPipeline === true ||
    join.filter !== undefined ||
    join.inClassicEngine === true ||
    join.foreign.kind !== 'collection' ||
    /(?:^|\.)\d+(?:\.|$)/.test(join.foreignField) ||
    (version !== undefined &&
      (isBefore(version, FIRST_WITH_SLOT_BASED_LOOKUP) ||
        CLASSIC_BY_DEFAULT.some((release) => isPatchOf(version, release))))
  );
}

/**
 * What keeps the slot-based engine from using an index, as measured on 6.0.5, and on 6.0.27 with
 * `internalQueryForceClassicEngine: false`. It plans once, before it knows a local value, so it takes only indexes that
 * can serve any, and only of the join's collation.
 */
function slotBasedObstacle(index: IndexDescription, { foreignField, collation }: EqualityJoin): string | null {
  if (index.clustered)
    return `it is the order of a clustered collection, which ${ENGINE} does not use; an empty pipeline makes the server use it`;
  const kind = isWildcard(index)
    ? 'wildcard'
    : index.sparse
      ? 'sparse'
      : index.partialFilterExpression === undefined
        ? null
        : 'partial';
  if (kind !== null) return `it is a ${kind} index, and ${ENGINE} uses only indexes that hold every document`;
  // SERVER-92668, not fixed in 6.0: it hashes the value of the first field. It prefers an index with fewer fields, which is right.
  if (index.key[foreignField] !== 'hashed' && Object.values(index.key).includes('hashed'))
    return `it has a hashed field behind "${foreignField}", with which ${ENGINE} finds nothing (SERVER-92668)`;
  if (isSameCollation(index.collation, collation)) return null;
  return `its collation (${localeOf(index.collation)}) is not the join's (${localeOf(collation)}), and ${ENGINE} requires the same`;
}

function clusteredObstacle({ clustered }: IndexDescription, join: EqualityJoin, server: JoinServer): string | null {
  if (!clustered) return null;
  const { form, localTypes } = join;
  const what = 'it is the order of a clustered collection';
  if (form === 'exprEquality' && server.isFavourable !== true && seeksForExpr(server) !== true)
    return `${what}, which $expr is not known to use on this server; localField and foreignField with a pipeline use it`;
  // Measured on 6.0.5 and 6.0.27: $graphLookup then asks for an empty list, for which the whole collection is scanned.
  if (form === 'graphLookup' && localTypes?.includes('missing') !== false)
    return `${what}, which $graphLookup reads whole for each document without a start value`;
  // An array becomes $in, for which 6.0.5 scans everything, and 6.0.27 all between the smallest and the largest element.
  if (localTypes?.includes('array') === true)
    return `${what}, in which the server does not look up several values at once, as a local array requires`;
  return null;
}

/** Null if it is not known. */
export function seeksForExpr({ version }: PlannedServer): boolean | null {
  if (version === undefined) return null;
  if (hasReached(version, CLUSTERED_INDEX_FOR_EXPR)) return true;
  return isBefore(CLUSTERED_SCAN_FOR_EXPR, version) ? null : false;
}
