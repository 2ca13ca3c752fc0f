/** The collection's name, of "database.collection". Collections' names may hold dots, databases' names can't. */
export function nameOf(namespace: string): string {
  return namespace.slice(namespace.indexOf('.') + 1);
}

/** The database's name, of "database.collection". */
export function databaseOf(namespace: string): string {
  return namespace.slice(0, namespace.indexOf('.'));
}

/** A database as mongosh names it, whichever one the shell is in. */
export function shellDatabase(database: string): string {
  return `db.getSiblingDB(${JSON.stringify(database)})`;
}

/** Methods of a database in mongosh. Its others have capital letters. */
const METHODS = new Set([
  'aggregate',
  'auth',
  'constructor',
  'hello',
  'help',
  'logout',
  'sql',
  'stats',
  'version',
  'watch',
]);
const PLAIN_NAME = /^[a-z][a-z0-9_]*$/;

/**
 * A collection as mongosh names it, whichever database the shell is in, and whatever characters the name has.
 * @param namespace "database.collection"
 */
export function shellCollection(namespace: string): string {
  return shellCollectionIn(databaseOf(namespace), nameOf(namespace));
}

/** The same by the names of both: `.orders` as people type it if that can be nothing else. */
export function shellCollectionIn(database: string, name: string): string {
  const isPlain = PLAIN_NAME.test(name) && !METHODS.has(name);
  return `${shellDatabase(database)}${isPlain ? `.${name}` : `.getCollection(${JSON.stringify(name)})`}`;
}
