import { connect, type Socket } from 'node:net';
import type { Document } from 'mongodb';
import { onMessages, readReply, writeRequest } from '../wire/wire-message.js';

/** Wire version of 6.0, the version that the stand-in is written for. */
export const WIRE_VERSION = 17;

/** A connection of the router to one mongod. */
export class ServerConnection {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, { resolve: (reply: Document) => void; reject: (error: Error) => void }>();
  #lastId = 0;

  private constructor(
    socket: Socket,
    private readonly internal: boolean,
  ) {
    this.#socket = socket;
    onMessages(socket, (message) => {
      const id = message.readInt32LE(8);
      this.#waiting.get(id)?.resolve(readReply(message));
      this.#waiting.delete(id);
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed the connection.')));
  }

  /**
   * Connects.
   *
   * @param internal present itself as a member of the cluster, as mongos does: a shard then routes the `$unionWith` and
   * `$lookup` of what it is sent to the other shards
   * @param client how a client has introduced itself, for a connection that hands on its commands as they are
   */
  static async open(port: number, internal: boolean, client?: Document): Promise<ServerConnection> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    const connection = new ServerConnection(socket, internal);
    if (internal) {
      const versions = { minWireVersion: WIRE_VERSION, maxWireVersion: WIRE_VERSION };
      await connection.send({ hello: 1, internalClient: versions, $db: 'admin' });
    } else if (client !== undefined) {
      await connection.send({ hello: 1, client, $db: 'admin' });
    }
    return connection;
  }

  /** Sends a command, `$db` in it, and gives the answer, be it an error of the server or not. */
  async send(command: Document): Promise<Document> {
    const id = (this.#lastId += 1);
    const answer = new Promise<Document>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#socket.write(writeRequest(id, this.internal ? withConcerns(command) : command));
    return answer;
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const READS = new Set(['aggregate', 'count', 'find']);

/** A server demands that other members of its cluster say which read and write concern they mean. */
function withConcerns(command: Document): Document {
  const name = Object.keys(command)[0] as string;
  if (!READS.has(name)) return command;
  const writeConcern = name === 'aggregate' ? { writeConcern: command['writeConcern'] ?? { w: 1 } } : {};
  return { ...command, readConcern: command['readConcern'] ?? { level: 'local' }, ...writeConcern };
}
