/** The collection's name, of "database.collection". Collections' names may hold dots, databases' names can't. */
export function nameOf(namespace: string): string {
  return namespace.slice(namespace.indexOf('.') + 1);
}

/** The database's name, of "database.collection". */
export function databaseOf(namespace: string): string {
  return namespace.slice(0, namespace.indexOf('.'));
}

/**
 * A collection as mongosh names it, whichever database the shell is in, and whatever characters the name has.
 * @param namespace "database.collection"
 */
export function shellCollection(namespace: string): string {
  return `db.getSiblingDB(${JSON.stringify(databaseOf(namespace))}).getCollection(${JSON.stringify(nameOf(namespace))})`;
}
