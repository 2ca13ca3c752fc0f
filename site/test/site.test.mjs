import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { after, before, test } from 'node:test';
import { checks } from '../pages.mjs';
import { SEARCHES } from './searches.mjs';
import { output, served } from './served.mjs';

/** Results that somebody looks at. */
const FIRST = 5;

let site;
before(async () => void (site = await served()));
after(() => site.stop());

const names = readdirSync(output, { recursive: true }).filter((name) => name.endsWith('.html'));
const pages = new Map(names.map((name) => [`/${name}`, readFileSync(join(output, name), 'utf8')]));

function isThere(from, target) {
  const [path = '', anchor] = decodeURIComponent(target).split('#');
  const absolute = path === '' ? from : posix.resolve(posix.dirname(from), path);
  const name = path.endsWith('/') ? posix.join(absolute, 'index.html') : absolute;
  const file = [name, `${name}.html`].find(
    (one) => existsSync(join(output, one)) && statSync(join(output, one)).isFile(),
  );
  if (file === undefined) return false;
  return anchor === undefined || anchor === '' || !pages.has(file) || pages.get(file).includes(`id="${anchor}"`);
}

test('every check has its page, and every link leads somewhere', () => {
  for (const id of checks) assert.ok(pages.has(`/checks/${id}.html`), id);
  const broken = [...pages].flatMap(([from, html]) =>
    [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, target]) => target.replaceAll('&amp;', '&'))
      .filter((target) => !/^(?:https?|data|mailto|blob):/.test(target) && !isThere(from, target))
      .map((target) => `${from}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('no page asks another host, and none has an error', async () => {
  const page = await site.browser.newPage();
  const foreign = [];
  const errors = [];
  page.on('request', (request) => {
    if (!/^(?:data|blob|about):/.test(request.url()) && !request.url().startsWith(site.address))
      foreign.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  for (const path of pages.keys())
    if (path !== '/404.html') await page.goto(site.address + path, { waitUntil: 'load' });
  await page.close();
  assert.deepEqual({ foreign, errors }, { foreign: [], errors: [] });
});

test('the search finds each check by three everyday words', async () => {
  assert.deepEqual(Object.keys(SEARCHES).sort(), [...checks].sort());
  const page = await site.browser.newPage();
  await page.goto(`${site.address}/docs/begin.html`, { waitUntil: 'networkidle' });
  await page.keyboard.press('Control+k');
  const input = page.locator('#localsearch-input');
  await input.waitFor();
  const missed = [];
  for (const [id, words] of Object.entries(SEARCHES)) {
    assert.equal(words.split(' ').length, 3);
    await input.fill('zzzz');
    await page.locator('.no-results').waitFor();
    await input.fill(words);
    await page.locator('.result').first().waitFor();
    await page.waitForTimeout(50);
    const found = await page.locator('.result').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const at = found.findIndex((href) => href.startsWith(`/checks/${id}.html`));
    if (at === -1 || at >= FIRST) missed.push(`${id}, "${words}": ${at}: ${found.slice(0, 3).join(' ')}`);
  }
  await page.close();
  assert.deepEqual(missed, []);
});
