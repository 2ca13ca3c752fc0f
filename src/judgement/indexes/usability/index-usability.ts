import type { Collection, IndexDescription } from '../../../inventory/collection.js';
import { CLASSIC_OBSTACLES, seeksForExpr } from './classic-obstacles.js';
import type { EqualityJoin, JoinServer } from './equality-join.js';
import { INDEX_OBSTACLES } from './index-obstacles.js';
import { joinObstacle } from './join-indexability.js';
import { isClassic } from './joined-index.js';
import { SLOT_BASED_OBSTACLES } from './slot-based-obstacles.js';

/** `because` is a clause that follows the name of the index: "it is hidden, …". */
export type IndexUsability = { readonly usable: true } | { readonly usable: false; readonly because: string };

/**
 * Whether the server can use an index for the equality of a join, for every local value that the join may have.
 *
 * As measured on 6.0.5 and 6.0.27. What depends on other versions, or is not known of the join, counts as unfavourable.
 *
 * @param index of the foreign collection; of a time-series collection, not of its buckets
 * @param foreign for a view, the collection behind it, with the path traced back to that
 */
export function indexUsability(
  index: IndexDescription,
  join: EqualityJoin,
  foreign: Collection,
  server: JoinServer = {},
): IndexUsability {
  const ofJoin = joinObstacle(join, foreign);
  if (ofJoin !== null) return { usable: false, because: `no index can serve this join: ${ofJoin}` };
  const joined = { index, join, foreign, server };
  const obstacles = [...INDEX_OBSTACLES, ...(isClassic(joined) ? CLASSIC_OBSTACLES : SLOT_BASED_OBSTACLES)];
  for (const obstacle of obstacles) {
    const because = obstacle(joined);
    if (because !== null) return { usable: false, because };
  }
  return { usable: true };
}

/**
 * Why nobody can say yet whether the server uses an index for a join: it is being built, or that depends on the version
 * in a way that is not known. Null if `indexUsability` is certain.
 */
export function undecidedUse(
  index: IndexDescription,
  join: EqualityJoin,
  foreign: Collection,
  server: JoinServer = {},
): string | null {
  const { building, ...built } = index;
  if (indexUsability(index, join, foreign, server).usable) return null;
  if (!indexUsability(built, join, foreign, { ...server, isFavourable: true }).usable) return null;
  if (building === true) return 'it is still being built. Run again when it is done';
  if (seeksForExpr(server) !== null || server.version === undefined) return null;
  return `it is not known whether MongoDB ${server.version} finds by the order of a clustered collection for $expr. explain("executionStats") of the pipeline shows it: it examines few documents, or all`;
}
