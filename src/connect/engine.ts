import type { Document } from 'mongodb';
import { documentIn, textIn } from './answer.js';

export const ENGINES = [
  'MongoDB',
  'Amazon DocumentDB',
  'Azure Cosmos DB for MongoDB (RU)',
  'Azure DocumentDB (vCore)',
  'DocumentDB on PostgreSQL',
  'FerretDB',
  'Google Firestore',
  'unknown',
] as const;

export type EngineName = (typeof ENGINES)[number];

export interface Engine {
  readonly name: EngineName;
  /** Its own version, "v1.24.2"; null if it tells only the version of MongoDB that it resembles. */
  readonly version: string | null;
}

export interface Capabilities {
  readonly engine: Engine;
  /** True of mongos, which answers for shards. Other engines say so too, without having any. */
  readonly isRouter: boolean;
}

export interface KnownServer {
  capabilities: Capabilities;
}

export function unknownServer(): KnownServer {
  return { capabilities: { engine: { name: 'unknown', version: null }, isRouter: false } };
}

export interface FirstAnswers {
  readonly hosts: readonly string[];
  readonly hello: Document;
  readonly buildInfo: Document;
}

// Not by mongodb-build-info, which knows the hosts too: it takes both kinds of Cosmos DB for one, and asks with
// `getParameter`, a command that mongolint does not send. Sources: the services' manuals on connection strings.
const HOSTS: readonly (readonly [RegExp, EngineName])[] = [
  [/\.mongocluster\.cosmos\.azure\.com$/i, 'Azure DocumentDB (vCore)'],
  [/\.mongo\.cosmos\.azure\.(?:com|cn|us)$/i, 'Azure Cosmos DB for MongoDB (RU)'],
  [/\.documents\.azure\.com$/i, 'Azure Cosmos DB for MongoDB (RU)'],
  [/\.docdb(?:-elastic)?\.[\w-]*\.?amazonaws\.com(?:\.cn)?$/i, 'Amazon DocumentDB'],
  [/\.firestore\.goog$/i, 'Google Firestore'],
];

export function engineOf({ hosts, hello, buildInfo }: FirstAnswers): Engine {
  const byHost = HOSTS.find(([host]) => hosts.some((each) => host.test(each)));
  if (byHost !== undefined) return { name: byHost[1], version: null };
  const ferret = textIn(buildInfo, 'ferretdbVersion') ?? textIn(buildInfo, 'ferretdb.version');
  if (ferret !== null) return { name: 'FerretDB', version: ferret };
  const internal = documentIn(hello, 'internal');
  if (internal !== null) return { name: 'DocumentDB on PostgreSQL', version: versionsIn(internal) };
  return { name: isMongoDB(buildInfo) ? 'MongoDB' : 'unknown', version: null };
}

/** `hello.internal` of the extension for PostgreSQL, below FerretDB 2 and Azure's service: empty, or with its versions. */
function versionsIn(internal: Document): string | null {
  const versions: unknown = internal['documentdb_versions'] ?? internal['cosmos_versions'];
  return Array.isArray(versions) && typeof versions[0] === 'string' ? versions[0] : null;
}

/** Each build of MongoDB tells its commit, in 40 hexadecimal digits, and its storage engines. */
function isMongoDB(buildInfo: Document): boolean {
  return /^[0-9a-f]{40}$/.test(textIn(buildInfo, 'gitVersion') ?? '') || Array.isArray(buildInfo['storageEngines']);
}
