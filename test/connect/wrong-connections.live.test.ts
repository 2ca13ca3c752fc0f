import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.js';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { LintError } from '../../src/lint-error.js';
import type { EmbeddedServer } from '../support/mongod/embedded-server.js';
import { ROOT_USER, startReplicaSet, startStandalone, startWithAuth } from '../support/servers.js';
import { KEY_PASSWORD, makeCertificates, type Certificates } from '../support/tls/certificates.js';
import { tlsProxy } from '../support/tls/tls-proxy.js';

const SECRET = 'SENTINEL-secret';
/** Of each mistake that is known at once: waiting for so long would end the test. */
const FAR_LIMIT = 600_000;
/** In ms, of what may pass by itself. */
const SHORT_LIMIT = 1_500;

/** What a connection string is made of: hosts by what listens there, and files. */
interface World extends Certificates {
  readonly folder: string;
  readonly plain: string;
  readonly tls: string;
  /** Takes only clients with a certificate. */
  readonly mutual: string;
  readonly expiredTls: string;
  readonly otherHostTls: string;
  readonly auth: string;
  readonly set: string;
  readonly http: string;
  readonly silent: string;
}

interface Mistake {
  readonly mistake: string;
  uri(world: World): string;
  readonly says: RegExp;
  /** It may pass by itself, and is waited for. */
  readonly waits?: true;
}

const user = `ada:${SECRET}`;
const tls = ({ ca }: World) => `tls=true&tlsCAFile=${ca}`;

