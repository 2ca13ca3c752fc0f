import { Binary, type Document } from 'mongodb';
import pLimit from 'p-limit';
import { documentIn, neededDocument, neededDocuments, neededFigure, neededText, textIn } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import { absentBecause, errorName, isServerError, skipReason } from '../connect/server-error.js';
import { LintError } from '../lint-error.js';
import type { Absent } from '../presence.js';
import { compareTexts } from '../text/compare-texts.js';
import type { Collection, CollectionKind } from './collection.js';
import { isSystemCollection, isSystemDatabase, type NamespaceFilter } from './namespace-glob.js';
import { readShardedCollections, type Shard, type ShardedCollections } from './sharding.js';

export interface Inventory {
  readonly databases: readonly string[];
  /** Those that are linted, sorted by namespace. */
  readonly collections: readonly Collection[];
  /** Also those that the filter excludes: views and joins are traced through them. */
  readonly known: readonly Collection[];
  /** Parts of the cluster that could not be listed; without a namespace, it is the list of databases. */
  readonly unlisted: readonly { readonly database?: string; readonly absent: Absent }[];
  /** True if only the databases that the filter names were looked into. */
  readonly named: boolean;
  /** The shards of a sharded cluster whose config database can be read. */
  readonly shards?: readonly Shard[];
  /** Why it is unknown which collections of a sharded cluster are sharded. */
  readonly shardingUnknown?: Absent;
}

/** @param named the only databases to look into; null to list them all */
export async function takeInventory(
  reader: ClusterReader,
  filter: NamespaceFilter,
  concurrency: number,
  cluster?: Pick<Cluster, 'topology' | 'version'>,
  named: readonly string[] | null = null,
): Promise<Inventory> {
  const { names, absent } = named === null ? await listDatabases(reader) : { names: [...named].sort(), absent: null };
  if (absent !== null && names.length === 0) throw await nothingToRead(reader);
  const limit = pLimit(concurrency);
  const listed = await Promise.all(names.map((name) => limit(() => listDatabase(reader, name))));
  const sharding = cluster?.topology === 'sharded' ? await readShardedCollections(reader, cluster.version) : null;
  const sharded: ShardedCollections = sharding?.present === true ? sharding.value.collections : new Map();
  const known = listed
    .flatMap(({ collections }) => collections)
    .map((collection) => {
      const own = sharded.get(collection.namespace);
      return own === undefined ? collection : { ...collection, sharding: own };
    })
    .sort((a, b) => compareTexts(a.namespace, b.namespace));
  return {
    databases: names,
    collections: known.filter(({ namespace }) => filter(namespace)),
    known,
    named: named !== null,
    unlisted: [...(absent === null ? [] : [{ absent }]), ...listed.flatMap(({ unlisted }) => unlisted)],
    ...(sharding?.present === true && { shards: sharding.value.shards }),
    ...(sharding?.present === false && { shardingUnknown: sharding }),
  };
}

async function listDatabases(reader: ClusterReader): Promise<{ names: string[]; absent: Absent | null }> {
  try {
    // Without `authorizedDatabases: false` the server silently omits what the user may not see.
    return { names: await databaseNames(reader, false), absent: null };
  } catch (error) {
    const reason = skipReason(error);
    if (reason !== 'privilege' && reason !== 'unsupported') throw unlistable(error);
    const absent = absentBecause(
      error,
      'listing every database (only those that the user can read were linted)',
      'listDatabases on the cluster, as in the role clusterMonitor',
    );
    try {
      return { names: await databaseNames(reader, true), absent };
    } catch (secondError) {
      const isDenied = skipReason(secondError) === 'privilege';
      throw isDenied ? await nothingToRead(reader).catch(unlistable) : unlistable(secondError);
    }
  }
}

async function databaseNames(reader: ClusterReader, authorizedDatabases: boolean): Promise<string[]> {
  const answer = await reader.command('admin', { listDatabases: 1, nameOnly: true, authorizedDatabases });
  return neededDocuments('listDatabases', answer, 'databases')
    .map((database) => neededText('listDatabases', database, 'name'))
    .filter((name) => !isSystemDatabase(name))
    .sort();
}

function unlistable(error: unknown): LintError {
  return new LintError(
    `The databases can't be listed (${errorName(error)}): run again when the server answers, or with --verbose.`,
    { cause: error },
  );
}

