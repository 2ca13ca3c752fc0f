/** A database that has another name elsewhere. */
export interface MappedDatabase {
  readonly from: string;
  readonly to: string;
}

/** The namespace with the database's other name. */
export function mappedNamespace(namespace: string, databases: readonly MappedDatabase[]): string {
  const end = namespace.indexOf('.');
  const database = end === -1 ? namespace : namespace.slice(0, end);
  const mapped = databases.find(({ from }) => from === database);
  return mapped === undefined ? namespace : mapped.to + namespace.slice(database.length);
}
