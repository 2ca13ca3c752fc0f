import { databaseOf, nameOf } from '../namespace.js';

/** The namespace that a part of the source means; null if none or several of these can be meant. */
export function meantNamespace(
  { collection, database }: { readonly collection: string | null; readonly database: string | null },
  namespaces: Iterable<string>,
): string | null {
  const [only, ...others] = [...namespaces].filter(
    (each) => nameOf(each) === collection && (database === null || databaseOf(each) === database),
  );
  return only !== undefined && others.length === 0 ? only : null;
}
