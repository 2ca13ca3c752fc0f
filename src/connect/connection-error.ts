import {
  type MongoClient,
  MongoCompatibilityError,
  MongoServerError,
  MongoServerSelectionError,
  type ServerDescription,
} from 'mongodb';
import type { ConnectionString } from 'mongodb-connection-string-url';
import { LintError } from '../lint-error.js';
import { connectionFault, type ConnectionFault, unanswered } from './connection-fault.js';
import { DeadlineError, InterruptedError, LateAnswerError } from './deadline.js';
import { missingPackage } from './needed-packages.js';
import { errorName, isAuthenticationFailure } from './server-error.js';
import { shownCause } from './shown-error.js';
import { hasShownHosts, PREFERENCE_OPTIONS, whereOf } from './shown-uri.js';

const FILE_OPTIONS = ['tlsCAFile', 'tlsCRLFile', 'tlsCertificateKeyFile'];

const UNAUTHORIZED = 13;

/** BadValue, as old servers say, and MechanismUnavailable. */
const NO_SUCH_MECHANISM: ReadonlySet<unknown> = new Set([2, 334]);

/** What to do about a connection that failed, in one line without credentials. */
export function connectionError(
  error: unknown,
  /** What failed on the hosts, in a sentence without its full stop; null if none has failed. */
  fault: string | null,
  uri: ConnectionString,
  { uri: given, timeout }: { readonly uri: string; readonly timeout: number },
): LintError {
  return new LintError(messageOf(error, fault, uri, whereOf(given), timeout), { cause: shownCause(error, given) });
}

function messageOf(
  error: unknown,
  fault: string | null,
  uri: ConnectionString,
  where: string,
  timeout: number,
): string {
  if ([DeadlineError, InterruptedError, LateAnswerError].some((kind) => error instanceof kind))
    return `Not connected to ${where}: ${(error as Error).message}.`;
  if (error instanceof MongoServerError) return `${refusal(error, uri, where)}.`;
  const needed = missingPackage(error);
  if (needed !== null) return `${needed}.`;
  if (error instanceof HopelessConnectionError) return `No usable server at ${where}: ${fault}.`;
  if (error instanceof MongoServerSelectionError)
    return `No usable server at ${where} within ${timeout} ms: ${fault ?? unsuited(uri)}.`;
  if ((error as NodeJS.ErrnoException).syscall === 'open') return `${unreadableFile(error, uri)}.`;
  if (isSrvLookUp(error)) return `${unknownDeployment(error, where)}.`;
  if (error instanceof MongoCompatibilityError && uri.searchParams.get('loadBalanced') === 'true')
    return `${where} is not behind a load balancer for MongoDB: remove loadBalanced=true.`;
  return `No usable server at ${where}: ${connectionFault(error, where, uri).text}.`;
}

/** Why the server refused the user, or the first commands. */
function refusal(error: MongoServerError, uri: ConnectionString, where: string): string {
  const mechanism = uri.searchParams.get('authMechanism');
  if (mechanism !== null && NO_SUCH_MECHANISM.has(error.code))
    return `${where} does not offer the authMechanism of the connection string: remove it, or enable it on the server`;
  if (isAuthenticationFailure(error)) return `Authentication failed on ${where}: ${authenticationAdvice(uri)}`;
  if (error.code === UNAUTHORIZED && uri.username === '')
    return `${where} requires authentication: write user and password into the connection string`;
  return `${where} refused mongolint's first commands: ${errorName(error)}`;
}

function authenticationAdvice({ searchParams, pathname }: ConnectionString): string {
  const mechanism = searchParams.get('authMechanism')?.toUpperCase();
  if (mechanism === 'MONGODB-X509') {
    return searchParams.has('tlsCertificateKeyFile')
      ? 'create a user in $external named as the subject of the client certificate'
      : 'MONGODB-X509 needs tls=true and tlsCertificateKeyFile=/path/to/client.pem';
  }
  if (mechanism !== undefined && mechanism.startsWith('MONGODB-'))
    return `check that $external has the user that ${mechanism} stands for`;
  const rest = 'check user, password, authSource and authMechanism of the connection string';
  const isInPath = /^\/[^/]+/.test(pathname) && !searchParams.has('authSource');
  return isInPath
    ? `the user is looked up in the database that the path names: add authSource=admin, or ${rest}`
    : rest;
}

function unreadableFile(error: unknown, { searchParams }: ConnectionString): string {
  const { code } = error as NodeJS.ErrnoException;
  if (searchParams.get('authMechanism')?.toUpperCase() === 'MONGODB-OIDC')
    return `MONGODB-OIDC finds no token file of its ENVIRONMENT here (${code}): run where it is mounted, as in the pod, or correct authMechanismProperties`;
  const files = FILE_OPTIONS.filter((option) => searchParams.has(option));
  return `A file that the connection string names can't be read (${files.join(', ')}): ${code}`;
}

