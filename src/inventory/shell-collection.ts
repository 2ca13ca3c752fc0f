import { databaseOf, nameOf } from '../namespace.js';

/**
 * A collection as mongosh names it, whichever database the shell is in, and whatever characters the name has.
 * @param namespace "database.collection"
 */
export function shellCollection(namespace: string): string {
  return `db.getSiblingDB(${JSON.stringify(databaseOf(namespace))}).getCollection(${JSON.stringify(nameOf(namespace))})`;
}