const MISTAKES: readonly Mistake[] = [
  {
    mistake: 'no TLS where the server requires it',
    uri: (at) => `mongodb://${user}@${at.tls}/`,
    says: /closed the connection during the handshake: either it requires TLS \(add tls=true\), or all its connections are in use, or the port is not MongoDB's\.$/,
  },
  {
    mistake: 'TLS where the server has none',
    uri: (at) => `mongodb://${user}@${at.plain}/?${tls(at)}`,
    says: /closed the connection during the handshake: either it has no TLS \(remove tls=true\), or all its connections/,
  },
  {
    mistake: 'an unknown CA',
    uri: (at) => `mongodb://${user}@${at.tls}/?tls=true`,
    says: /is signed by a CA that is unknown here: add tlsCAFile=\/path\/to\/ca\.pem\.$/,
  },
  {
    mistake: 'the CA of other servers',
    uri: (at) => `mongodb://${user}@${at.tls}/?tls=true&tlsCAFile=${at.otherCa}`,
    says: /is not signed by a CA in the file that tlsCAFile names: use the CA of that server\.$/,
  },
  {
    mistake: 'a missing file of the CA',
    uri: (at) => `mongodb://${user}@${at.tls}/?tls=true&tlsCAFile=${at.folder}/none.pem`,
    says: /^A file that the connection string names can't be read \(tlsCAFile\): ENOENT\.$/,
  },
  {
    mistake: 'an expired certificate',
    uri: (at) => `mongodb://${user}@${at.expiredTls}/?${tls(at)}`,
    says: /has expired or is not valid yet: renew it there, or check this machine's clock\.$/,
  },
  {
    mistake: 'a certificate of another host',
    uri: (at) => `mongodb://${user}@${at.otherHostTls}/?${tls(at)}`,
    says: /is issued for other host names: connect by a name that it lists, or add tlsAllowInvalidHostnames=true\.$/,
  },
  {
    mistake: 'no client certificate where one is required',
    uri: (at) => `mongodb://${user}@${at.mutual}/?${tls(at)}`,
    says: /requires a client certificate that its CA signed: add tlsCertificateKeyFile=|closed the connection during the handshake/,
  },
  {
    mistake: 'a wrong password of the key',
    uri: (at) =>
      `mongodb://${at.mutual}/?${tls(at)}&tlsCertificateKeyFile=${at.clientWithPassword}&tlsCertificateKeyFilePassword=${SECRET}`,
    says: /is encrypted: check tlsCertificateKeyFilePassword\.$/,
  },
  {
    mistake: 'a certificate without its key',
    uri: (at) => `mongodb://${at.mutual}/?${tls(at)}&tlsCertificateKeyFile=${at.ca}`,
    says: /must hold a certificate and its private key, both as PEM\.$/,
  },
  {
    mistake: 'another replica set',
    uri: (at) => `mongodb://${user}@${at.set}/?replicaSet=wrong`,
    says: /is a member of the replica set "testset": set replicaSet=testset\.$/,
  },
  {
    mistake: 'another replica set over a direct connection',
    uri: (at) => `mongodb://${user}@${at.set}/?replicaSet=wrong&directConnection=true`,
    says: /is a member of the replica set "testset": set replicaSet=testset\.$/,
  },
  {
    mistake: 'a replica set where there is none',
    uri: (at) => `mongodb://${user}@${at.plain}/?replicaSet=rs0`,
    says: /is no member of a replica set: remove replicaSet\.$/,
  },
  {
    mistake: 'a load balancer where there is none',
    uri: (at) => `mongodb://${user}@${at.plain}/?loadBalanced=true`,
    says: /is not behind a load balancer for MongoDB: remove loadBalanced=true\.$/,
  },
  {
    mistake: 'a load balancer with several hosts',
    uri: (at) => `mongodb://${user}@${at.plain},${at.set}/?loadBalanced=true`,
    says: /loadBalanced=true takes one host, that of the load balancer\.$/,
  },
  {
    mistake: 'a load balancer with a replica set',
    uri: (at) => `mongodb://${user}@${at.plain}/?loadBalanced=true&replicaSet=rs0`,
    says: /loadBalanced=true and replicaSet exclude each other: remove replicaSet\.$/,
  },
  {
    mistake: 'a load balancer over a direct connection',
    uri: (at) => `mongodb://${user}@${at.plain}/?loadBalanced=true&directConnection=true`,
    says: /loadBalanced=true and directConnection=true exclude each other: remove one\.$/,
  },
  {
    mistake: 'a direct connection to several hosts',
    uri: (at) => `mongodb://${user}@${at.plain},${at.set}/?directConnection=true`,
    says: /directConnection=true takes one host: name one, or remove the option\.$/,
  },
  {
    mistake: 'a direct connection to an SRV name',
    uri: () => `mongodb+srv://${user}@cluster.example.com/?directConnection=true`,
    says: /directConnection=true needs a host: write mongodb:\/\/host:27017 instead of mongodb\+srv:\/\/\.$/,
  },
  {
    mistake: 'OIDC without an environment',
    uri: (at) => `mongodb://${at.plain}/?authMechanism=MONGODB-OIDC`,
    says: /needs authMechanismProperties=ENVIRONMENT:azure, gcp or k8s, since nobody can log in by a browser here\.$/,
  },
  {
    mistake: 'OIDC of an unknown environment',
    uri: (at) => `mongodb://${at.plain}/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:moon`,
    says: /authMechanismProperties takes ENVIRONMENT:azure, gcp, k8s or test\.$/,
  },
  {
    mistake: 'OIDC of Azure without an audience',
    uri: (at) => `mongodb://${at.plain}/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:azure`,
    says: /need TOKEN_RESOURCE in authMechanismProperties, the audience that the server expects\.$/,
  },
  {
    mistake: 'OIDC of Kubernetes outside of a pod',
    uri: (at) => `mongodb://${at.plain}/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:k8s`,
    says: /^MONGODB-OIDC finds no token file of its ENVIRONMENT here \(ENOENT\): /,
  },
  {
    mistake: 'a wrong password',
    uri: (at) => `mongodb://${ROOT_USER.name}:${SECRET}@${at.auth}/?authSource=admin`,
    says: /^Authentication failed on 127\.0\.0\.1:\d+: check user, password, authSource and authMechanism of the connection string\.$/,
  },
  {
    mistake: 'a database in the path and no authSource',
    uri: (at) => `mongodb://${ROOT_USER.name}:${SECRET}@${at.auth}/shop`,
    says: /^Authentication failed on 127\.0\.0\.1:\d+: the user is looked up in the database that the path names: add authSource=admin, or check /,
  },
  {
    mistake: 'a mechanism that the server does not offer',
    uri: (at) => `mongodb://${user}@${at.auth}/?authMechanism=PLAIN`,
    says: /does not offer the authMechanism of the connection string: remove it, or enable it on the server\.$/,
  },
  {
    mistake: 'a mechanism that there is not',
    uri: (at) => `mongodb://${user}@${at.auth}/?authMechanism=MONGODB-CR`,
    says: /its authMechanism is none of SCRAM-SHA-256, .* and PLAIN\.$/,
  },
  {
    mistake: 'X.509 without a certificate',
    uri: (at) => `mongodb://${at.auth}/?authMechanism=MONGODB-X509`,
    says: /^Authentication failed on 127\.0\.0\.1:\d+: MONGODB-X509 needs tls=true and tlsCertificateKeyFile=/,
  },
  {
    mistake: 'AWS keys in the connection string',
    uri: (at) => `mongodb://${user}@${at.plain}/?authMechanism=MONGODB-AWS`,
    says: /MONGODB-AWS takes no user and password here: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run with an IAM role\.$/,
  },
  {
    mistake: 'an unknown compressor',
    uri: (at) => `mongodb://${user}@${at.plain}/?compressors=lz4`,
    says: /compressors takes snappy, zlib and zstd\.$/,
  },
  {
    mistake: 'contradictory tls and ssl',
    uri: (at) => `mongodb://${user}@${at.plain}/?tls=true&ssl=false`,
    says: /tls and ssl contradict each other: keep tls\.$/,
  },
  {
    mistake: 'a staleness that the server does not take',
    uri: (at) => `mongodb://${at.set}/?readPreference=secondary&maxStalenessSeconds=10`,
    says: /maxStalenessSeconds must be at least 90\.$/,
  },
  {
    mistake: 'staleness of the primary',
    uri: (at) => `mongodb://${user}@${at.set}/?readPreference=primary&maxStalenessSeconds=100`,
    says: /readPreferenceTags and maxStalenessSeconds need a readPreference such as secondaryPreferred\.$/,
  },
  {
    mistake: 'an unknown host',
    uri: () => `mongodb://${user}@no-such-host.invalid/`,
    says: /^No usable server at no-such-host\.invalid: no address is known for no-such-host\.invalid:27017 \(ENOTFOUND\): check the host name, and the DNS of this machine\.$/,
  },
  {
    mistake: 'an SRV name without a record',
    uri: () => `mongodb+srv://${user}@no-such-host.invalid/`,
    says: /SRV record (?:_mongodb\._tcp\.|of )no-such-host\.invalid \(\w+\): check .*, or list the hosts with mongodb:\/\/\.$/,
  },
  {
    mistake: 'the port of a web server',
    uri: (at) => `mongodb://${user}@${at.http}/`,
    says: /or the port is not MongoDB's\.$|does not answer as MongoDB does: check the port\.$/,
  },
  {
    mistake: 'the port of a web server, over TLS',
    uri: (at) => `mongodb://${user}@${at.http}/?tls=true`,
    says: /does not speak TLS: remove tls=true, and check that the port is MongoDB's\.$/,
  },
  {
    mistake: 'a port that nothing listens on',
    uri: () => `mongodb://${user}@127.0.0.1:1/`,
    says: /^No usable server at 127\.0\.0\.1:1 within 1500 ms: nothing listens on 127\.0\.0\.1:1 \(ECONNREFUSED\): check host and port, and that the server runs\.$/,
    waits: true,
  },
  {
    mistake: 'a socket that does not exist',
    uri: ({ folder }) => `mongodb://${user}@${encodeURIComponent(`${folder}/none.sock`)}/`,
    says: /the Unix socket does not exist \(ENOENT\): check its path, and that the server runs\.$/,
    waits: true,
  },
  {
    mistake: 'a host that does not answer',
    uri: (at) => `mongodb://${user}@${at.silent}/`,
    says: /does not answer: check host and port, firewall, VPN, and the IP access list of Atlas\.$/,
    waits: true,
  },
  {
    mistake: 'tags that no member has',
    uri: (at) => `mongodb://${at.set}/?readPreference=secondary&readPreferenceTags=dc:${SECRET}`,
    says: /no member fits readPreference, readPreferenceTags of the connection string: relax it, or check rs\.status\(\)\.$/,
    waits: true,
  },
];

