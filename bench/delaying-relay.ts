import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP relay that hands on whatever comes so many ms later, each way, as a long link does. It limits no bandwidth. The
 * first bytes of a connection also wait for a round trip, which opening it takes on a real link.
 */
export class DelayingRelay {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(
    private readonly port: number,
    private readonly oneWayMs: number,
  ) {}

  /** Connections that were opened since the start. */
  connections = 0;

  /** @returns the port to connect to, on 127.0.0.1 */
  async start(): Promise<number> {
    this.#server = createServer((client) => this.#relay(client));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    if (this.#server !== undefined) await new Promise((resolve) => this.#server?.close(resolve));
  }

  #relay(client: Socket): void {
    this.connections += 1;
    const server = connect(this.port, '127.0.0.1');
    const openAt = performance.now() + 2 * this.oneWayMs;
    this.#handOn(client, server, openAt);
    this.#handOn(server, client, openAt);
  }

  #handOn(from: Socket, to: Socket, openAt: number): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    let lastAt = openAt;
    const later = (act: () => void): void => {
      // Never before what came earlier.
      lastAt = Math.max(lastAt, performance.now() + this.oneWayMs);
      setTimeout(() => to.destroyed || act(), lastAt - performance.now());
    };
    from.on('data', (bytes) => later(() => to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => later(() => to.destroy()));
    from.on('close', () => {
      this.#sockets.delete(from);
      later(() => to.destroy());
    });
  }
}
