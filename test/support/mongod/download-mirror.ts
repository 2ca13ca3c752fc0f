import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

/** Starts an HTTP server on a free local port for the running test. Returns its address. */
export async function startHttpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Serves a mongod as MongoDB's download site does: whatever archive is asked for, a tarball with `bin/mongod` in it, and its
 * MD5 sum. `folder` is for temporary files. Returns the address, and the paths asked for so far.
 */
export async function startDownloadMirror(
  mongodPath: string,
  folder: string,
): Promise<{ address: string; requests: string[] }> {
  const content = join(folder, 'mongodb', 'bin');
  await mkdir(content, { recursive: true });
  await symlink(mongodPath, join(content, 'mongod'));
  const tarball = join(folder, 'mongodb.tar');
  await promisify(execFile)('tar', ['--create', '--dereference', '--file', tarball, '--directory', folder, 'mongodb']);
  const archive = gzipSync(await readFile(tarball), { level: 0 });
  await writeFile(tarball, '');
  const checksum = createHash('md5').update(archive).digest('hex');
  const requests: string[] = [];
  const address = await startHttpServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(pathname);
    const body = pathname.endsWith('.md5') ? Buffer.from(`${checksum}  mongodb.tgz\n`) : archive;
    response.setHeader('content-length', body.length);
    response.end(body);
  });
  return { address, requests };
}
