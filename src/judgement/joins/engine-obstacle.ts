import { hasReached, isBefore, isPatchOf } from '../../connect/server-version.js';
import { isSameCollation, localeOf } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { PlannedServer } from '../../planner/access.js';
import { isWildcard } from '../../planner/wildcard.js';
import type { EqualityJoin } from './equality-join.js';

/** What two engines and two kinds of storage add to what the planner does with an index, as measured on 6.0.5 and 6.0.27. */
export interface JoinServer extends PlannedServer {
  /** True to take what is not known of the version for favourable. */
  readonly isFavourable?: true;
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
