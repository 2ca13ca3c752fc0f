import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useFaultyShop } from '../support/faults/faulty-shop.js';

// Item 8 of "Hostile input": redirects and proxies of webhooks, and a stdout whose reader has left.

const faulty = useFaultyShop();
const SECRET = 'SENTINEL-path';

/** A server that answers so. Returns its address, and the paths that it was asked for. */
async function listening(status: number, headers: Readonly<Record<string, string>> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status, headers).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('item 8: a webhook', () => {
  it.each([301, 302, 307, 308])('that redirects with %i is not followed: its address is a secret', async (status) => {
    const elsewhere = await listening(200);
    const webhook = await listening(status, { location: `${elsewhere.address}/${SECRET}` });
    await faulty.lint({ exit: [1], report: true }, { env: { MONGOLINT_NOTIFY: `${webhook.address}/${SECRET}` } });
    expect({ webhook: webhook.asked, elsewhere: elsewhere.asked }).toEqual({ webhook: [`/${SECRET}`], elsewhere: [] });
  });

  it('is asked directly, unless Node is told to use the proxy', async () => {
    const proxy = await listening(200);
    const webhook = await listening(200);
    const env = {
      MONGOLINT_NOTIFY: `${webhook.address}/${SECRET}`,
      HTTP_PROXY: proxy.address,
      HTTPS_PROXY: proxy.address,
    };
    await faulty.lint({ exit: [1], report: true }, { env });
    expect({ webhook: webhook.asked, proxy: proxy.asked }).toEqual({ webhook: [`/${SECRET}`], proxy: [] });
  });

  it.runIf(process.allowedNodeEnvironmentFlags.has('--use-env-proxy'))('is asked through the proxy then', async () => {
    const proxy = await listening(200);
    const env = { MONGOLINT_NOTIFY: 'http://localhost:1/x', NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.address };
    await faulty.lint({ exit: [1], report: true }, { env });
    expect(proxy.asked).not.toEqual([]);
  });
});

describe('item 8: a stdout whose reader has left', () => {
  it('is no pass if a report was asked for', async () => {
    const args = ['--fail-on', 'never'];
    await faulty.lint({ exit: [2], report: false }, { args, meanwhile: (linter) => void linter.stdout?.destroy() });
  });

  it('does not hide findings', async () => {
    await faulty.lint({ exit: [1], report: false }, { meanwhile: (linter) => void linter.stdout?.destroy() });
  });
});
