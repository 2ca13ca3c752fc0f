import { databaseOf, nameOf } from './namespace.js';

/**
 * A collection as mongosh names it, to begin a statement with: of its own database whichever one the shell is in, and
 * with any characters in the name.
 *
 * @param namespace "database.collection"
 */
export function shellCollection(namespace: string): string {
  return `db.getSiblingDB(${JSON.stringify(databaseOf(namespace))}).getCollection(${JSON.stringify(nameOf(namespace))})`;
}
