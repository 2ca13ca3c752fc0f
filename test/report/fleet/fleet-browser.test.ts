import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { renderFleetHtml } from '../../../src/report/html/html-report.js';
import { accessibilityProblems, useReportPages } from '../../support/report-page.js';
import { fleetOverview } from '../../support/report/fleet.js';

const open = useReportPages();
const VIEWS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { colorScheme: 'light', viewport: { width: 375, height: 740 } }],
];

describe('the overview of a fleet', () => {
  it.each(VIEWS)('is quiet, accessible and as wide as its window in %s', async (_, options) => {
    const { page } = await open(renderFleetHtml(fleetOverview(60)), options);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  it('names every cluster, the worst first, and links the pages of those that have one', async () => {
    const { page } = await open(renderFleetHtml(fleetOverview(60), { pageOf: (alias) => `${alias}.html` }));
    const names = await page.locator('#findings tbody th').allTextContents();
    expect(names).toHaveLength(59);
    expect(new Set(names).size).toBe(59);
    const errors = await page.locator('#findings tbody tr td:nth-of-type(1)').allTextContents();
    const counts = errors.map(Number);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(await page.getByRole('link', { name: names[0] ?? '' }).getAttribute('href')).toBe(`${names[0]}.html`);
    expect(await page.locator('#not-linted').textContent()).toMatch(/cluster-003 No usable server.*part 3 of 8/s);
  });
});
