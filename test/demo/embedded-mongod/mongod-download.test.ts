import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMongod } from '../../../src/demo/embedded-mongod/find-mongod.js';
import { downloadedMongod } from '../../../src/demo/embedded-mongod/mongod-download.js';
import { startDownloadMirror, startHttpServer } from '../../support/download-mirror.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const noProgress = () => undefined;
/** A release that does not exist, so that no cache of the machine has it. */
const VERSION_NOWHERE_CACHED = '7.0.999';
const FIRST_ANSWER_LIMIT_MS = 1_500;

/** Has mongodb-memory-server download from `address`. */
function mirrored(address: string): NodeJS.ProcessEnv {
  const { MONGOMS_SYSTEM_BINARY: _configured, ...environment } = process.env;
  return {
    ...environment,
    MONGOMS_DOWNLOAD_MIRROR: address,
    MONGOMS_USE_HTTP: 'true',
    MONGOMS_VERSION: VERSION_NOWHERE_CACHED,
  };
}

describe("mongodb-memory-server's download", () => {
  it('brings a mongod into the cache and reports progress', async () => {
    const real = await findMongod();
    const { address, requests } = await startDownloadMirror(real.path, await temporaryFolder());
    const folder = await temporaryFolder();
    const messages: string[] = [];
    const found = await downloadedMongod(folder, mirrored(address)).find((message) => messages.push(message));
    expect(found).toEqual({ path: join(folder, `mongod-${real.version}`, 'mongod'), version: real.version });
    expect(await readdir(folder)).toEqual([`mongod-${real.version}`]);
    expect(messages[0]).toMatch(/^downloading MongoDB 7\.0\.999 \(\d+(\.\d+)? MB\): \d+ %$/);
    expect(requests.map((path) => path.replace(/.*7\.0\.999/, ''))).toEqual(['.tgz', '.tgz.md5']);
  });

  it('fails where nobody listens, without the address', async () => {
    const address = 'http://ada:lovelace@127.0.0.1:9';
    const folder = await temporaryFolder();
    const error = await downloadedMongod(folder, mirrored(address))
      .find(noProgress)
      .catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/^Download failed .+ECONNREFUSED\S* 127\.0\.0\.1:9$/);
    expect((error as Error).message).not.toContain('lovelace');
    expect(await readdir(folder)).toEqual([]);
  });

  // Of which the library by itself makes a few attempts, some seconds apart, as of one that is refused.
  it('fails without retrying where the connection breaks', async () => {
    const requests: string[] = [];
    const address = await startHttpServer((request) => {
      requests.push(request.url ?? '');
      request.socket.destroy();
    });
    const found = downloadedMongod(await temporaryFolder(), mirrored(address)).find(noProgress);
    await expect(found).rejects.toThrow(/^Download failed .+(?:ECONNRESET|socket hang up)/);
    expect(requests).toHaveLength(1);
  });

  it('fails without retrying where the site has no such release', async () => {
    const requests: string[] = [];
    const address = await startHttpServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(503).end();
    });
    const found = downloadedMongod(await temporaryFolder(), mirrored(address)).find(noProgress);
    await expect(found).rejects.toThrow(/^Download failed .+ 503\)$/);
    expect(requests).toHaveLength(1);
  });

  it('gives up on a site that accepts the connection and stays silent', async () => {
    const address = await startHttpServer(() => undefined);
    const folder = await temporaryFolder();
    const source = downloadedMongod(folder, mirrored(address), FIRST_ANSWER_LIMIT_MS);
    await expect(source.find(noProgress)).rejects.toThrow('the download site sent nothing for 1.5 s');
    expect(await readdir(folder)).toEqual([]);
  });

  it('heeds MONGOMS_RUNTIME_DOWNLOAD=false', async () => {
    const environment = { ...mirrored('http://127.0.0.1:9'), MONGOMS_RUNTIME_DOWNLOAD: 'false' };
    await expect(downloadedMongod(await temporaryFolder(), environment).find(noProgress)).rejects.toThrow(
      'RUNTIME_DOWNLOAD',
    );
  });
});
