import type { Document } from 'mongodb';
import { textIn } from '../../connect/answer.js';
import { isDocument, type Section } from './sections.js';

/** What the script asked about one collection. */
export interface ListedCollection {
  readonly database: string;
  readonly name: string;
  /** Null if the server refused. */
  readonly statistics: Document | null;
  readonly indexes: readonly Document[] | null;
  /** An answer for each index, with the uses on the node that was asked. */
  readonly uses: readonly Document[] | null;
  /** When the uses were read, in ms since 1970; null if the file does not say. */
  readonly usesReadAt: number | null;
}

export interface ListedDatabases {
  readonly collections: readonly ListedCollection[];
  /** Databases of whose collections the file does not have all. */
  readonly incomplete: readonly string[];
}

const OF_COLLECTIONS = 'list_of_collections_for_database_';

/**
 * The collections by the order of the sections: the databases as they are listed, and of each its collections in turn. A name
 * that reads like a date was turned into one by the script: the statistics have it as it is.
 */
export function listedCollections(sections: readonly Section[]): ListedDatabases {
  const databases = databaseNames(sections);
  const collections: ListedCollection[] = [];
  const incomplete: string[] = [];
  let next = 0;
  for (const [position, { subsection, output }] of sections.entries()) {
    if (!subsection.startsWith(OF_COLLECTIONS)) continue;
    const database = databases[next];
    next += 1;
    if (database === undefined) continue;
    const end = sections.findIndex((each, at) => at > position && each.subsection.startsWith(OF_COLLECTIONS));
    const asked = askedIn(sections.slice(position + 1, end === -1 ? undefined : end));
    const names: readonly unknown[] = Array.isArray(output) ? output : [];
    const found = asked.flatMap((parts, at) => listedCollection(database, names[at], parts) ?? []);
    collections.push(...found);
    if (!Array.isArray(output) || found.length < names.length) incomplete.push(database);
  }
  return { collections, incomplete: [...incomplete, ...databases.slice(next)] };
}

function databaseNames(sections: readonly Section[]): string[] {
  const listed = sections.find(({ subsection }) => subsection === 'list_of_databases')?.output;
  const databases: unknown = isDocument(listed) ? listed['databases'] : [];
  return Array.isArray(databases) ? databases.map((each) => textIn(each, 'name') ?? '') : [];
}

/** The sections about each collection, which begin with its statistics. */
function askedIn(sections: readonly Section[]): Section[][] {
  const asked: Section[][] = [];
  for (const section of sections) {
    if (section.subsection.startsWith('collection_stats')) asked.push([section]);
    else if (section.subsection === 'indexes' || section.subsection === 'index_stats') asked.at(-1)?.push(section);
  }
  return asked;
}

function listedCollection(database: string, listed: unknown, parts: readonly Section[]): ListedCollection | null {
  const of = (subsection: string) => parts.find((each) => each.subsection.startsWith(subsection));
  const statistics = of('collection_stats')?.output;
  const [indexes, uses] = [of('indexes'), of('index_stats')];
  const namespace = textIn(statistics, 'ns') ?? '';
  const named = namespace.startsWith(`${database}.`) ? namespace.slice(database.length + 1) : null;
  const name = named ?? textIn(indexes?.commandParameters, 'collection') ?? listed;
  if (typeof name !== 'string' || name === '') return null;
  const cursor = isDocument(uses?.output) ? uses.output['cursor'] : null;
  return {
    database,
    name,
    statistics: isDocument(statistics) ? statistics : null,
    indexes: documentsIn(indexes?.output),
    uses: isDocument(cursor) ? documentsIn(cursor['firstBatch']) : null,
    usesReadAt: uses?.at ?? null,
  };
}

function documentsIn(value: unknown): readonly Document[] | null {
  return Array.isArray(value) && value.every(isDocument) ? value : null;
}
