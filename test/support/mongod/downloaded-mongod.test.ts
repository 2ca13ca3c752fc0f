import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { startDownloadMirror, startHttpServer } from './download-mirror.js';
import { findMongod, libraryMongod } from './find-mongod.js';

const noProgress = () => undefined;
let release = 900;

/** Has mongodb-memory-server download from `address` a release that does not exist, so that no cache has it. */
async function mirrored(address: string): Promise<string> {
  const folder = await temporaryFolder();
  release += 1;
  vi.stubEnv('MONGOMS_SYSTEM_BINARY', '');
  vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', address);
  vi.stubEnv('MONGOMS_DOWNLOAD_DIR', folder);
  vi.stubEnv('MONGOMS_USE_HTTP', 'true');
  vi.stubEnv('MONGOMS_VERSION', `7.0.${release}`);
  return folder;
}

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("mongodb-memory-server's download", () => {
  it('brings a mongod, whose archive is held against its checksum', async () => {
    const real = await findMongod();
    const { address, requests } = await startDownloadMirror(real.path, await temporaryFolder());
    const folder = await mirrored(address);
    const found = await libraryMongod().find(noProgress);
    expect(found.version).toBe(real.version);
    expect(found.path.startsWith(join(folder, 'mongod'))).toBe(true);
    expect(requests.map((path) => path.replace(/.*7\.0\.\d+/, ''))).toEqual(['.tgz', '.tgz.md5']);
  });

  it('fails at the first attempt if nobody listens, without the credentials of the address', async () => {
    await mirrored('http://ada:lovelace@127.0.0.1:9');
    const error = await libraryMongod()
      .find(noProgress)
      .catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/^Download failed .+ECONNREFUSED\S* 127\.0\.0\.1:9$/);
    expect((error as Error).message).not.toContain('lovelace');
  });

  it('fails without retrying if the connection breaks', async () => {
    const requests: string[] = [];
    const address = await startHttpServer((request) => {
      requests.push(request.url ?? '');
      request.socket.destroy();
    });
    await mirrored(address);
    await expect(libraryMongod().find(noProgress)).rejects.toThrow(/^Download failed .+(?:ECONNRESET|socket hang up)/);
    expect(requests).toHaveLength(1);
  });

  it('fails without retrying if the site has no such release', async () => {
    const requests: string[] = [];
    const address = await startHttpServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(503).end();
    });
    await mirrored(address);
    await expect(libraryMongod().find(noProgress)).rejects.toThrow(/^Download failed .+ 503\)$/);
    expect(requests).toHaveLength(1);
  });

  it('is not tried with MONGOMS_RUNTIME_DOWNLOAD=false', async () => {
    await mirrored('http://127.0.0.1:9');
    vi.stubEnv('MONGOMS_RUNTIME_DOWNLOAD', 'false');
    await expect(libraryMongod().find(noProgress)).rejects.toThrow('RUNTIME_DOWNLOAD');
  });
});