async function nothingToRead(reader: ClusterReader): Promise<LintError> {
  const status = await reader.command('admin', { connectionStatus: 1 }).catch((error: unknown) => {
    if (isServerError(error)) return null;
    throw error;
  });
  const users: unknown = documentIn(status, 'authInfo')?.['authenticatedUsers'];
  return Array.isArray(users) && users.length === 0
    ? new LintError(
        'The server demands authentication: put user and password into the connection string, as in mongodb://user:password@host/?authSource=admin.',
      )
    : new LintError(
        "The user can't read any database: grant the role read on one, readAnyDatabase and clusterMonitor for all, or the role that `mongolint role` prints.",
      );
}

interface ListedDatabase {
  readonly collections: readonly Collection[];
  readonly unlisted: Inventory['unlisted'];
}

async function listDatabase(reader: ClusterReader, database: string): Promise<ListedDatabase> {
  try {
    return { collections: collectionsOf(database, await reader.listCollections(database)), unlisted: [] };
  } catch (error) {
    if (skipReason(error) === 'privilege') return listReadable(reader, database, error);
    return { collections: [], unlisted: [{ database, absent: absentFrom(database, error) }] };
  }
}

/** Without the privilege to list collections, the server still names those that the user may read, without options. */
async function listReadable(reader: ClusterReader, database: string, denied: unknown): Promise<ListedDatabase> {
  const unlisted = [{ database, absent: absentFrom(database, denied) }];
  try {
    const described = await reader.listCollections(database, { authorizedCollections: true, nameOnly: true });
    return { collections: collectionsOf(database, described, OPTIONS_UNKNOWN), unlisted };
  } catch (error) {
    return { collections: [], unlisted: [{ database, absent: absentFrom(database, error) }] };
  }
}

function absentFrom(database: string, error: unknown): Absent {
  return absentBecause(
    error,
    `listing the collections of ${database} (those that the user can read were linted)`,
    `listCollections on ${database}`,
  );
}

const COMMAND = 'listCollections';
const OPTIONS_UNKNOWN = { optionsUnknown: true } as const;

function collectionsOf(database: string, described: readonly Document[], rest: Partial<Collection> = {}): Collection[] {
  return described
    .filter((description) => !isSystemCollection(neededText(COMMAND, description, 'name')))
    .map((description) => collectionOf(database, description, rest));
}

function collectionOf(database: string, description: Document, rest: Partial<Collection>): Collection {
  const name = neededText(COMMAND, description, 'name');
  const options: Document = description['options'] ?? {};
  const timeseries: Document | undefined = options['timeseries'];
  const uuid: unknown = description['info']?.['uuid'];
  return {
    ...rest,
    namespace: `${database}.${name}`,
    database,
    name,
    kind: kindOf(description['type']),
    ...(uuid instanceof Binary && { uuid: Buffer.from(uuid.buffer).toString('hex') }),
    clustered: options['clusteredIndex'] !== undefined,
    ...(options['capped'] === true && {
      capped: {
        sizeBytes: neededFigure(COMMAND, options, 'size'),
        ...(options['max'] !== undefined && { documents: neededFigure(COMMAND, options, 'max') }),
      },
    }),
    ...(options['collation'] !== undefined && { collation: neededDocument(COMMAND, options, 'collation') }),
    ...(options['validator'] !== undefined && { validator: neededDocument(COMMAND, options, 'validator') }),
    ...validationOf(options),
    ...(typeof options['expireAfterSeconds'] === 'number' && { expireAfterSeconds: options['expireAfterSeconds'] }),
    ...(options['changeStreamPreAndPostImages']?.['enabled'] === true && { preAndPostImages: true }),
    ...(options['encryptedFields'] !== undefined && { encrypted: true }),
    ...(options['viewOn'] !== undefined && {
      viewOn: neededText(COMMAND, options, 'viewOn'),
      pipeline: options['pipeline'] ?? [],
    }),
    ...(timeseries !== undefined && {
      timeseries: {
        timeField: neededText(COMMAND, timeseries, 'timeField'),
        ...(timeseries['metaField'] !== undefined && { metaField: neededText(COMMAND, timeseries, 'metaField') }),
        ...(timeseries['granularity'] !== undefined
          ? { granularity: neededText(COMMAND, timeseries, 'granularity') }
          : timeseries['bucketMaxSpanSeconds'] !== undefined && {
              bucketMaxSpanSeconds: neededFigure(COMMAND, timeseries, 'bucketMaxSpanSeconds'),
            }),
      },
    }),
  };
}

function validationOf(options: Document): Pick<Collection, 'validation'> {
  const [level, action] = [textIn(options, 'validationLevel'), textIn(options, 'validationAction')];
  if (options['validator'] === undefined || (level === null && action === null)) return {};
  return { validation: { ...(level !== null && { level }), ...(action !== null && { action }) } };
}

function kindOf(type: unknown): CollectionKind {
  return type === 'view' || type === 'timeseries' ? type : 'collection';
}
