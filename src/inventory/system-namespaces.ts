const SYSTEM_DATABASES = new Set(['admin', 'config', 'local']);

/** Views, profile, buckets of time-series collections; the state of queryable encryption (`enxcol_.*`). */
const SYSTEM_COLLECTION = /^(?:system|enxcol_)\./;

export function isSystemDatabase(database: string): boolean {
  return SYSTEM_DATABASES.has(database);
}

export function isSystemCollection(collection: string): boolean {
  return SYSTEM_COLLECTION.test(collection);
}
