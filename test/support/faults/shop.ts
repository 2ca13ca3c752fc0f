import { MongoClient, type Db } from 'mongodb';
import { startEmbeddedServer, type EmbeddedServer } from '../mongod/embedded-server.js';

/** The user that lints; its password must be in no output. */
export const LINTER = { name: 'linter', password: 'SENTINEL-password' } as const;
/** Begins every text in the documents; none may be in an output. */
export const SENTINEL = 'SENTINEL';

const ROOT = { name: 'root', password: 'SENTINEL-root' } as const;
/** The linter's privileges: those of `mongolint role` and more. */
export const ROLES = ['readAnyDatabase', 'clusterMonitor', { role: 'read', db: 'local' }];
/** Documents larger than a batch, so that a sample takes several. */
const FILLER_BYTES = 300_000;

/** A replica set of one member with findings of several kinds, and a user to lint it with. */
export interface Shop {
  /** Of the user that lints. */
  readonly uri: string;
  /** As root, straight to the server. */
  readonly client: MongoClient;
  readonly server: EmbeddedServer;
  stop(): Promise<void>;
}

/** Starts a server with fail points, authentication and a profiler that records everything. */
export async function startShop(): Promise<Shop> {
  const server = await startEmbeddedServer({
    replicaSet: true,
    rootUser: ROOT,
    args: ['--setParameter', 'enableTestCommands=1'],
  });
  const client = await new MongoClient(server.uri).connect();
  await plant(client.db('shop'));
  await addLinter(client, LINTER.name);
  const uri = new URL(server.uri);
  uri.username = LINTER.name;
  uri.password = LINTER.password;
  return {
    uri: uri.toString(),
    client,
    server,
    async stop() {
      await client.close();
      await server.stop();
    },
  };
}

/** Creates a user that lints, with the password of `LINTER`. */
export async function addLinter(client: MongoClient, name: string): Promise<void> {
  await client.db('admin').command({ createUser: name, pwd: LINTER.password, roles: ROLES });
}

/** Collections with findings, some larger than a batch, and recorded operations; what was there is dropped. */
export async function plant(shop: Db): Promise<void> {
  await shop.command({ profile: 0 });
  await shop.dropDatabase();
  const posts = (index: number) => Array.from({ length: Math.ceil(3_000 / (index + 1)) }, () => ({ text: SENTINEL }));
  await shop.collection('threads').insertMany(Array.from({ length: 120 }, (_, index) => ({ posts: posts(index) })));
  const body = SENTINEL.padEnd(FILLER_BYTES, '.');
  for (const name of ['pages', 'papers']) {
    await shop.collection(name).insertMany(Array.from({ length: 30 }, (_, number) => ({ number, body })));
  }
  const customers = Array.from({ length: 1_500 }, (_, number) => ({ number, name: `${SENTINEL} ${number}` }));
  const { insertedIds } = await shop.collection('customers').insertMany(customers);
  await shop
    .collection('orders')
    .insertMany(customers.map((_, number) => ({ number, customer_id: insertedIds[number], total: number % 7 })));
  await shop.collection('orders').createIndexes([{ key: { number: 1 } }, { key: { number: 1, total: 1 } }]);
  await shop.createCollection('buyers', { viewOn: 'orders', pipeline: [joinOn('customer_id')] });
  await shop.command({ profile: 2, slowms: 0 });
  for (let index = 0; index < 5; index += 1) {
    await shop
      .collection('customers')
      .aggregate([joinOn('number')])
      .toArray();
    await shop.collection('orders').find({ total: index }).toArray();
    await shop.collection('threads').updateOne({}, { $push: { posts: { text: SENTINEL } as never } });
  }
  await shop.command({ profile: 0 });
}

function joinOn(localField: string) {
  return { $lookup: { from: 'customers', localField, foreignField: 'name', as: 'buyers' } };
}
