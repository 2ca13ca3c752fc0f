import { runInNewContext } from 'node:vm';
import type { Collection, Document, MongoClient } from 'mongodb';

/**
 * Runs a statement of a remedy as mongosh would: the driver's collections take the same calls. A cursor comes back as its
 * documents.
 *
 * @param values what takes the place of the statement's placeholders, by their names; a pattern, of `/^name/`
 */
export async function runShellCode(client: MongoClient, code: string, values: Document = {}): Promise<unknown> {
  const command = (database: string) => (given: Document) => client.db(database).command(given);
  const databaseOf = (database: string): object => {
    const getCollection = (name: string) => ofShell(client.db(database).collection(name), command(database));
    const methods: Document = { getCollection, runCommand: command(database) };
    return new Proxy(methods, { get: (_, name) => methods[String(name)] ?? getCollection(String(name)) });
  };
  const db = { getSiblingDB: databaseOf, adminCommand: command('admin') };
  const withPatterns = Object.entries(values).reduce(
    (text, [name, value]) => (value instanceof RegExp ? text.replaceAll(`/^${name}/`, String(value)) : text),
    code,
  );
  const result: unknown = runInNewContext(withPatterns, { db, ISODate: Date, ...values });
  return hasDocuments(result) ? result.toArray() : result;
}

/** The second argument of a find is its projection in mongosh, and its options in the driver. */
function ofShell(collection: Collection, run: (command: Document) => Promise<Document>): object {
  const hide = (hidden: boolean) => (name: string) =>
    run({ collMod: collection.collectionName, index: { name, hidden } });
  return new Proxy(collection, {
    get(target, name) {
      if (name === 'find')
        return (filter: Document = {}, projection: Document = {}) => target.find(filter, { projection });
      if (name === 'hideIndex' || name === 'unhideIndex') return hide(name === 'hideIndex');
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function hasDocuments(result: unknown): result is { toArray(): Promise<Document[]> } {
  return typeof result === 'object' && result !== null && 'toArray' in result;
}
