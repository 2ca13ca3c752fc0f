import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, useReportPages } from '../support/report-page.js';
import { growthReport } from '../support/report/growth-report.js';
import {
  ALL_REPORTS,
  baselineReport,
  hostileReport,
  HOSTILE_NAMES,
  reportWithFindings,
} from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

const PHONE = { width: 375, height: 740 };
/** Colors do not depend on the width: two views show each of both. */
const VIEWS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light' }],
  ['dark phone', { colorScheme: 'dark', viewport: PHONE }],
];

const open = useReportPages();

const titles = (page: Page) => page.locator('#cards > .finding:visible h3').allTextContents();

describe.each(ALL_REPORTS)('the page of the %s report', (_, report) => {
  it('is quiet, accessible and as wide as its window, light and dark, and leads everywhere that it links to', async () => {
    const { page } = await open(report, { colorScheme: 'light' });
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(PHONE);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const hashes = (await page.evaluate(
      'Array.from(document.querySelectorAll("a"), (link) => link.getAttribute("href"))',
    )) as string[];
    const ids = new Set(
      (await page.evaluate('Array.from(document.querySelectorAll("[id]"), ({ id }) => `#${id}`)')) as string[],
    );
    expect(hashes.filter((hash) => !ids.has(hash))).toEqual([]);
  });
});

describe('the filter', () => {
  it('shows what has any of the severities, and every other property asked for', async () => {
    const { page } = await open(richReport());
    expect(await titles(page)).toHaveLength(5);
    await page.getByRole('checkbox', { name: 'error' }).check();
    expect(await titles(page)).toEqual(['Oversized document', 'Unbounded array']);
    await page.getByRole('checkbox', { name: 'warning' }).check();
    expect(await titles(page)).toHaveLength(4);
    await page.getByRole('checkbox', { name: 'medium' }).check();
    expect(await titles(page)).toEqual(['Long array of references']);
    expect(await page.getByRole('status').textContent()).toBe('1 of 5 findings');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => titles(page)).toHaveLength(5);
  });

  it('filters by check and by collection', async () => {
    const { page } = await open(richReport());
    await page.getByRole('combobox', { name: 'Collection' }).selectOption('shop.threads');
    expect(await titles(page)).toEqual(['Oversized document', 'Unbounded array']);
    await page.getByRole('combobox', { name: 'Check' }).selectOption('unbounded-array');
    expect(await titles(page)).toEqual(['Unbounded array']);
    await page.getByRole('combobox', { name: 'Check' }).selectOption('deep-nesting');
    expect(await titles(page)).toEqual([]);
    expect(await page.getByText('No finding matches the filter.').isVisible()).toBe(true);
  });

  it('filters by what the baseline says', async () => {
    const { page } = await open(baselineReport());
    await page.getByRole('checkbox', { name: 'new' }).check();
    expect(await titles(page)).toEqual(['Oversized document', 'Unbounded array']);
    expect(await page.locator('.badge.new').allTextContents()).toEqual(['Worse', 'New']);
  });

  it('searches all words in everything that a finding says, from the keyboard too', async () => {
    const { page } = await open(richReport());
    await page.keyboard.press('/');
    await page.keyboard.type('THREADS createIndex');
    expect(await titles(page)).toEqual(['Unbounded array']);
    await page.keyboard.press('Escape');
    expect(await titles(page)).toHaveLength(5);
  });

  it('stands in the address, which shows the same to whoever opens it', async () => {
    const { page } = await open(richReport());
    await page.getByRole('checkbox', { name: 'warning' }).check();
    await page.getByRole('checkbox', { name: 'error' }).check();
    await page.getByRole('combobox', { name: 'Collection' }).selectOption('shop.threads');
    await page.getByRole('searchbox').fill('createIndex');
    const hash = (await page.evaluate('location.hash')) as string;
    expect(hash).toBe('#severity=error&severity=warning&namespace=shop.threads&search=createIndex');
    const other = await open(richReport(), {}, hash);
    expect(await titles(other.page)).toEqual(['Unbounded array']);
    expect(await other.page.getByRole('checkbox', { name: 'error' }).isChecked()).toBe(true);
    expect(await other.page.getByRole('searchbox').inputValue()).toBe('createIndex');
    await other.page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => titles(other.page)).toHaveLength(5);
    expect(await other.page.evaluate('location.hash')).toBe('');
  });

  it('follows an address that changes, and one that says nothing of this report', async () => {
    const { page } = await open(richReport(), {}, '#severity=info');
    expect(await titles(page)).toHaveLength(1);
    await page.evaluate(`location.hash = 'severity=error'`);
    await expect.poll(() => titles(page)).toEqual(['Oversized document', 'Unbounded array']);
    await page.evaluate(`location.hash = 'namespace=no.such&check=<b>&x=%'`);
    await expect.poll(() => titles(page)).toHaveLength(5);
  });

  it('filters by owner if findings have one', async () => {
    const findings = ['team-a', null, 'team-b'].map((owner, index) =>
      findingOf({ namespace: `shop.c${index}`, fingerprint: `f${index}`, owner }),
    );
    const { page } = await open(reportOf({ findings }), {}, '#owner=no+owner');
    expect(await page.locator('#cards > .finding:visible .place').allTextContents()).toEqual([
      expect.stringContaining('shop.c1'),
    ]);
    await page.getByRole('combobox', { name: 'Owner' }).selectOption('team-a');
    expect(await page.locator('#cards > .finding:visible .place').allTextContents()).toEqual([
      expect.stringContaining('shop.c0'),
    ]);
  });

  it('keeps up with 500 findings', async () => {
    const findings = Array.from({ length: 500 }, (_, index) =>
      findingOf({ namespace: `shop.c${index}`, fingerprint: index.toString(16).padStart(16, '0') }),
    );
    const { page } = await open(reportOf({ findings }));
    await page.getByRole('searchbox').fill('shop.c499');
    expect(await titles(page)).toHaveLength(1);
    expect(await page.getByRole('status').textContent()).toBe('1 of 500 findings');
  });

  it('is not there where no script runs, and everything else is', async () => {
    const { page } = await open(richReport(), { javaScriptEnabled: false });
    expect(await page.getByRole('search').isVisible()).toBe(false);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await titles(page)).toHaveLength(5);
  });
});

