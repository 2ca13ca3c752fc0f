import type { Engine } from './engine.js';

/** What the server that was connected to can do, as its first answers show. */
export interface Capabilities {
  readonly engine: Engine;
  /** True of mongos, which answers for shards. Other engines say so too, without having any. */
  readonly isRouter: boolean;
}

/** Holds what is found at connecting, for readers that were opened before. */
export interface KnownServer {
  capabilities: Capabilities;
}

export function unknownServer(): KnownServer {
  return { capabilities: { engine: { name: 'unknown', version: null }, isRouter: false } };
}