let world: World;
const servers: EmbeddedServer[] = [];
const listening: { close(): unknown }[] = [];

beforeAll(async () => {
  const folder = await createTemporaryFolder(tmpdir());
  listening.push({ close: () => folder.remove() });
  const certificates = await makeCertificates(folder.path);
  const { ca, server, expired, otherHost } = certificates;
  const [plain, auth, set] = await Promise.all([
    started(startStandalone()),
    started(startWithAuth()),
    started(startReplicaSet()),
  ]);
  const encrypted = ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', server, '--tlsCAFile', ca];
  const behind = async (file: string) => {
    const pem = await readFile(file, 'utf8');
    const [host = '', port] = plain.split(':');
    const proxy = await tlsProxy({ host, port: Number(port) }, { cert: pem, key: pem });
    listening.push(proxy);
    return proxy.address;
  };
  world = {
    ...certificates,
    folder: folder.path,
    plain,
    auth,
    set,
    tls: await started(startStandalone({ args: [...encrypted, '--tlsAllowConnectionsWithoutCertificates'] })),
    mutual: await started(startStandalone({ args: encrypted })),
    expiredTls: await behind(expired),
    otherHostTls: await behind(otherHost),
    http: await addressOf(createHttpServer((_, response) => response.end('no database'))),
    silent: await addressOf(createServer(() => undefined)),
  };
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all(listening.map((each) => each.close()));
});

