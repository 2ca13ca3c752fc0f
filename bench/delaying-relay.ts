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

  /** @returns the port to connect to, on 127.0.0.1 */
  async start(): Promise<number> {
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#relay(client));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    if (this.#server !== undefined) await new Promise((resolve) => this.#server?.close(resolve));
  }

  #relay(client: Socket): void {
    const server = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen: true });
    this.#handOn(client, server, performance.now() + 3 * this.oneWayMs);
    this.#handOn(server, client, 0);
  }

  /** @param firstAt when the first bytes may come at the earliest */
  #handOn(from: Socket, to: Socket, firstAt: number): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    let earliest = firstAt;
    const later = (act: () => void): void => {
      // Never before what came earlier.
      earliest = Math.max(earliest, performance.now() + this.oneWayMs);
      setTimeout(() => to.destroyed || act(), earliest - performance.now());
    };
    from.on('data', (bytes) => later(() => to.write(bytes)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => later(() => to.destroy()));
    from.on('close', () => {
      this.#sockets.delete(from);
      later(() => to.destroySoon());
    });
  }
}
