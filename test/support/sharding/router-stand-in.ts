import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Document } from 'mongodb';
import { onMessages, readRequest, writeReply } from '../wire/wire-message.js';
import { ServerRefusal } from './router-stand-in-routes.js';
import { WIRE_VERSION } from './router-stand-in-server.js';
import { ClientSession, type ClusterPorts, type OpenCursor } from './router-stand-in-session.js';

/** A router that listens. */
export interface RouterStandIn {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts what stands in for mongos, for which there is no binary where the tests run. It is written for 6.0 and for tests.
 *
 * What is real: the config server and the shards, their metadata, splits, migrations, refining and resharding (done by
 * the servers' own internal commands, which mongos would send), ownership of documents (every read carries the shard
 * version, so that the shards leave out orphans), and aggregation: it is a real shard that sends the pipeline to the
 * other shards and merges what they answer, as it does for any `$unionWith` of its router.
 *
 * What is stood in: the answer to `hello`, the choice of the server for a command, `find` and `count` on a sharded
 * collection (asked of every owner, one after another; a sort goes through an aggregation), and the list of databases.
 * Inserts into a collection that is sharded already are refused: tests insert first, or into a shard.
 */
export async function startRouterStandIn(ports: ClusterPorts): Promise<RouterStandIn> {
  const cursors = new Map<string, OpenCursor>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const session = new ClientSession(ports, cursors);
    let last: Promise<void> = Promise.resolve();
    // One after another, as a server does with the commands of one connection.
    onMessages(socket, (message) => (last = last.then(() => answerTo(message, session, socket))));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      session.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answerTo(message: Buffer, session: ClientSession, socket: Socket): Promise<void> {
  const request = readRequest(message);
  const answer = await answerOf(request.command, session);
  if (request.wantsReply && socket.writable) socket.write(writeReply(request, answer));
}

async function answerOf(command: Document, session: ClientSession): Promise<Document> {
  if (/^(?:hello|ismaster)$/i.test(Object.keys(command)[0] as string)) {
    session.introduce(command);
    return helloAsRouter();
  }
  try {
    return await session.answer(command);
  } catch (error) {
    if (error instanceof ServerRefusal) return error.answer;
    return { ok: 0, code: 8, codeName: 'UnknownError', errmsg: `router stand-in: ${String(error)}` };
  }
}

function helloAsRouter(): Document {
  return {
    isWritablePrimary: true,
    ismaster: true,
    helloOk: true,
    msg: 'isdbgrid',
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ok: 1,
  };
}
