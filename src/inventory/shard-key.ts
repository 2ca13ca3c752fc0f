import type { Document } from 'mongodb';

/** One field of a shard key. */
export interface ShardKeyField {
  /** Dotted path. */
  readonly path: string;
  /** True where documents are placed by the hash of the field, false where by its order. */
  readonly hashed: boolean;
}

/** The fields of a shard key, in order. */
export type ShardKey = readonly ShardKeyField[];

/** Reads a key pattern as the server writes it: `{ tenant: 1, _id: "hashed" }`. */
export function shardKeyOf(pattern: Document): ShardKey {
  return Object.entries(pattern).map(([path, order]) => ({ path, hashed: order === 'hashed' }));
}

/** The pattern of a key, as commands take it. */
export function keyPattern(key: ShardKey): Record<string, 1 | 'hashed'> {
  return Object.fromEntries(key.map(({ path, hashed }) => [path, hashed ? 'hashed' : 1]));
}

/** A key for people: `{ tenant: 1, _id: "hashed" }`. */
export function formatShardKey(key: ShardKey): string {
  const fields = key.map(({ path, hashed }) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(path) ? path : JSON.stringify(path);
    return `${name}: ${hashed ? '"hashed"' : 1}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** True where `prefix` is how `key` begins, hashed fields alike. */
export function isKeyPrefix(prefix: ShardKey, key: ShardKey): boolean {
  return prefix.every(({ path, hashed }, index) => key[index]?.path === path && key[index]?.hashed === hashed);
}
