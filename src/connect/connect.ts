import type { MongoClient, Document, ReadPreferenceMode, ServerDescription } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { LintError } from '../lint-error.js';
import { neededText } from './answer.js';
import { type ClientObserver, closeClient, type ConnectOptions, openClient } from './client.js';
import { ClusterReader } from './cluster-reader.js';
import { ConnectionAttempt, connectionError } from './connection-error.js';
import { Deadline } from './deadline.js';
import { engineOf, unknownServer, type Capabilities, type Engine } from './engine.js';
import { LoadControl, type ServerLoadSummary } from './load-control.js';
import { MemberConnections } from './members.js';
import { loadNeededPackages } from './needed-packages.js';
import { ReadMembers, type ReadsSummary } from './read-members.js';
import { Recovery } from './recovery.js';
import { shownCause } from './shown-error.js';
import { uriFault } from './uri-refusal.js';

const READABLE = new Set(['RSPrimary', 'RSSecondary', 'Standalone', 'Mongos', 'LoadBalancer']);

const ATLAS_HOST = /\.mongodb(?:-dev|gov)?\.net$/;

export interface Cluster {
  readonly topology: 'standalone' | 'replicaSet' | 'sharded';
  /** "6.0.5"; of another engine, the version of MongoDB that it resembles. */
  readonly version: string;
  readonly engine: Engine;
  readonly name: string | null;
  readonly atlas: boolean;
  /** The kind of node that reads go to; null if that differs from read to read, or mongos decides. */
  readonly readFrom: 'primary' | 'secondary' | null;
}

export interface Connection {
  readonly cluster: Cluster;
  readonly reader: ClusterReader;
  /** How the run spared the server, so far; null if it did not have to. */
  serverLoad(): ServerLoadSummary | null;
  /** Members that were lost while they were read, and those that lag; null if there is neither. */
  reads(): ReadsSummary | null;
  /** For observers in tests; reads go through `reader`. */
  readonly client: MongoClient;
  close(): Promise<void>;
}

/** @throws LintError if the URI is malformed, nobody answers, or authentication fails; without credentials */
export async function connect(options: ConnectOptions, observe?: ClientObserver): Promise<Connection> {
  const parsed = parsedUri(options.uri);
  const client = openClient(options, observe);
  loadNeededPackages(parsed);
  const attempt = new ConnectionAttempt(client, parsed);
  const { readPreference } = client;
  const deadline = new Deadline(options.maxTime, options.timeout, options.interruption);
  const server = unknownServer();
  const members = new MemberConnections({
    uri: options.uri,
    client,
    deadline,
    server,
    open: (uri, longestWait) =>
      openClient({ ...options, uri, timeout: Math.min(options.timeout, longestWait) }, observe),
  });
  const readMembers = new ReadMembers(client, options.timeout);
  const recovery = new Recovery(client, deadline, readMembers);
  const reader = new ClusterReader(client, deadline, readPreference, members, server, recovery);
  // With a connection of its own: in the pool, a probe would wait for the reads of the run.
  const probing = openClient({ ...options, concurrency: 0 }, observe);
  const probed = new Recovery(probing, deadline, null);
  const prober = new ClusterReader(probing, deadline, readPreference, members, server, probed);
  const loadControl = new LoadControl(prober, deadline);
  const close = async (): Promise<void> => {
    loadControl.close();
    deadline.close();
    await Promise.all([members.close(), closeClient(client), closeClient(probing)]);
  };
  try {
    await deadline.within({}, new AbortController(), () => Promise.race([client.connect(), attempt.hopeless]));
    const asked = [reader.command('admin', { hello: 1 }), reader.command('admin', { buildInfo: 1 })] as const;
    const [hello, buildInfo] = await Promise.all(asked);
    if (unusableMember(attempt.servers) !== null) throw new Error('The server holds no data, or can not be read.');
    const hosts = [...parsed.hosts, ...client.options.hosts.map(String)].map((host) => host.replace(/:\d+$/, ''));
    server.capabilities = await readCapabilities(reader, hosts, hello, buildInfo);
    const topology = topologyOf(hello, server.capabilities.isRouter);
    const cluster = {
      topology,
      version: neededText('buildInfo', buildInfo, 'version'),
      engine: server.capabilities.engine,
      name: typeof hello['setName'] === 'string' ? hello['setName'] : null,
      atlas: hosts.some((host) => ATLAS_HOST.test(host)),
      readFrom: readFrom(topology, readPreference.mode, attempt.servers),
    };
    loadControl.start();
    return {
      cluster,
      reader,
      client,
      serverLoad: () => loadControl.summary(),
      reads: () => readMembers.summary,
      close,
    };
  } catch (error) {
    // Before closing, which forgets them.
    const [unusable, { fault }] = [unusableMember(attempt.servers), attempt];
    await close();
    if (unusable !== null) throw new LintError(unusable, { cause: shownCause(error, options.uri) });
    throw connectionError(error, fault, parsed, options);
  }
}

