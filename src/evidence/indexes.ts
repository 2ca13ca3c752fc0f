import type { Document } from 'mongodb';
import { neededDocument, neededFigure, neededText } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import type { Collection, IndexDescription } from '../inventory/collection.js';
import { present, type Evidence } from '../presence.js';

export async function readIndexes(
  reader: ClusterReader,
  { database, name, namespace }: Collection,
): Promise<Evidence<readonly IndexDescription[]>> {
  try {
    return present((await reader.listIndexes(database, name)).map(indexOf));
  } catch (error) {
    return absentBecause(error, `listing the indexes of ${namespace}`, `listIndexes on ${namespace}`);
  }
}

function indexOf(entry: Document): IndexDescription {
  const isBuilding = entry['buildUUID'] !== undefined;
  const description: Document = isBuilding ? entry['spec'] : entry;
  return {
    name: neededText('listIndexes', description, 'name'),
    key: neededDocument('listIndexes', description, 'key'),
    // The server leaves out what is not set.
    unique: description['unique'] === true,
    sparse: description['sparse'] === true,
    hidden: description['hidden'] === true,
    clustered: description['clustered'] === true,
    ...(isBuilding && { building: true }),
    ...optional(description, 'partialFilterExpression'),
    ...optional(description, 'collation'),
    ...optional(description, 'wildcardProjection'),
    ...optional(description, 'weights'),
    ...furtherOptions(description),
    ...(description['expireAfterSeconds'] !== undefined && {
      expireAfterSeconds: neededFigure('listIndexes', description, 'expireAfterSeconds'),
    }),
  };
}

/** Those that say what an index holds. Versions of formats, and `background`, do not. */
const FURTHER = ['default_language', 'language_override', 'bits', 'min', 'max', 'prepareUnique'];

function furtherOptions(description: Document): Pick<IndexDescription, 'furtherOptions'> {
  const set = FURTHER.filter((name) => ['string', 'number', 'boolean'].includes(typeof description[name]));
  return set.length === 0 ? {} : { furtherOptions: Object.fromEntries(set.map((name) => [name, description[name]])) };
}

function optional<Name extends string>(description: Document, name: Name): { [K in Name]?: Document } {
  return description[name] === undefined ? {} : ({ [name]: description[name] } as { [K in Name]?: Document });
}
