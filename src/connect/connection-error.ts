import { MongoCompatibilityError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import type { ConnectionString } from 'mongodb-connection-string-url';
import { LintError } from '../lint-error.js';
import { HopelessConnectionError } from './connection-attempt.js';
import { connectionFault } from './connection-fault.js';
import { DeadlineError, InterruptedError, LateAnswerError } from './deadline.js';
import { missingPackage } from './needed-packages.js';
import { errorName, isAuthenticationFailure } from './server-error.js';
import { shownCause } from './shown-error.js';
import { PREFERENCE_OPTIONS, whereOf } from './shown-uri.js';

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
