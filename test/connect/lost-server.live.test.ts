import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Skipped } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { exitCode } from '../../src/policy/exit-code.js';
import type { Report } from '../../src/report/report.js';
import { startStandalone } from '../support/servers.js';

const COLLECTIONS = 12;

/** More than 1 MB a collection: smaller ones are read several at once. */
const posts = (index: number) =>
  Array.from({ length: Math.ceil(4_000 / (index + 1)) }, () => ({ text: 'words'.repeat(20) }));

/** Documents that were just made tell nothing of growth. */
const isGrowth = ({ check, reason }: Skipped) => check === 'fast-growing-array' && reason === 'insufficient';

/** A real server behind a gate that can be shut: the connections break and no new ones are made, as when a host dies. */
describe('a server that dies midway', () => {
  let server: EmbeddedMongod;
  let gate: Server;
  let uri: string;
  const sockets = new Set<Socket>();
  let isShut = false;
  const shut = () => {
    isShut = true;
    for (const socket of sockets) socket.destroy();
  };

  beforeAll(async () => {
    server = await startStandalone();
    const { hostname, port } = new URL(server.uri.replace('mongodb:', 'http:'));
    const client = new MongoClient(server.uri);
    const threads = Array.from({ length: 100 }, (_, index) => ({ posts: posts(index) }));
    for (let index = 0; index < COLLECTIONS; index += 1) {
      await client
        .db('shop')
        .collection(`threads_${index}`)
        .insertMany(threads.map((thread) => ({ ...thread })));
    }
    await client.close();
    gate = createServer((incoming) => {
      if (isShut) return void incoming.destroy();
      const outgoing = createConnection(Number(port), hostname);
      for (const socket of [incoming, outgoing]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
      }
      incoming.pipe(outgoing).pipe(incoming);
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    uri = `mongodb://127.0.0.1:${(gate.address() as { port: number }).port}/?directConnection=true`;
  });
  afterAll(async () => {
    shut();
    gate.close();
    await server.stop();
  });

  it('keeps what was found, skips the rest, and is no pass', async () => {
    const report: Report = await lint({
      uri,
      timeout: 5_000,
      concurrency: 2,
      onProgress: ({ done }) => void (done === 4 && shut()),
    });
    const found = new Set(report.findings.map(({ namespace }) => namespace));
    const skipped = new Set(report.skipped.map(({ namespace }) => namespace));
    expect(found.size).toBeGreaterThanOrEqual(4);
    expect(found.size).toBeLessThan(COLLECTIONS);
    expect(found.size + skipped.size).toBeGreaterThanOrEqual(COLLECTIONS);
    expect(report.collections).toHaveLength(COLLECTIONS);
    const ofCollections = report.skipped.filter(
      (entry) => entry.namespace?.startsWith('shop.threads_') && !isGrowth(entry),
    );
    expect(ofCollections.length).toBeGreaterThan(0);
    // Whole, so that a failure says what else was wrong.
    expect(ofCollections.filter(({ reason }) => reason !== 'connection')).toEqual([]);
    for (const { detail } of ofCollections) {
      expect(detail).toMatch(
        /shop\.threads_\d+\b.*: the connection to the server was lost .*; run again when it is back\.$/,
      );
    }
    // The driver waits for a server once, not again for each collection that is left.
    const waitedFor = report.skipped.filter(
      ({ check, detail }) => check === 'unbounded-array' && !detail.includes('lost before'),
    );
    expect(waitedFor.length).toBeLessThanOrEqual(4);
    expect(exitCode(report, { failOn: 'never', maxWarnings: null, strict: false })).toBe(2);
  });
});
