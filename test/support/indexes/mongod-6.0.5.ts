import { join } from 'node:path';
import { findMongod } from '../../../src/demo/embedded-mongod/find-mongod.js';
import { cachedMongod, cacheFolder } from '../../../src/demo/embedded-mongod/mongod-cache.js';
import { wheelMongod } from '../../../src/demo/embedded-mongod/mongod-wheel.js';
import type { Mongod } from '../../../src/demo/embedded-mongod/mongod.js';

const VERSION = '6.0.5';

/** MongoDB 6.0.5: the server that the other tests use, if it is that, or else the one from the Python wheel. */
export async function findMongod605(): Promise<Mongod> {
  const usual = await findMongod();
  if (usual.version === VERSION) return usual;
  const folder = join(await cacheFolder(), `test-mongod-${VERSION}`);
  return findMongod({ sources: [cachedMongod(folder), wheelMongod(folder)] });
}