describe('links to findings', () => {
  const closed = 'd7c3';
  const report = reportOf({
    findings: [
      ...Array.from({ length: 9 }, (_, index) => findingOf({ path: `a${index}`, fingerprint: `a${index}` })),
      findingOf({ severity: 'info', fingerprint: closed }),
    ],
  });

  it('open the finding that an address names, and lead the keyboard there', async () => {
    const { page } = await open(report, { viewport: PHONE }, `#${closed}`);
    const finding = page.locator(`[id="${closed}"]`);
    expect(await finding.locator('details').getAttribute('open')).toBe('');
    await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe(closed);
    await expect.poll(async () => (await finding.boundingBox())?.y).toBeLessThan(PHONE.height);
  });

  it('show a finding again that the filter hides', async () => {
    const { page } = await open(report);
    await page.getByRole('checkbox', { name: 'error' }).check();
    const finding = page.locator(`[id="${closed}"]`);
    expect(await finding.isVisible()).toBe(false);
    await page.evaluate(`location.hash = '${closed}'`);
    await expect.poll(() => finding.isVisible()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'error' }).isChecked()).toBe(false);
  });
});

describe('the buttons', () => {
  it('choose the theme, whatever the system prefers', async () => {
    const background = 'getComputedStyle(document.body).backgroundColor';
    const { page } = await open(richReport(), { colorScheme: 'dark' });
    const dark = await page.evaluate(background);
    await page.getByRole('button', { name: 'Light theme' }).click();
    const light = await page.evaluate(background);
    expect(light).not.toBe(dark);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Dark theme' }).click();
    expect(await page.evaluate(background)).toBe(dark);
    const { page: lightPage } = await open(richReport(), { colorScheme: 'light' });
    expect(await lightPage.evaluate(background)).toBe(light);
  });

  it('open and close all findings that are shown', async () => {
    const { page } = await open(richReport());
    const folds = page.locator('#cards details');
    const openFolds = page.locator('#cards details[open]');
    expect(await openFolds.count()).toBe(0);
    await page.getByRole('button', { name: 'Open all' }).click();
    expect(await openFolds.count()).toBe(await folds.count());
    await page.getByRole('button', { name: 'Close all' }).click();
    expect(await openFolds.count()).toBe(0);
  });

  it('copy the commands of a remedy as they stand there', async () => {
    const { page } = await open(richReport());
    await page.getByRole('button', { name: 'Open all' }).click();
    const command = page.locator('#cards .command').first();
    await command.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => command.getByRole('button').textContent()).toBe('Copied');
    const search = page.getByRole('searchbox');
    await search.focus();
    await page.keyboard.press('ControlOrMeta+v');
    const copied = (await search.inputValue()).replace(/\s+/g, ' ');
    expect(copied).toBe((await command.locator('code').textContent())?.replace(/\s+/g, ' '));
  });
});

