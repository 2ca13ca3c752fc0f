import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { runLinter } from '../support/faults/linter-process.js';

/** Beside the command, in a folder of their own, as those that npm installs globally. */
const PACKAGES = ['snappy@7', 'socks@2'];

const client = sharedClient();
const database = freshDatabase(client);
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let proxy: Server;
const destinations: string[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder(tmpdir());
  await writeFile(join(folder.path, 'package.json'), '{ "private": true }');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder.path });
  await database.collection('orders').insertMany(Array.from({ length: 300 }, (_, number) => ({ number })));
  proxy = createServer((socket) => void takeSocks(socket, (destination) => destinations.push(destination)));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.close();
  await folder.remove();
});

async function lint(options: string): Promise<Report> {
  const [host] = client.options.hosts;
  const result = await runLinter({
    uri: `mongodb://${String(host)}/?directConnection=true&${options}`,
    args: ['--include', `${database.databaseName}.*`],
    env: { NODE_PATH: join(folder.path, 'node_modules') },
  });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(result.stdout) as Report;
}

async function compressedBytes(): Promise<number> {
  const { network } = await client.db('admin').command({ serverStatus: 1 });
  return Number(network.compression.snappy.decompressor.bytesIn);
}

it('compresses with snappy', async () => {
  const before = await compressedBytes();
  expect((await lint('compressors=snappy')).summary.documentsSampled).toBe(300);
  expect(await compressedBytes()).toBeGreaterThan(before);
});

it('connects through a SOCKS5 proxy', async () => {
  const { port } = proxy.address() as AddressInfo;
  expect((await lint(`proxyHost=127.0.0.1&proxyPort=${port}`)).summary.documentsSampled).toBe(300);
  expect(new Set(destinations)).toEqual(new Set([String(client.options.hosts[0])]));
});

const VERSION = 5;
const GREETING = Buffer.from([VERSION, 0]);
const CONNECTED = Buffer.from([VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const [IPV4, NAME] = [1, 3];

/** RFC 1928, without authentication: a greeting, a request for a host, and then what both sides say. */
async function takeSocks(socket: Socket, note: (destination: string) => void): Promise<void> {
  socket.on('error', () => {});
  await nextOf(socket);
  socket.write(GREETING);
  const request = await nextOf(socket);
  const end = request[3] === NAME ? 5 + (request[4] as number) : 8;
  const host = request[3] === IPV4 ? request.subarray(4, end).join('.') : request.toString('latin1', 5, end);
  const port = request.readUInt16BE(end);
  note(`${host}:${port}`);
  const upstream = connect(port, host, () => {
    socket.write(CONNECTED);
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy());
}

function nextOf(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => socket.once('data', resolve));
}
