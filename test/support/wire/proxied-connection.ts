import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Document } from 'mongodb';
import type { ClientRoad, WireFault } from './wire-fault.js';
import { onMessages, readReplyIds, readRequest, type Request } from './wire-message.js';

/** Bytes of a slow road are sent in so many portions a second. */
const PORTIONS_PER_SECOND = 20;

/** What a connection asks its proxy. */
export interface Road {
  readonly bytesPerSecond: number;
  /** Takes note of a command, and says what is to go wrong with it. */
  faultFor(command: Document): WireFault | null;
}

interface UnderWay {
  readonly request: Request;
  readonly fault: WireFault | null;
}

/** One connection of a client, and the one to the server that belongs to it. */
export class ProxiedConnection implements ClientRoad {
  readonly #server: Socket;
  readonly #underWay = new Map<number, UnderWay>();
  #asking: Promise<void> = Promise.resolve();
  #answering: Promise<void> = Promise.resolve();
  readonly closed: Promise<void>;
  bytesPerSecond = Infinity;

  constructor(
    private readonly client: Socket,
    target: { readonly host: string; readonly port: number },
    private readonly road: Road,
  ) {
    this.#server = createConnection(target.port, target.host);
    this.closed = new Promise((resolve) => client.once('close', () => resolve()));
    onMessages(client, (message) => (this.#asking = this.#asking.then(() => this.#ask(message))));
    onMessages(this.#server, (message) => this.#take(message));
    for (const socket of [client, this.#server]) {
      socket.on('error', () => {});
      socket.on('close', () => this.close());
    }
  }

  async send(bytes: Buffer): Promise<void> {
    let sent = 0;
    while (sent < bytes.length && this.client.writable) {
      const speed = Math.min(this.bytesPerSecond, this.road.bytesPerSecond);
      const portion = Math.max(1, Math.min(bytes.length - sent, Math.floor(speed / PORTIONS_PER_SECOND)));
      this.client.write(bytes.subarray(sent, sent + portion));
      sent += portion;
      if (Number.isFinite(speed)) await delay(1_000 / PORTIONS_PER_SECOND);
    }
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve) => this.client.end(resolve));
    this.close();
  }

  close(): void {
    this.client.destroy();
    this.#server.destroy();
  }

  async #ask(message: Buffer): Promise<void> {
    const request = readRequest(message);
    const fault = this.road.faultFor(request.command);
    if (request.wantsReply) this.#underWay.set(request.id, { request, fault });
    await fault?.before?.(request.command);
    if (this.#server.writable) this.#server.write(message);
  }

  #take(reply: Buffer): void {
    const { id, responseTo, moreToCome } = readReplyIds(reply);
    const asked = this.#underWay.get(responseTo);
    this.#underWay.delete(responseTo);
    // The next answer of a watched `hello` names this one as what it answers.
    if (asked !== undefined && moreToCome) this.#underWay.set(id, asked);
    // One after another: a slow answer holds up those behind it.
    this.#answering = this.#answering.then(() => this.#answer(asked, reply));
  }

  async #answer(asked: UnderWay | undefined, reply: Buffer): Promise<void> {
    const treat = asked?.fault?.reply;
    if (asked === undefined || treat === undefined) return this.send(reply);
    await treat({ request: asked.request, reply, client: this });
  }
}
