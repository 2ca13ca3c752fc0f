import type { Document } from 'mongodb';

/** What the script is told of a collection. */
export interface AskedCollection {
  readonly name: unknown;
  readonly statistics: Document | null;
  readonly indexes?: readonly Document[] | null;
  readonly uses?: readonly Document[] | null;
}

export interface AskedServer {
  readonly version?: string;
  readonly hello?: Document;
  readonly members?: number;
  readonly databases: Readonly<Record<string, readonly AskedCollection[] | null>>;
}

const AT = Date.UTC(2026, 10, 20);

/** The sections of getMongoData.js 4.1.2 about a server, in its order, with numbers as numbers. */
export function getMongoDataSections({
  version = '6.0.27',
  hello = { ismaster: true },
  members = 1,
  databases,
}: AskedServer): Document[] {
  let asked = 0;
  const section = (name: string, subsection: string | null, output: unknown, rest: Document = {}): Document => {
    asked += 1;
    const ts = { start: { $date: AT + asked }, end: { $date: AT + asked + 1 } };
    return { section: name, ...(subsection !== null && { subsection }), output, ts, version: '4.1.2', ...rest };
  };
  const ofCollection = (database: string, { name, statistics, indexes = [], uses = [] }: AskedCollection) => [
    section('data_info', 'collection_stats_(mb)', statistics),
    section('data_info', 'indexes', indexes, { commandParameters: { db: database, collection: name } }),
    section('data_info', 'index_stats', uses === null ? null : { cursor: { firstBatch: uses } }),
  ];
  return [
    section('server_info', 'shell_version', '2.3.1'),
    section('server_info', 'server_status_info', { host: 'db1.internal:27017', version }),
    section('server_info', 'server_build_info', { version }),
    section('shard_or_replicaset_info', 'ismaster', hello),
    section('replicaset_info', 'replica_set_config', { members: Array.from({ length: members }, () => ({})) }),
    section('data_info', 'list_of_databases', { databases: Object.keys(databases).map((name) => ({ name })) }),
    ...Object.entries(databases).flatMap(([database, collections]) => [
      section(
        'data_info',
        `list_of_collections_for_database_'${database.toLowerCase()}'`,
        collections?.map(({ name }) => name) ?? null,
      ),
      section('data_info', 'database_stats_(mb)', { db: database }),
      ...(collections ?? []).flatMap((each) => ofCollection(database, each)),
    ]),
    section('driverVersions', 'driver_versions', []),
  ];
}

/** As the script prints them. */
export function getMongoDataText(sections: readonly Document[]): string {
  return `[\n\n${sections.map((each) => JSON.stringify(each, null, 4)).join(' ,\n')}\n]\n`;
}
