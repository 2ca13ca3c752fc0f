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
    const waiting: { readonly at: number; readonly act: () => void }[] = [];
    const actInTurn = (): void => {
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const left = first.at - performance.now();
        if (left > 0) return void setTimeout(actInTurn, left);
        waiting.shift();
        if (!to.destroyed) first.act();
      }
    };
    const later = (act: () => void): void => {
      waiting.push({ at: Math.max(firstAt, performance.now() + this.oneWayMs), act });
      // Timers of different lengths come in any order: only the first one has one.
      if (waiting.length === 1) actInTurn();
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
