import { createServer, type AddressInfo, type Server } from 'node:net';
import type { Document } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { ProxiedConnection } from './proxied-connection.js';
import type { WireFault } from './wire-fault.js';

/** Options of a proxy. */
export interface WireProxyOptions {
  /** Of the real server; credentials and options are kept. Of a replica set, the first member. */
  readonly uri: string;
  /** The first that matches a command is applied. */
  readonly faults?: readonly WireFault[];
  /** How fast answers get through, in bytes per second. */
  readonly bytesPerSecond?: number;
}

/**
 * A hostile road to a real mongod: it passes messages on, and does to some replies what its faults say. It understands
 * OP_MSG and the legacy OP_QUERY, uncompressed and without TLS.
 */
export class WireProxy {
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #matches = new Map<WireFault, number>();
  readonly #waiting: { isMet: () => boolean; resolve: () => void }[] = [];
  readonly #commands: Document[] = [];
  #isRefusing = false;
  /** Replaceable while clients are connected. */
  faults: readonly WireFault[];
  bytesPerSecond: number;

  private constructor(private readonly options: WireProxyOptions) {
    this.faults = options.faults ?? [];
    this.bytesPerSecond = options.bytesPerSecond ?? Infinity;
    this.#server = createServer((client) => {
      if (this.#isRefusing) return void client.destroy();
      const connection = new ProxiedConnection(client, this.#target, this);
      this.#connections.add(connection);
      client.on('close', () => this.#connections.delete(connection));
    });
  }

  static async start(options: WireProxyOptions): Promise<WireProxy> {
    const proxy = new WireProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Connection string through the proxy. The driver keeps to it, whatever the server says of other members. */
  get uri(): string {
    const uri = new ConnectionString(this.options.uri);
    uri.hosts = [`127.0.0.1:${(this.#server.address() as AddressInfo).port}`];
    uri.searchParams.delete('replicaSet');
    uri.searchParams.set('directConnection', 'true');
    return uri.toString();
  }

  /** Every command that came, in order; handshakes and heartbeats too. */
  get commands(): readonly Document[] {
    return this.#commands;
  }

  /** Connections that clients hold open. */
  get openConnections(): number {
    return this.#connections.size;
  }

  /** Resolves once so many commands have come that match. */
  async until(on: WireFault['on'], count = 1): Promise<void> {
    const isMet = () => this.#commands.filter(on).length >= count;
    if (isMet()) return;
    await new Promise<void>((resolve) => this.#waiting.push({ isMet, resolve }));
  }

  /** Breaks all connections and lets no new one in, as when a host dies. */
  shut(): void {
    this.#isRefusing = true;
    for (const connection of this.#connections) connection.close();
  }

  /** Lets connections in again. */
  open(): void {
    this.#isRefusing = false;
  }

  async stop(): Promise<void> {
    this.shut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Takes note of a command, and says what is to go wrong with it. For `ProxiedConnection`. */
  faultFor(command: Document): WireFault | null {
    this.#commands.push(command);
    for (const waiting of this.#waiting.filter(({ isMet }) => isMet())) {
      waiting.resolve();
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    }
    for (const fault of this.faults) {
      if (!fault.on(command)) continue;
      const nth = (this.#matches.get(fault) ?? 0) + 1;
      this.#matches.set(fault, nth);
      const { from = 1, times = Infinity } = fault;
      if (nth >= from && nth < from + times) return fault;
    }
    return null;
  }

  get #target(): { host: string; port: number } {
    const [host, port] = (new ConnectionString(this.options.uri).hosts[0] as string).split(':');
    return { host: host as string, port: Number(port ?? 27_017) };
  }
}
