import { textIn } from '../../connect/answer.js';
import { isIsoTime } from '../../time-units.js';
import { driverText } from '../operations/clients.js';
import type { ConnectedClient, CountsConnections } from '../operations/connection-tally.js';
import { isInternalClient } from '../operations/recorded-command.js';

/** The server's own text, after a prefix by syslog, journald or a container's runtime. */
export const LINE_START = '{"t":{"$date":"';

const MESSAGE = 'client metadata';

/** The line in which a client says who it is, once for each connection. */
export const CLIENT_METADATA = `"msg":"${MESSAGE}"`;

const ENDED = 'Connection ended';

/** The line of a connection that was closed. */
export const CONNECTION_ENDED = `"msg":"${ENDED}"`;

/** Connections remembered. A log of a day can have more: those of the first hours are then closed. */
const MOST_CONNECTIONS = 100_000;

/** The same for all connections of an application's processes, up to the end of the line. */
const CLIENT = '"doc":';
const CONTEXT = /"ctx":"([^"\\]+)"/;

/** The address of a client, without its port. */
const REMOTE = /"remote":"([^"\\]+):\d+"/;

/** Distinct clients remembered. */
const MOST_CLIENTS = 1_000;

interface Connection {
  readonly client: ConnectedClient;
  readonly openedAt: number;
  /** False of one that an earlier file has, too, and of the connections of the server, of agents and tools, and of mongolint. */
  readonly counts: boolean;
}

/** The clients of a log's connections, by their names in it: `conn12`. */
export class ConnectionDrivers {
  readonly #byConnection = new Map<string, Connection>();
  readonly #byClient = new Map<string, ConnectedClient>();

  constructor(private readonly counts?: CountsConnections) {}

  /** @param isNew whether the line is in no earlier file */
  add(line: string, isNew = true): void {
    const end = line.indexOf(CLIENT);
    if (end === -1) return;
    const client = line.slice(end);
    const known = this.#byClient.get(client);
    if (known !== undefined) this.#remember(CONTEXT.exec(line.slice(0, end))?.[1], known, line, isNew);
    else this.#parse(line, client, isNew);
  }

  ended(line: string): void {
    const start = line.indexOf(LINE_START);
    const connection = CONTEXT.exec(line)?.[1];
    const known = connection === undefined ? undefined : this.#byConnection.get(connection);
    // An application's command may hold those bytes.
    if (start === -1 || known === undefined || parsedLine(line.slice(start))?.msg !== ENDED) return;
    this.#byConnection.delete(connection as string);
    const at = writtenAt(line);
    if (known.counts && at !== null) this.counts?.ended(known.client, known.openedAt, at);
  }

  #parse(line: string, text: string, isNew: boolean): void {
    const start = line.indexOf(LINE_START);
    const parsed = start === -1 ? null : parsedLine(line.slice(start));
    if (parsed?.msg !== MESSAGE || typeof parsed.ctx !== 'string') return;
    const document = parsed.attr?.['doc'] as { readonly driver?: unknown; readonly application?: unknown } | undefined;
    const client = { appName: textIn(document?.application, 'name'), driver: driverText(document?.driver) };
    if (client.driver === null) return;
    if (this.#byClient.size >= MOST_CLIENTS) this.#byClient.clear();
    this.#byClient.set(text, client);
    this.#remember(parsed.ctx, client, line, isNew);
  }

  #remember(connection: string | undefined, client: ConnectedClient, line: string, isNew: boolean): void {
    const openedAt = writtenAt(line);
    if (connection === undefined || openedAt === null) return;
    if (this.#byConnection.size >= MOST_CONNECTIONS) this.#byConnection.clear();
    const counts = isNew && !isInternalClient(client.appName, client.driver);
    this.#byConnection.set(connection, { client, openedAt, counts });
    if (counts) this.counts?.opened(client, openedAt, REMOTE.exec(line)?.[1] ?? null);
  }

  of(connection: unknown): string | null {
    return this.#client(connection)?.driver ?? null;
  }

  appNameOf(connection: unknown): string | null {
    return this.#client(connection)?.appName ?? null;
  }

  #client(connection: unknown): ConnectedClient | undefined {
    return typeof connection === 'string' ? this.#byConnection.get(connection)?.client : undefined;
  }
}

export interface LogLine {
  readonly t?: { readonly $date?: string };
  /** The service that wrote it, from 8.0 on: `R` for a router, `S` for a shard or a replica set. */
  readonly svc?: unknown;
  readonly msg?: unknown;
  readonly ctx?: unknown;
  readonly attr?: Record<string, unknown>;
  readonly truncated?: { readonly command?: unknown; readonly originatingCommand?: unknown };
}

/** Null if it is no JSON. */
export function parsedLine(text: string): LogLine | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as LogLine) : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

export function writtenAt(line: string): number | null {
  const start = line.indexOf(LINE_START) + LINE_START.length;
  const at = Date.parse(line.slice(start, line.indexOf('"', start)));
  return isIsoTime(at) ? at : null;
}
