import type { Collection } from '../../../inventory/collection.js';
import type { EqualityJoin, JoinServer } from './equality-join.js';
import { isBefore, isPatchOf } from '../../../connect/server-version.js';

/** The slot-based engine runs a `$lookup` from this version on; before it there is only the classic one. */
const FIRST_WITH_SLOT_BASED_LOOKUP = '6.0.0';

/**
 * From these releases on, the slot-based engine is off by default in their branches: SERVER-94166 for 6.0 (6.0.5 was
 * measured to use it, 6.0.27 not), and the manual's page on that engine for 7.0.
 */
const CLASSIC_BY_DEFAULT = ['6.0.18', '7.0.17'];

/**
 * Whether a join is certain to run in the classic engine. Every other may run in the slot-based one, which uses fewer
 * indexes; it depends on the stages around the `$lookup` and on the server's settings.
 *
 * Measured on 6.0.5: the slot-based engine runs a `$lookup` with `localField` and `foreignField` alone, on a foreign
 * collection that is neither a view nor a time-series collection, by a path without numeric components.
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
