/** The name of a collection within its database, of "database.collection". Collections' names may hold dots, databases' none. */
export function nameOf(namespace: string): string {
  return namespace.slice(namespace.indexOf('.') + 1);
}

/** The name of a collection's database, of "database.collection". */
export function databaseOf(namespace: string): string {
  return namespace.slice(0, namespace.indexOf('.'));
}
