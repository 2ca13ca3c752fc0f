/** The built site on a server of its own, and Chromium to look at it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../pages.mjs';

export const output = join(root, 'site/dist');
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

export async function served() {
  /** The paths that browsers asked for. */
  const asked = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    const path = decodeURIComponent(new URL(url, 'http://site').pathname);
    const file = join(output, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    return response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    browser,
    asked,
    async stop() {
      await browser.close();
      server.close();
    },
  };
}
