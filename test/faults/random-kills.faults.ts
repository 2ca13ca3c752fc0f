import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { folderWith } from '../support/config-folder.js';
import { runBuilt } from '../support/faults/built-command.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { processesWith } from '../support/faults/processes.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { startEmbeddedServer, type EmbeddedServer } from '../support/mongod/embedded-server.js';

// "kill -9, SIGTERM and SIGINT at 40 random moments of a run with state, history, five reports and a webhook."
const MOMENTS = 40;
const faulty = useFaultyShop();
const OUTPUTS = ['json', 'html', 'sarif', 'junit', 'markdown'];
const COMPLETE: Readonly<Record<string, RegExp>> = {
  '.json': /\}\n$/,
  '.html': /<\/html>\s*$/,
  '.sarif': /\}\n$/,
  '.junit': /<\/testsuites>\s*$/,
  '.markdown': /\n$/,
};

let server: EmbeddedServer;
let client: MongoClient;
beforeAll(async () => {
  server = await startEmbeddedServer({ replicaSet: false });
  client = await new MongoClient(server.uri).connect();
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

describe.each([
  [
    'a state',
    (database: string) => ({
      args: ['--update-baseline'],
      env: {
        MONGOLINT_STATE: new URL(`/${database}`, server.uri.replace('mongodb:', 'http:')).href.replace(
          'http:',
          'mongodb:',
        ),
      },
    }),
  ],
  [
    'files',
    () => ({ args: ['--baseline', 'known.jsonl', '--update-baseline', '--history', 'history.jsonl'], env: {} }),
  ],
] as const)('a run that keeps what it needs in %s', (kept, optionsOf) => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    `and gets %s at ${MOMENTS} random moments leaves no half file, no orphan, and no message that is lost, or doubled without a mark`,
    async (signal) => {
      const random = new SeededRandom(7);
      const texts: string[] = [];
      const address = await startHttpServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          texts.push((JSON.parse(body) as { text: string }).text);
          response.end();
        });
      });
      const { args, env: own } = optionsOf(`state_${signal}`.toLowerCase());
      const env = { MONGODB_URI: faulty.shop.uri, MONGOLINT_NOTIFY: address, ...own };
      const argv = [...args, ...OUTPUTS.flatMap((format) => ['--format', `${format}=report.${format}`])];
      const cwd = await folderWith({});
      const whole = await runBuilt(argv, {
        cwd: await folderWith({}),
        env: {
          MONGODB_URI: faulty.shop.uri,
          ...(kept === 'files' ? {} : { MONGOLINT_STATE: `${own.MONGOLINT_STATE}_other` }),
        },
      });
      expect(whole.code).toBe(0);
      for (let moment = 0; moment < MOMENTS; moment += 1) {
        const mark = `MARK=${randomUUID()}`;
        const after = random.next() * whole.elapsed * 1.1;
        const { code } = await runBuilt(argv, {
          cwd,
          env: { ...env, MARK: mark.slice('MARK='.length) },
          meanwhile: async (command) => {
            await delay(after);
            command.kill(signal);
          },
        });
        const ended = performance.now();
        await vi.waitUntil(() => processesWith(mark).length === 0, { timeout: 60_000, interval: 20 });
        expect(performance.now() - ended).toBeLessThan(5_000);
        if (signal !== 'SIGKILL') expect([0, 2, 130, 143]).toContain(code);
        for (const name of await readdir(cwd)) {
          const text = await readFile(join(cwd, name), 'utf8');
          const complete = COMPLETE[extname(name)];
          if (name.startsWith('report.')) expect(`${name}: ${text.slice(-20)}`).toMatch(complete as RegExp);
          if (name.endsWith('.jsonl'))
            for (const line of text.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
        }
      }
      // The next whole runs: all that was news has come by then, and each but the first copy is marked.
      expect((await runBuilt(argv, { cwd, env })).code).toBe(0);
      expect((await runBuilt(argv, { cwd, env })).code).toBe(0);
      const news = texts.flatMap((text) =>
        text
          .split('\n')
          .filter((line) => line.includes('unbounded-array'))
          .map(() => text),
      );
      expect(news.length).toBeGreaterThan(0);
      expect(
        await unmarkedDoubles(
          texts,
          kept === 'files' ? null : client.db(`state_${signal}`.toLowerCase()).collection('state').find().toArray(),
        ),
      ).toEqual([]);
    },
  );
});

/** Messages that came again, word for word, with nothing that says so. */
async function unmarkedDoubles(texts: readonly string[], stored: Promise<Document[]> | null): Promise<string[]> {
  const kinds = (await stored)?.map(({ kind }) => String(kind)) ?? [];
  expect(kinds).not.toContain('unsent');
  const findings = texts
    .filter((text) => /\d+ new finding/.test(text) && !text.startsWith('('))
    .map((text) => text.split('\n').slice(0, 2).join('\n'));
  return findings.filter((text, index) => findings.indexOf(text) !== index);
}
