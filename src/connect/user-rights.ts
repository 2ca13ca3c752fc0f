import type { Document } from 'mongodb';
import type { ClusterReader } from './cluster-reader.js';
import { skipReason } from './server-error.js';

export interface UserRights {
  /** False without credentials, and once the user was dropped. */
  readonly isAuthenticated: boolean;
  /** Each action on each resource. */
  readonly privileges: ReadonlySet<string>;
}

/** Null if the server does not say: other engines leave it out, and a lost connection tells nothing of rights. */
export async function readUserRights(reader: ClusterReader): Promise<UserRights | null> {
  try {
    const { authInfo } = await reader.command('admin', { connectionStatus: 1, showPrivileges: true });
    return userRights(authInfo);
  } catch (error) {
    return skipReason(error) === 'authentication' ? NO_RIGHTS : null;
  }
}

const NO_RIGHTS: UserRights = { isAuthenticated: false, privileges: new Set() };

function userRights(authInfo: unknown): UserRights | null {
  const { authenticatedUsers: users, authenticatedUserPrivileges: privileges } = (authInfo ?? {}) as Document;
  if (!Array.isArray(users) || !Array.isArray(privileges)) return null;
  const granted = (privileges as readonly Document[]).flatMap(({ resource, actions }) =>
    Array.isArray(actions) ? actions.map((action) => JSON.stringify([resource, action])) : [],
  );
  return { isAuthenticated: users.length > 0, privileges: new Set(granted) };
}

/** What the server says of the user. "none": the connection has no user. Null if it does not say. */
export type UserState = 'none' | 'as before' | 'lost' | null;

/** What has become of the user since its rights were read. */
export async function readUserState(reader: ClusterReader, before: UserRights | null): Promise<UserState> {
  if (before === null) return null;
  if (!before.isAuthenticated) return 'none';
  const now = await readUserRights(reader);
  if (now === null) return null;
  return hasLostRights(before, now) ? 'lost' : 'as before';
}

/** True if something was taken away; what was granted meanwhile does not count. */
function hasLostRights(before: UserRights, now: UserRights): boolean {
  return [...before.privileges].some((privilege) => !now.privileges.has(privilege));
}
