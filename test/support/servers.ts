import {
  type EmbeddedMongod,
  type EmbeddedMongodOptions,
  startEmbeddedMongod,
} from '../../src/demo/embedded-mongod/embedded-mongod.js';

/** What a test may set: the binary, arguments for it, and who is told of progress. */
export type ServerOptions = Pick<EmbeddedMongodOptions, 'mongod' | 'args' | 'onProgress'>;

/** The user that `startWithAuth` creates, with the role `root`. */
export const ROOT_USER = { name: 'root', password: 'root-password' } as const;

/** Starts a replica set of one member. The caller stops it. */
export function startReplicaSet(options: ServerOptions = {}): Promise<EmbeddedMongod> {
  return startEmbeddedMongod({ ...options, replicaSet: true });
}

/** Starts a server that is no replica set. The caller stops it. */
export function startStandalone(options: ServerOptions = {}): Promise<EmbeddedMongod> {
  return startEmbeddedMongod({ ...options, replicaSet: false });
}

/** Starts a standalone that demands authentication; its `uri` is that of `ROOT_USER`. The caller stops it. */
export function startWithAuth(options: ServerOptions = {}): Promise<EmbeddedMongod> {
  return startEmbeddedMongod({ ...options, replicaSet: false, rootUser: ROOT_USER });
}