describe('the plot of a growing array', () => {
  it.each(VIEWS)('is a picture with a name, within its card, and its lines stand out in %s', async (_view, options) => {
    const { page } = await open(growthReport(), options);
    await page.getByRole('button', { name: 'Open all' }).click();
    const card = page.locator('#cards .finding', { hasText: 'shop.tickets' });
    const plot = card.getByRole('img', { name: 'Length of the array from today on, at the rates measured' });
    const [inner, outer] = [await plot.boundingBox(), await card.boundingBox()];
    expect(inner?.width).toBeGreaterThan(200);
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
    const colours = (await page.evaluate(`Array.from(
      document.getElementById('3fa9e0d21c76').querySelectorAll('.growth > svg > line:not(.axis)'),
      (line) => getComputedStyle(line).stroke,
    )`)) as string[];
    const background = await page.evaluate('getComputedStyle(document.querySelector(".finding")).backgroundColor');
    expect(colours).toHaveLength(4);
    expect(new Set([...colours, background]).size).toBe(5);
  });
});

describe('hostile names', () => {
  it('are shown and do nothing', async () => {
    const { page } = await open(hostileReport());
    expect(await page.evaluate('document.scripts.length')).toBe(1);
    expect(
      await page.evaluate('document.querySelectorAll("img, iframe, object, embed, video, audio, base").length'),
    ).toBe(0);
    const handlers =
      'Array.from(document.querySelectorAll("*")).flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith("on"))';
    expect(await page.evaluate(handlers)).toEqual([]);
    for (const name of HOSTILE_NAMES.slice(0, 4))
      expect(await page.locator('#cards .place', { hasText: `shop.${name}` }).count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Open all' }).click();
    await page.getByRole('combobox', { name: 'Collection' }).selectOption(`shop.${HOSTILE_NAMES[0]}`);
    expect(await titles(page)).toHaveLength(1);
  });

  it('could load and run nothing even if they got in', async () => {
    const { page, noises } = await open(richReport());
    const refused: string[] = [];
    page.on('requestfailed', (request) => refused.push(`${request.url()} ${request.failure()?.errorText}`));
    const violations = (await page.evaluate(`new Promise((resolve) => {
      const blocked = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        blocked.push(effectiveDirective);
        if (blocked.length === 5) resolve(blocked);
      });
      document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example/x.png" onerror="alert(1)"><p style="color: red">');
      const script = document.createElement('script');
      script.textContent = 'alert(2)';
      document.body.append(script);
      fetch('https://evil.example/').catch(() => {});
    })`)) as string[];
    expect(violations.toSorted()).toEqual([
      'connect-src',
      'img-src',
      'script-src-attr',
      'script-src-elem',
      'style-src-attr',
    ]);
    await expect.poll(() => refused).toEqual(['https://evil.example/x.png csp']);
    // The browser says that it refused; nothing else may have happened.
    expect(noises.filter((noise) => !noise.startsWith('console: '))).toEqual(['request: https://evil.example/x.png']);
    noises.length = 0;
  });
});

describe('what is to be seen at once', () => {
  it.each([400, 1280, 1920])(
    'is what to fix first, then the pictures, then findings that are folded, at %i px',
    async (width) => {
      const { page } = await open(reportWithFindings(30), { viewport: { width, height: 900 } });
      expect(await page.locator('details[open]').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const heads = await page.locator('main h1, main h2').allTextContents();
      const at = (beginning: string) => heads.findIndex((head) => head.startsWith(beginning));
      expect(at('Collections by the size')).toBeGreaterThan(0);
      expect(at('Findings')).toBeLessThan(at('Scorecard'));
      const map = await page.locator('.map').boundingBox();
      expect(map?.width).toBeGreaterThan(300);
    },
  );
});

describe('on paper', () => {
  it('everything is open, in dark ink, and nothing is there to press', async () => {
    const { page } = await open(richReport(), { colorScheme: 'dark' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('details:not([open])').count()).toBe(0);
    expect(await page.locator('button:visible, form:visible, nav:visible').count()).toBe(0);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator('#cards details[open]').count()).toBe(0);
  });
});
