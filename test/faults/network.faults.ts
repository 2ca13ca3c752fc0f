import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { runLinter } from '../support/faults/linter-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Item 8 of "Hostile input": redirects and proxies of webhooks, and a stdout whose reader has left.

const faulty = useFaultyShop();
const SECRET = 'SENTINEL-path';
const KNOWS_PROXIES = process.allowedNodeEnvironmentFlags.has('--use-env-proxy');

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

  // docs/jobs.md says from which versions of Node on. There, a plain address is asked for as the proxy's path.
  it.each([
    { noProxy: 'example.com', isAsked: KNOWS_PROXIES },
    { noProxy: 'localhost', isAsked: false },
  ])('is asked through the proxy then, if Node knows it, but for NO_PROXY=$noProxy', async ({ noProxy, isAsked }) => {
    const proxy = await listening(200);
    const webhook = await listening(200);
    const address = `${webhook.address.replace('127.0.0.1', 'localhost')}/${SECRET}`;
    const env = { MONGOLINT_NOTIFY: address, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.address, NO_PROXY: noProxy };
    await faulty.lint({ exit: [1], report: true }, { env });
    expect({ proxy: proxy.asked.length > 0, webhook: webhook.asked }).toEqual({
      proxy: isAsked,
      webhook: isAsked ? [] : [`/${SECRET}`],
    });
  });
});

const leave = (linter: ChildProcess) => void linter.stdout?.destroy();

describe('item 8: a stdout whose reader has left', () => {
  it('is no pass if a report was asked for', async () => {
    const args = ['--fail-on', 'never'];
    await faulty.lint({ exit: [2], report: false }, { args, meanwhile: leave });
  });

  it.each([
    { formats: '[json]', code: 2 },
    { formats: '[json=report.json]', code: 0 },
    { formats: '[table]', code: 0 },
  ])('is no pass if the configuration asks a program to read it: $formats', async ({ formats, code }) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'mongolint.config.yaml'), `formats: ${formats}\nfailOn: never\n`);
    const result = await runLinter({ uri: faulty.shop.uri, argv: ['--no-progress'], cwd, meanwhile: leave });
    expect({ code: result.code, stderr: result.stderr }).toEqual({
      code,
      stderr: code === 0 ? '' : 'The report could not be written: its reader left before the end.\n',
    });
  });

  it('does not hide findings', async () => {
    await faulty.lint({ exit: [1], report: false }, { meanwhile: leave });
  });
});
