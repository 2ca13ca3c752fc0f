import type { Collection, IndexDescription } from '../../../inventory/collection.js';
import { isClassicJoin } from './join-engine.js';
import type { EqualityJoin, JoinServer } from './equality-join.js';

export interface JoinedIndex {
  readonly index: IndexDescription;
  readonly join: EqualityJoin;
  readonly foreign: Collection;
  readonly server: JoinServer;
}

/** Why an index cannot serve a join, as a clause that follows its name ("it is hidden"); null if that is no reason. */
export type Obstacle = (joined: JoinedIndex) => string | null;

export function isClassic({ join, foreign, server }: JoinedIndex): boolean {
  return isClassicJoin(join, foreign, server);
}
