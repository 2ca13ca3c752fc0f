import type { Collection } from '../../../inventory/collection.js';
import type { EqualityJoin, JoinServer } from './equality-join.js';
import { isBefore, isPatchOf } from '../../../connect/server-version.js';

/** The slot-based engine runs a `$lookup` from this version on. */
const FIRST_WITH_SLOT_BASED_LOOKUP = '6.0.0';

/** Off by default from these releases on: SERVER-94166 (6.0.5 and 6.0.27 measured), and the manual for 7.0. */
const CLASSIC_BY_DEFAULT = ['6.0.18', '7.0.17'];

/**
 * Whether a join is certain to run in the classic engine. Measured on 6.0.5: the slot-based one, which uses fewer
 * indexes, runs a `$lookup` with only `localField` and `foreignField`, no numeric path components, and a foreign
 * collection that is neither a view nor a time-series collection.
 */
export function isClassicJoin(join: EqualityJoin, foreign: Collection, server: JoinServer): boolean {
  return (
    join.form !== 'localField' ||
    join.withPipeline === true ||
    join.filter !== undefined ||
    join.inClassicEngine === true ||
    foreign.kind !== 'collection' ||
    /(?:^|\.)\d+(?:\.|$)/.test(join.foreignField) ||
    (server.version !== undefined && isClassicVersion(server.version))
  );
}

function isClassicVersion(version: string): boolean {
  return (
    isBefore(version, FIRST_WITH_SLOT_BASED_LOOKUP) || CLASSIC_BY_DEFAULT.some((release) => isPatchOf(version, release))
  );
}
