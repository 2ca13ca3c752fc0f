/** Databases that belong to the server. */
const SYSTEM_DATABASES = new Set(['admin', 'config', 'local']);

/**
 * Collections that belong to the server or the driver inside a user's database: `system.*` (views, profile, buckets of
 * time-series collections) and the state collections of queryable encryption (`enxcol_.*`).
 */
const SYSTEM_COLLECTION = /^(?:system|enxcol_)\./;

/** True for a database that is never linted. */
export function isSystemDatabase(database: string): boolean {
  return SYSTEM_DATABASES.has(database);
}

/** True for a collection that is never linted, whatever its database. */
export function isSystemCollection(collection: string): boolean {
  return SYSTEM_COLLECTION.test(collection);
}
