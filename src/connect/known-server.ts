import type { Engine } from './engine.js';

export interface Capabilities {
  readonly engine: Engine;
  /** True of mongos, which answers for shards. Other engines say so too, without having any. */
  readonly isRouter: boolean;
}

export interface KnownServer {
  capabilities: Capabilities;
}

export function unknownServer(): KnownServer {
  return { capabilities: { engine: { name: 'unknown', version: null }, isRouter: false } };
}
