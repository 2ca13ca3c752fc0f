import type { Document } from 'mongodb';

/** A projection on these paths alone. `_id` is left out unless one of them lies in it: the server refuses both at once. */
export function projectionOnlyOn(paths: readonly string[]): Document {
  const isWithId = paths.some((path) => path === '_id' || path.startsWith('_id.'));
  return { ...(!isWithId && { _id: 0 }), ...Object.fromEntries(paths.map((path) => [path, 1])) };
}

/** What such a projection leaves at a path outside arrays. */
export function valueAt(document: Document, path: string): unknown {
  if (!path.includes('.')) return document[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? (value as Document)[name] : undefined),
      document,
    );
}