it.concurrent.each(MISTAKES)('$mistake', async ({ uri, says, waits }) => {
  const error = await failureOf(uri(world), waits === true ? SHORT_LIMIT : FAR_LIMIT);
  expect(error.message).toMatch(says);
  expect(error.message).not.toMatch(/\n/);
  expect(error.message).not.toContain(SECRET);
});

it('takes a client certificate with the password of its key', async () => {
  const files = `${tls(world)}&tlsCertificateKeyFile=${world.clientWithPassword}&tlsCertificateKeyFilePassword=${KEY_PASSWORD}`;
  const connection = await connect(optionsOf(`mongodb://${world.mutual}/?${files}`, FAR_LIMIT));
  expect(connection.cluster.topology).toBe('standalone');
  await connection.close();
});

async function started(starting: Promise<EmbeddedServer>): Promise<string> {
  const server = await starting;
  servers.push(server);
  return hostOf(server.uri);
}

const optionsOf = (uri: string, timeout: number) => ({ uri, timeout, maxTime: FAR_LIMIT, concurrency: 1 });

async function failureOf(uri: string, timeout: number): Promise<LintError> {
  const failure: unknown = await connect(optionsOf(uri, timeout)).then(
    ({ close }) => close(),
    (error: unknown) => error,
  );
  if (!(failure instanceof LintError)) throw new Error(`no LintError, but ${String(failure)}`, { cause: failure });
  return failure;
}

function hostOf(uri: string): string {
  return new URL(uri.replace('mongodb:', 'http:')).host;
}

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  listening.push(server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
