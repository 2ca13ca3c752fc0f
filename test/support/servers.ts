import { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from './mongod/embedded-server.js';

/** What a test may set: the binary, and arguments for it. */
export type ServerOptions = Pick<EmbeddedServerOptions, 'mongod' | 'args'>;

/** The user that `startWithAuth` creates, with the role `root`. */
export const ROOT_USER = { name: 'root', password: 'root-password' } as const;

/** Starts a replica set of one member. The caller stops it. */
export function startReplicaSet(options: ServerOptions = {}): Promise<EmbeddedServer> {
  return startEmbeddedServer({ ...options, replicaSet: true });
}

/** Starts a server that is no replica set. The caller stops it. */
export function startStandalone(options: ServerOptions = {}): Promise<EmbeddedServer> {
  return startEmbeddedServer({ ...options, replicaSet: false });
}

/** Starts a standalone that demands authentication; its `uri` is that of `ROOT_USER`. The caller stops it. */
export function startWithAuth(options: ServerOptions = {}): Promise<EmbeddedServer> {
  return startEmbeddedServer({ ...options, replicaSet: false, rootUser: ROOT_USER });
}
