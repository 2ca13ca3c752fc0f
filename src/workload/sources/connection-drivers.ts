import { driverText } from '../operations/clients.js';
import { LINE_START, parsedLine } from './log-line.js';

const MESSAGE = 'client metadata';

/** The line in which a client says who it is, once for each connection. */
export const CLIENT_METADATA = `"msg":"${MESSAGE}"`;

/** Connections remembered. A log of a day can have more: those of the first hours are then closed. */
const MOST_CONNECTIONS = 100_000;

/** The drivers of a log's connections, by their names in it: `conn12`. */
export class ConnectionDrivers {
  readonly #byConnection = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  add(line: string): void {
    const start = line.indexOf(LINE_START);
    const parsed = start === -1 ? null : parsedLine(line.slice(start));
    if (parsed?.msg !== MESSAGE || typeof parsed.ctx !== 'string') return;
    const driver = driverText((parsed.attr?.['doc'] as { readonly driver?: unknown } | undefined)?.driver);
    if (driver === null) return;
    if (this.#byConnection.size >= MOST_CONNECTIONS) this.#byConnection.clear();
    const text = this.#texts.get(driver) ?? driver;
    this.#texts.set(driver, text);
    this.#byConnection.set(parsed.ctx, text);
  }

  of(connection: unknown): string | null {
    return typeof connection === 'string' ? (this.#byConnection.get(connection) ?? null) : null;
  }
}