function isSrvLookUp(error: unknown): boolean {
  return /^query(?:Srv|Txt)$/.test(String((error as NodeJS.ErrnoException).syscall));
}

function unknownDeployment(error: unknown, where: string): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'ENODATA'
    ? `DNS has no SRV record _mongodb._tcp.${where} (${code}): check the host name, or list the hosts with mongodb://`
    : `DNS does not answer for the SRV record of ${where} (${code}): check this machine's DNS, or list the hosts with mongodb://`;
}

/** Hosts answer, but the read preference fits none. */
function unsuited({ searchParams }: ConnectionString): string {
  const options = PREFERENCE_OPTIONS.filter((name) => searchParams.has(name));
  return options.length === 0
    ? 'no member that answers can be read'
    : `no member fits ${options.join(', ')} of the connection string: relax it, or check rs.status()`;
}

/** Waiting for a server can't help any more. */
class HopelessConnectionError extends Error {
  override readonly name = 'HopelessConnectionError';
}

interface Failing {
  readonly fault: ConnectionFault;
  /** In a row. */
  readonly times: number;
}

/** What became of each host while a client connects. */
export class ConnectionAttempt {
  readonly #failing = new Map<string, Failing>();
  readonly #answering = new Set<string>();
  #servers: readonly ServerDescription[] = [];
  /** Rejects once every host has failed for good; never resolves. */
  readonly hopeless: Promise<never>;

  constructor(
    private readonly client: MongoClient,
    private readonly uri: ConnectionString,
  ) {
    client.on(
      'topologyDescriptionChanged',
      ({ newDescription }) => (this.#servers = [...newDescription.servers.values()]),
    );
    client.on('serverHeartbeatSucceeded', ({ connectionId, reply }) => this.#answered(connectionId, reply));
    this.hopeless = new Promise((_, reject) => {
      const giveUpIfHopeless = () => this.#isHopeless() && reject(new HopelessConnectionError());
      client.on('serverHeartbeatSucceeded', giveUpIfHopeless);
      client.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
        this.#answering.delete(connectionId);
        this.#fail(connectionId, connectionFault(failure, this.#shown(connectionId), uri));
        giveUpIfHopeless();
      });
    });
    // Whoever waits for it hears of it.
    this.hopeless.catch(() => {});
  }

  /** The members that the driver knows now. */
  get servers(): readonly ServerDescription[] {
    return this.#servers;
  }

  /** What is wrong, in a sentence without its full stop; null if each host that answered is well. */
  get fault(): string | null {
    const failing = [...this.#failing.values()];
    const [{ fault } = { fault: null }] = failing.toSorted((a, b) => a.fault.finalAfter - b.fault.finalAfter);
    if (fault === null)
      return this.#answering.size > 0 ? null : unanswered(this.#shown(this.client.options.hosts.join()));
    const [seed] = this.#answering;
    // The driver goes by the names that the set's members have in its configuration.
    return seed === undefined || this.client.options.directConnection
      ? fault.text
      : `${this.#shown(seed)} answers, but not the members that its replica set lists: ${fault.text}; or add directConnection=true to read from ${this.#shown(seed)} alone`;
  }

  #answered(host: string, { setName }: { readonly setName?: unknown }): void {
    const wanted = this.client.options.replicaSet;
    if (typeof wanted !== 'string' || wanted === setName) {
      this.#failing.delete(host);
      this.#answering.add(host);
      return;
    }
    const is = typeof setName === 'string' ? `a member of the replica set "${setName}"` : 'no member of a replica set';
    const advice = typeof setName === 'string' ? `set replicaSet=${setName}` : 'remove replicaSet';
    this.#fail(host, { text: `${this.#shown(host)} is ${is}: ${advice}`, finalAfter: 1 });
  }

  #fail(host: string, fault: ConnectionFault): void {
    const before = this.#failing.get(host);
    this.#failing.set(host, { fault, times: before?.fault.text === fault.text ? before.times + 1 : 1 });
  }

  #isHopeless(): boolean {
    const known = this.#servers.map(({ address }) => address);
    const hosts = known.length > 0 ? known : this.client.options.hosts.map(String);
    return hosts.every((host) => {
      const failing = this.#failing.get(host);
      return failing !== undefined && failing.times >= failing.fault.finalAfter;
    });
  }

  #shown(host: string): string {
    if (host.endsWith('.sock')) return 'the socket';
    return hasShownHosts(this.uri.href) ? host : 'the server';
  }
}
