import { driverText } from '../operations/clients.js';

/** The server's own text, after a prefix by syslog, journald or a container's runtime. */
export const LINE_START = '{"t":{"$date":"';

const MESSAGE = 'client metadata';

/** The line in which a client says who it is, once for each connection. */
export const CLIENT_METADATA = `"msg":"${MESSAGE}"`;

/** Connections remembered. A log of a day can have more: those of the first hours are then closed. */
const MOST_CONNECTIONS = 100_000;

/** The same for all connections of an application's processes, up to the end of the line. */
const CLIENT = '"doc":';
const CONTEXT = /"ctx":"([^"\\]+)"/;

/** Distinct clients remembered. */
const MOST_CLIENTS = 1_000;

/** The drivers of a log's connections, by their names in it: `conn12`. */
export class ConnectionDrivers {
  readonly #byConnection = new Map<string, string>();
  readonly #byClient = new Map<string, string>();

  add(line: string): void {
    const end = line.indexOf(CLIENT);
    if (end === -1) return;
    const client = line.slice(end);
    const known = this.#byClient.get(client);
    if (known !== undefined) this.#remember(CONTEXT.exec(line.slice(0, end))?.[1], known);
    else this.#parse(line, client);
  }

  #parse(line: string, client: string): void {
    const start = line.indexOf(LINE_START);
    const parsed = start === -1 ? null : parsedLine(line.slice(start));
    if (parsed?.msg !== MESSAGE || typeof parsed.ctx !== 'string') return;
    const driver = driverText((parsed.attr?.['doc'] as { readonly driver?: unknown } | undefined)?.driver);
    if (driver === null) return;
    if (this.#byClient.size >= MOST_CLIENTS) this.#byClient.clear();
    this.#byClient.set(client, driver);
    this.#remember(parsed.ctx, driver);
  }

  #remember(connection: string | undefined, driver: string): void {
    if (connection === undefined) return;
    if (this.#byConnection.size >= MOST_CONNECTIONS) this.#byConnection.clear();
    this.#byConnection.set(connection, driver);
  }

  of(connection: unknown): string | null {
    return typeof connection === 'string' ? (this.#byConnection.get(connection) ?? null) : null;
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
