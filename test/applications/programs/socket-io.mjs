import { createAdapter } from '@socket.io/mongo-adapter';
import { MongoClient } from 'mongodb';
import { Server } from 'socket.io';
import { io as connect } from 'socket.io-client';
import { uri, words } from './support.mjs';

const client = new MongoClient(uri);
await client.connect();
const collection = client.db().collection('socket.io-adapter-events');
await collection.createIndex({ createdAt: 1 }, { expireAfterSeconds: 3600, background: true });
const servers = [0, 1].map(() => {
  const io = new Server();
  io.adapter(createAdapter(collection, { addCreatedAtField: true, requestsTimeout: 120_000 }));
  io.on('connection', (socket) => {
    socket.on('join', (room) => socket.join(room));
    socket.on('message', (room, text) => io.to(room).emit('message', text));
  });
  io.listen(0);
  return io;
});
const sockets = servers.flatMap((io) =>
  Array.from({ length: 20 }, () =>
    connect(`http://127.0.0.1:${io.httpServer.address().port}`, { transports: ['websocket'] }),
  ),
);
await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
sockets.forEach((socket, number) => socket.emit('join', `room${number % 5}`));
for (let message = 0; message < 6_000; message += 1) {
  sockets[message % sockets.length].emit('message', `room${message % 5}`, words(10));
  if (message % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}
await servers[0].fetchSockets();
await new Promise((resolve) => setTimeout(resolve, 2_000));
process.exit(0);