function parsedUri(uri: string): ConnectionString {
  const fault = uriFault(uri);
  if (fault === null) return new ConnectionString(uri);
  const isAddress = uri.includes('://');
  const hint = isAddress ? ', with special characters percent-encoded' : '; `mongolint --help` lists the commands';
  throw new LintError(
    `This is not a MongoDB connection string${isAddress ? `: ${fault}` : ''}. Write it as mongodb://user:password@host:27017/?authSource=admin${hint}.`,
  );
}

function topologyOf(hello: Document, isRouter: boolean): Cluster['topology'] {
  if (isRouter) return 'sharded';
  return typeof hello['setName'] === 'string' ? 'replicaSet' : 'standalone';
}

function readFrom(
  topology: Cluster['topology'],
  mode: ReadPreferenceMode,
  servers: readonly ServerDescription[],
): Cluster['readFrom'] {
  if (topology === 'standalone' || mode === 'primary') return 'primary';
  if (topology === 'sharded' || mode === 'nearest') return null;
  if (mode === 'secondary') return 'secondary';
  const wanted = mode === 'secondaryPreferred' ? 'RSSecondary' : 'RSPrimary';
  const preferred = mode === 'secondaryPreferred' ? 'secondary' : 'primary';
  const other = mode === 'secondaryPreferred' ? 'primary' : 'secondary';
  return servers.some(({ type }) => type === wanted) ? preferred : other;
}

/** What to do if only members of a replica set answer that can't be read; null if something else is wrong, or nothing. */
function unusableMember(servers: readonly ServerDescription[]): string | null {
  if (servers.some(({ type }) => READABLE.has(type))) return null;
  const [member] = ['RSArbiter', 'RSOther', 'RSGhost'].flatMap((type) =>
    servers.filter((server) => server.type === type),
  );
  if (member === undefined) return null;
  const { address, type, setName } = member;
  if (type === 'RSGhost') {
    return `${address} is a member of a replica set that is not initiated, or that does not know it: run rs.initiate() there, or rs.add() on the primary.`;
  }
  const hosts = [...member.hosts, ...member.passives];
  if (type === 'RSArbiter') {
    return `${address} is an arbiter of the replica set ${setName} and holds no data. Connect to a member that does: ${hosts.join(', ')}.`;
  }
  return (
    `${address} is a member of the replica set ${setName} that can't be read now: it is starting, recovering or rolling back. ` +
    `Wait until rs.status() shows it as SECONDARY, or connect to the whole set: ${hosts.join(', ')}.`
  );
}

async function readCapabilities(
  reader: ClusterReader,
  hosts: readonly string[],
  hello: Document,
  buildInfo: Document,
): Promise<Capabilities> {
  const engine = engineOf({ hosts, hello, buildInfo });
  if (hello['msg'] !== 'isdbgrid') return { engine, isRouter: false };
  // Others say so too, without a shard.
  const isRouter = engine.name === 'MongoDB' || (engine.name === 'unknown' && (await hasShards(reader)));
  return { engine, isRouter };
}

async function hasShards(reader: ClusterReader): Promise<boolean> {
  try {
    const shards = reader.aggregate<Document>('config', 'shards', [{ $limit: 1 }, { $project: { _id: 1 } }]);
    return (await shards.toArray()).length > 0;
  } catch {
    return false;
  }
}
