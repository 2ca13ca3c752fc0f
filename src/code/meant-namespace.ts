import { databaseOf, nameOf } from '../namespace.js';

interface Meant {
  readonly collection: string | null;
  readonly database: string | null;
}

/** Whether any of these parts of the source may mean a namespace. */
export function isMeantBy(namespace: string, parts: readonly Meant[]): boolean {
  return parts.some(
    ({ collection, database }) =>
      collection === nameOf(namespace) && (database === null || database === databaseOf(namespace)),
  );
}

/** The namespace that a part of the source means; null if none or several of these can be meant. */
export function meantNamespace(of: Meant, namespaces: Iterable<string>): string | null {
  const [only, ...others] = [...namespaces].filter((each) => isMeantBy(each, [of]));
  return only !== undefined && others.length === 0 ? only : null;
}
