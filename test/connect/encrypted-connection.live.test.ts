import { Binary } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedClient } from '../support/database.js';
import { runLinter } from '../support/faults/linter-process.js';
import { tlsProxy } from '../support/tls/tls-proxy.js';

const client = sharedClient();
const database = freshDatabase(client);
/** Replies of several megabytes, which come in many pieces, and of a few bytes. */
beforeAll(async () => {
  const padding = new Binary(Buffer.alloc(700_000, 'x'));
  await database.collection('long').insertMany(Array.from({ length: 40 }, (_, number) => ({ number, padding })));
  await database.collection('short').insertMany(Array.from({ length: 500 }, (_, number) => ({ number, name: 'a' })));
});

const lint = (uri: string) => runLinter({ uri, args: ['--include', `${database.databaseName}.*`] });
const sampledOf = (report: string) =>
  (JSON.parse(report) as { collections: { namespace: string; sampled: unknown; documents: number }[] }).collections.map(
    ({ namespace, sampled, documents }) => ({ namespace, sampled, documents }),
  );

describe('the built command over TLS', () => {
  it('reads what it reads without, however many pieces the replies come in', async () => {
    const [{ host, port } = { host: '', port: 0 }] = client.options.hosts;
    const proxy = await tlsProxy({ host: String(host), port: Number(port) });
    try {
      const [plain, encrypted] = await Promise.all([
        lint(`mongodb://${host}:${port}/?directConnection=true`),
        lint(`mongodb://${proxy.address}/?directConnection=true&tls=true&tlsAllowInvalidCertificates=true`),
      ]);
      expect(encrypted).toMatchObject({ code: plain.code, stderr: plain.stderr });
      const sampled = sampledOf(encrypted.stdout);
      expect(sampled).toEqual(sampledOf(plain.stdout));
      expect(sampled).toMatchObject([{ documents: 40, sampled: { documents: 40 } }, { documents: 500 }]);
    } finally {
      proxy.close();
    }
  });

  it('says in one line that a certificate is not trusted', async () => {
    const [{ host, port } = { host: '', port: 0 }] = client.options.hosts;
    const proxy = await tlsProxy({ host: String(host), port: Number(port) });
    try {
      const refused = await runLinter({
        uri: `mongodb://${proxy.address}/?directConnection=true&tls=true`,
      });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/^No usable server .* unknown here: add tlsCAFile=.*\n$/);
    } finally {
      proxy.close();
    }
  });
});
