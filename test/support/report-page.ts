import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { renderHtml } from '../../src/report/html/html-report.js';
import type { Report } from '../../src/report/report.js';
import { CHROMIUM_TIMEOUT, launchChromium } from './chromium.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A report's page in a browser. */
export interface ReportPage {
  readonly page: Page;
  /** What the page said or asked for: console messages, errors, dialogs, requests. A test fails where it leaves any. */
  readonly noises: string[];
}

/** Opens a report, or the source of another page, from a file, as people do; `hash` is what the address ends in. */
export type OpenReport = (
  report: Report | string,
  options?: BrowserContextOptions,
  hash?: string,
) => Promise<ReportPage>;

/** Starts a browser for the tests of this file, and fails each test after which a page has made noise. */
export function useReportPages(): OpenReport {
  let browser: Browser;
  let folder: string;
  let opened: ReportPage[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    folder = await mkdtemp(join(tmpdir(), 'mongolint-html-'));
  }, CHROMIUM_TIMEOUT);

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    const noises = opened.flatMap((each) => each.noises);
    opened = [];
    await Promise.all(browser.contexts().map((context) => context.close()));
    if (noises.length > 0) throw new Error(`The page made noise:\n${noises.join('\n')}`);
  });

  return async (report, options = {}, hash = '') => {
    const file = join(folder, 'report.html');
    await writeFile(file, typeof report === 'string' ? report : renderHtml(report));
    const page = await browser.newPage(options);
    const noises = noisesOf(page, pathToFileURL(file).href);
    opened.push({ page, noises });
    await page.goto(pathToFileURL(file).href + hash);
    return { page, noises };
  };
}

/** Everything that axe finds wrong with the page, by rule and element. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as {
    id: string;
    nodes: { html: string }[];
  }[];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

function noisesOf(page: Page, address: string): string[] {
  const noises: string[] = [];
  page.on('console', (message) => noises.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noises.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    noises.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const own =
      request.url() === address || request.url().startsWith(`${address}#`) || request.url().startsWith('data:');
    if (!own) noises.push(`request: ${request.url()}`);
  });
  return noises;
}
