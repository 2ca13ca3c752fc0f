import type { ReportedCollection } from './reported-collection.js';

type Listed = readonly ReportedCollection[];

const known = new WeakMap<Listed, ReadonlyMap<string, ReportedCollection>>();

/** The collection of a report by its namespace. The list must not change once it was asked. */
export function collectionIn(collections: Listed, namespace: string): ReportedCollection | undefined {
  const byNamespace = known.get(collections) ?? new Map(collections.map((each) => [each.namespace, each]));
  known.set(collections, byNamespace);
  return byNamespace.get(namespace);
}
