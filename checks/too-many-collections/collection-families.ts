import type { Collection } from '../../src/inventory/collection.js';

/** Collections whose names differ only in one part: the same things, divided by name. */
export interface CollectionFamily {
  /** The names as a glob: "shop.readings_*". */
  readonly namespaces: string;
  readonly members: readonly Collection[];
  readonly dividedBy: 'date' | 'number or id' | 'name';
}

const UUID = '[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}';
const OBJECT_ID = '[0-9a-f]{24}';
const VARIABLE = new RegExp(`(?:${UUID}|${OBJECT_ID}|\\d+)(?:[-_.]?(?:${UUID}|${OBJECT_ID}|\\d+))*`, 'gi');
const YEAR_AND_MORE = /(?:^|\D)(?:19|20)\d\d[-_.]?(?:0[1-9]|1[0-2]|W\d\d|Q[1-4])/i;

/** Those whose names differ only in numbers, dates or ids. Without views, the largest family first. */
export function collectionFamilies(collections: readonly Collection[], least: number): CollectionFamily[] {
  const byGlob = new Map<string, Collection[]>();
  for (const collection of collections) {
    if (collection.kind === 'view') continue;
    const glob = collection.name.replace(VARIABLE, '*');
    if (glob === collection.name) continue;
    const namespaces = `${collection.database}.${glob}`;
    byGlob.set(namespaces, [...(byGlob.get(namespaces) ?? []), collection]);
  }
  return [...byGlob]
    .filter(([, members]) => members.length >= least)
    .map(([namespaces, members]): CollectionFamily => {
      const dated = members.filter(({ name }) => YEAR_AND_MORE.test(name)).length;
      return { namespaces, members, dividedBy: 2 * dated > members.length ? 'date' : 'number or id' };
    })
    .sort((a, b) => b.members.length - a.members.length);
}
