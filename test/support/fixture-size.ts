import type { Collection, Db, Document } from 'mongodb';

/** Documents of a collection, at most, in the order in which they are to be inserted. */
export const FIXTURE_DOCUMENTS = 40;

/** Which of the documents of one insert a fixture has. */
export type Kept = (documents: readonly Document[]) => readonly Document[];

export const FIRST: Kept = (documents) => documents.slice(0, FIXTURE_DOCUMENTS);

/**
 * The database as one who writes a fixture sees it: of what is inserted, only a few documents arrive. All else, such as
 * indexes, validators and queries, is the database's own.
 */
export function inFixtureSize(database: Db, kept: Kept = FIRST): Db {
  return withMethods(database, {
    collection: (name: string) => fixture(database.collection(name), kept),
  });
}

function fixture(collection: Collection, kept: Kept): Collection {
  let single = 0;
  return withMethods(collection, {
    insertMany: async (documents: Document[]) => {
      const few = kept(documents);
      return few.length === 0 ? null : collection.insertMany([...few]);
    },
    insertOne: async (document: Document) => {
      single += 1;
      return single > FIXTURE_DOCUMENTS / 2 ? null : collection.insertOne(document);
    },
  });
}

function withMethods<T extends object>(whole: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(whole, {
    get(target, name) {
      const value: unknown = methods[String(name)] ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
