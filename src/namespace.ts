/** The collection's name, of "database.collection". Collections' names may hold dots, databases' names can't. */
export function nameOf(namespace: string): string {
  return namespace.slice(namespace.indexOf('.') + 1);
}

/** The database's name, of "database.collection". */
export function databaseOf(namespace: string): string {
  return namespace.slice(0, namespace.indexOf('.'));
}
