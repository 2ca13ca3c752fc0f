import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { root } from '../pages.mjs';
import { served } from './served.mjs';

const SHOP = join(root, 'site/evidence/shop.evidence.jsonl.gz');
const SAMPLES = {
  'A small shop': SHOP,
  Overleaf: join(root, 'test/oracle/evidence/applications/overleaf.evidence.jsonl.gz'),
  Lichess: join(root, 'test/oracle/evidence/applications/lichess.evidence.jsonl.gz'),
  'Slow joins of a bank': join(root, 'test/oracle/evidence/incidents/banking-joins.evidence.jsonl.gz'),
};

let site;
let page;
let folder;
before(async () => {
  site = await served();
  folder = mkdtempSync(join(tmpdir(), 'mongolint-playground-'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await site.stop();
});
beforeEach(async () => {
  await page?.close();
  page = await site.browser.newPage();
  await page.goto(`${site.address}/playground/`);
});

const status = () => page.locator('#status');
const judged = () => status().filter({ hasText: 'Judged here' }).waitFor();
const open = (name, bytes) => page.setInputFiles('#file', { name, mimeType: 'application/gzip', buffer: bytes });

/** The report that the page gives to save. */
async function saved() {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#json')]);
  return readFileSync(await download.path(), 'utf8');
}

/** What `mongolint judge` prints. */
function command(file, ...argv) {
  const all = [join(root, 'dist/bundle/cli.js'), 'judge', file, '--format', 'json', ...argv];
  return new Promise((done) => execFile(process.execPath, all, { maxBuffer: 1e9 }, (_, stdout) => done(stdout)));
}

for (const [title, file] of Object.entries(SAMPLES))
  test(`${title} is judged as the command does, byte for byte`, async (context) => {
    await page.getByRole('button', { name: title }).click();
    await judged();
    context.diagnostic(await status().textContent());
    assert.equal(await saved(), await command(file, '--no-config'));
    const heading = page.frameLocator('#report').locator('h1');
    assert.match(await heading.textContent(), /^(?:\d|No)/);
  });

test('sizes and thresholds change the verdict, as the shown configuration does', async () => {
  await open('shop.evidence.jsonl.gz', readFileSync(SHOP));
  await judged();
  const usual = await saved();
  await page.getByLabel('Expected size of shop.orders').selectOption('1000');
  await page.locator('#rules summary').click();
  await page.getByLabel('Find a check').fill('deep skip');
  await page.getByLabel('Severity of deep-skip').selectOption('info');
  await page.getByLabel('Find a check').fill('unbounded array');
  await page.getByLabel(/^giantBytes/).fill('2000000');
  await page.getByLabel('Find a check').fill('validator');
  await page.getByLabel('Severity of missing-validator').selectOption('on');
  await status().filter({ hasText: 'Judging' }).waitFor();
  await judged();
  await page.locator('#made summary').click();
  const config = join(folder, 'mongolint.config.yaml');
  writeFileSync(config, await page.locator('#configuration').textContent());
  const changed = await saved();
  assert.notEqual(changed, usual);
  assert.match(changed, /"judgedAt"/);
  assert.equal(changed, await command(SHOP, '--config', config));
});

/** In the page or in its worker: what comes of three ways to send something. */
async function attempt(address) {
  const image = new Promise((done, fail) => {
    if (typeof Image === 'undefined') return fail();
    const made = new Image();
    made.addEventListener('load', done);
    made.addEventListener('error', fail);
    return (made.src = `${address}/x.png`);
  });
  const socket = new Promise((done, fail) => {
    const made = new WebSocket(address.replace('http', 'ws'));
    made.addEventListener('open', done);
    made.addEventListener('error', fail);
  });
  const all = await Promise.allSettled([fetch(address), image, socket]);
  return all.map((one) => (one.status === 'fulfilled' ? 'sent' : 'blocked'));
}

test('nothing leaves the browser', async () => {
  const loaded = site.asked.length;
  await page.getByRole('button', { name: 'A small shop' }).click();
  await judged();
  const [worker] = page.workers();
  for (const place of [page, worker])
    for (const address of [site.address, 'http://example.com'])
      assert.deepEqual(await place.evaluate(attempt, address), ['blocked', 'blocked', 'blocked']);
  assert.deepEqual(site.asked.slice(loaded), []);
  // Without the policy, it would have been sent.
  await page.goto(`${site.address}/files/action.yml.txt`);
  assert.equal((await page.evaluate(attempt, site.address))[0], 'sent');
});

const lines = gunzipSync(readFileSync(SHOP)).toString();
const HOSTILE = {
  'an empty file': Buffer.alloc(0),
  'random bytes': Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 251)),
  'a file that is cut off': readFileSync(SHOP).subarray(0, 20_000),
  'a gzip with flipped bytes': Buffer.from(readFileSync(SHOP)).fill(0xff, 9_000, 9_100),
  'lines that were changed': gzipSync(lines.replace('shop.orders', 'shop.ordres')),
  'lines without an end': gzipSync(lines.split('\n').slice(0, 5).join('\n')),
  'a newer version': gzipSync(lines.replace(/"version":\d+/, '"version":99')),
  'a bomb': gzipSync(Buffer.alloc(300 * 1024 * 1024, 'a')),
  'deep JSON': gzipSync(
    `${lines.split('\n')[0]}\n{"kind":"collection","evidence":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`,
  ),
  'a key of the prototype': gzipSync(
    `${lines.split('\n')[0]}\n{"__proto__":{"kind":"collection"},"kind":"constructor"}\n`,
  ),
  'markup for a name': gzipSync('<img src=x onerror=alert(1)>'),
};
test('a hostile file ends in a message, and the next one is judged', async (context) => {
  const errors = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  for (const [what, bytes] of Object.entries(HOSTILE)) {
    await open(`<b>${what}</b>.gz`, bytes);
    await page.locator('#fault:not([hidden])').waitFor();
    const text = await page.locator('#fault').textContent();
    context.diagnostic(`${what}: ${text}`);
    assert.match(text, /\.$/);
    assert.equal(await page.locator('#fault b').count(), 0);
    await page.getByRole('button', { name: 'Slow joins of a bank' }).click();
    await judged();
    assert.ok(await page.locator('#fault').isHidden());
  }
  assert.deepEqual(errors, []);
});

test('the keyboard is enough', async () => {
  const focused = () => page.evaluate(() => document.activeElement.textContent || document.activeElement.id);
  for (let presses = 0; (await focused()) !== 'A small shop'; presses += 1) {
    assert.ok(presses < 10);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await judged();
  const usual = await status().textContent();
  const label = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  for (let presses = 0; (await label()) !== 'Expected size of shop.orders'; presses += 1) {
    assert.ok(presses < 20);
    await page.keyboard.press('Tab');
  }
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowDown');
  await status().filter({ hasText: 'Judging' }).waitFor();
  await judged();
  assert.notEqual((await status().textContent()).replace(/ Judged.*/, ''), usual.replace(/ Judged.*/, ''));
});

test('390 pixels are enough', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole('button', { name: 'A small shop' }).click();
  await judged();
  for (const id of ['sizes', 'rules', 'made']) await page.locator(`#${id}`).evaluate((one) => (one.open = true));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const frame = page.frames().find((one) => one.url() === 'about:srcdoc');
  const heading = page.frameLocator('#report').locator('h1');
  await heading.waitFor();
  assert.ok((await frame.evaluate(() => document.documentElement.scrollWidth)) <= 350);
});
