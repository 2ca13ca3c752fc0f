/** Records the evidence of the demo's shop: `npm run build` in the folder above, then `npm run record`. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedMongod } from '../../dist/src/demo/embedded-mongod/embedded-mongod.js';
import { fillShop, useShop } from '../../dist/src/demo/shop.js';
import { collectEvidence } from '../../dist/src/lint/collect-evidence.js';
import { MongoClient } from '../../node_modules/mongodb/lib/index.js';

const server = await startEmbeddedMongod(() => {});
const client = new MongoClient(server.uri);
try {
  const database = client.db('shop');
  await fillShop(database);
  await useShop(database);
  const output = join(dirname(fileURLToPath(import.meta.url)), 'shop.evidence.jsonl.gz');
  await collectEvidence({ uri: server.uri, include: ['shop.*'], output });
} finally {
  await client.close();
  await server.stop();
}
