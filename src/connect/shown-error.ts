import { MongoError, MongoServerError } from 'mongodb';
import { LintError } from '../lint-error.js';
import { withoutUris } from '../text/hidden-uris.js';
import { DeadlineError, InterruptedError } from './deadline.js';
import { errorName } from './server-error.js';
import { hasShownHosts } from './shown-uri.js';

const OWN_ERRORS = [LintError, DeadlineError, InterruptedError];

const ERROR_CODE = /^[A-Z][A-Z0-9_]*$/;
const ADDRESS = String.raw`(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?`;
/** Nothing but hosts and times. */
const CONNECTION_MESSAGES = [
  /^Server selection timed out after \d+ ms$/,
  /^Timed out (?:during socket connect|after \d+ms)[\w ()]*$/,
  /^Socket '\w+' timed out after \d+ms \(connectTimeoutMS: \d+\)$/,
  new RegExp(`^connection (?:\\d+|<monitor>) to ${ADDRESS} (?:closed|timed out)$`),
  new RegExp(
    `^Server at ${ADDRESS} reports (?:maximum|minimum) wire version \\d+, but this version of the Node\\.js Driver requires at (?:least|most) \\d+ \\(MongoDB [\\d.]+\\)$`,
  ),
  /^No addresses found at host$/,
  /^Server record does not [\w ]+$/,
  /^Invalid DNS host name$/,
];
const HOST_IN_MESSAGE = /^connection|^Server at/;

/**
 * Why a connection failed, in half a sentence: what the system or the driver says if it quotes nothing of the connection
 * string but its hosts, or else only the error's code or name.
 */
export function connectionReason(error: unknown, uri: string): string {
  const chain = causesOf(error);
  const isShown = hasShownHosts(uri);
  const said = chain.map(({ message }) => message).find((each) => CONNECTION_MESSAGES.some((one) => one.test(each)));
  if (said !== undefined && (isShown || !HOST_IN_MESSAGE.test(said))) return said;
  const system = chain.find(({ code }) => ERROR_CODE.test(String(code)));
  if (system === undefined) return errorName(chain.find((each) => each instanceof MongoServerError) ?? error);
  const { syscall = '', code, hostname, address, port } = system;
  const host = hostname ?? (port === undefined ? '' : `${address}:${port}`);
  const parts = [/^\w+$/.test(syscall) ? syscall : '', code, isShown && /^[\w.:-]+$/.test(host) ? host : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** Its stack and those of its causes. Messages are shown if mongolint words them, or if nothing in them is quoted. */
export function traceOf(error: Error, uri = ''): string {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const cause = error.cause instanceof Error ? [`caused by ${traceOf(error.cause, uri)}`] : [];
  return [headOf(error, uri), ...frames.map((frame) => withoutUris(frame)), ...cause].join('\n');
}

/** An error to be kept as a cause: name, code and stack of the other, and of its causes, without what they quote. */
export function shownCause(error: unknown, uri: string): Error {
  const shown = new Error(error instanceof Error ? headOf(error, uri) : typeof error);
  if (error instanceof Error) {
    shown.stack = traceOf(error, uri);
    const { code } = error as { code?: unknown };
    if (typeof code === 'number' || ERROR_CODE.test(String(code))) Object.assign(shown, { code });
  }
  return shown;
}

function headOf(error: Error, uri: string): string {
  if (OWN_ERRORS.some((own) => error instanceof own)) return `${error.name}: ${error.message}`;
  if (error instanceof MongoServerError) return errorName(error);
  if (error instanceof MongoError || 'code' in error) return `${error.name}: ${connectionReason(error, uri)}`;
  // A syntax error quotes the source: in a configuration, that is the connection string.
  if (error instanceof SyntaxError) return error.name;
  const message = withoutUris(error.message, uri);
  return holdsPiece(message, uri) ? error.name : `${error.name}: ${message}`;
}

/** Whether a text holds the password or a piece of it, however the connection string is malformed. */
function holdsPiece(text: string, uri: string): boolean {
  const pieces = `${uri} ${decoded(uri)}`.split(/[^\p{L}\p{N}]+/u);
  return pieces.some((piece) => !/^(?:mongodb|srv|)$/.test(piece) && text.includes(piece));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface AnyError extends Error {
  readonly code?: unknown;
  readonly syscall?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** An error and its causes, the outermost first. */
export function causesOf(error: unknown): AnyError[] {
  if (!(error instanceof Error)) return [];
  return [error as AnyError, ...causesOf(error.cause)];
}
