import type { Document } from 'mongodb';

export interface ShardKeyField {
  /** Dotted path. */
  readonly path: string;
  /** False if documents are placed by the order of the field. */
  readonly hashed: boolean;
}

export type ShardKey = readonly ShardKeyField[];

/** From a pattern as the server writes it: `{ tenant: 1, _id: "hashed" }`. */
export function shardKeyOf(pattern: Document): ShardKey {
  return Object.entries(pattern).map(([path, order]) => ({ path, hashed: order === 'hashed' }));
}

export function keyPattern(key: ShardKey): Record<string, 1 | 'hashed'> {
  return Object.fromEntries(key.map(({ path, hashed }) => [path, hashed ? 'hashed' : 1]));
}

/** For people: `{ tenant: 1, _id: "hashed" }`. */
export function formatShardKey(key: ShardKey): string {
  const fields = key.map(({ path, hashed }) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(path) ? path : JSON.stringify(path);
    return `${name}: ${hashed ? '"hashed"' : 1}`;
  });
  return `{ ${fields.join(', ')} }`;
}

export function isKeyPrefix(prefix: ShardKey, key: ShardKey): boolean {
  return prefix.every(({ path, hashed }, index) => key[index]?.path === path && key[index]?.hashed === hashed);
}
