import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packageInfo } from '../../src/files/package-root.js';
import { run } from './packed-package.js';

export interface LocalRegistry {
  /** What makes npm ask it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<unknown>;
}

/** Stands in for the registry, as if a packed file were published. All other packages are npm's own to find. */
export async function startRegistry(file: string): Promise<LocalRegistry> {
  const { stdout } = await run('npm', ['config', 'get', 'registry']);
  const bytes = await readFile(file);
  const { stdout: manifest } = await run('tar', ['-xzOf', file, 'package/package.json']);
  const { name, version } = packageInfo();
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url === `/${name}`) {
      const tarball = `http://${request.headers.host}/${name}.tgz`;
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const versions = { [version]: { ...(JSON.parse(manifest) as object), dist: { tarball, integrity } } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    } else if (url === `/${name}.tgz`) response.end(bytes);
    else response.writeHead(302, { location: `${stdout.trim().replace(/\/$/, '')}${url}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { npm_config_registry: `http://127.0.0.1:${port}/` },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
