import type { Collection, IndexDescription } from '../../../inventory/collection.js';
import { isClassicJoin } from './join-engine.js';
import type { EqualityJoin, JoinServer } from './equality-join.js';

/** An index, and the join that it may serve. */
export interface JoinedIndex {
  readonly index: IndexDescription;
  readonly join: EqualityJoin;
  readonly foreign: Collection;
  readonly server: JoinServer;
}

/** Why an index cannot serve a join, as a clause that follows the index's name ("it is hidden"); null where it is no reason. */
export type Obstacle = (joined: JoinedIndex) => string | null;

/** Whether the classic engine is certain to run the join. */
export function isClassic({ join, foreign, server }: JoinedIndex): boolean {
  return isClassicJoin(join, foreign, server);
}
