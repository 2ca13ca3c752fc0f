import { describe, expect, it } from 'vitest';
import { FleetTally } from '../../../src/cli/fleet-tally.js';
import { fleetOverviewSchema } from '../../../src/report/fleet/fleet-overview.js';
import { renderFleetHtml } from '../../../src/report/html/html-report.js';
import { COMMENT_LIMIT } from '../../../src/report/markdown-text.js';
import { renderFleetMarkdown } from '../../../src/report/markdown.js';
import { RENDER_DEFAULTS } from '../../../src/report/report-options.js';
import { renderFleetTable } from '../../../src/report/table.js';
import { textWidth } from '../../../src/report/text-layout.js';
import { policyFinding, policyRun } from '../../support/policy-finding.js';
import { EXIT_POLICY, fleetOverview } from '../../support/report/fleet.js';

describe('the table of a fleet', () => {
  it.each([80, 120, 200])('is as in its golden file, and no wider than %i columns', async (width) => {
    const text = renderFleetTable(fleetOverview(60), { ...RENDER_DEFAULTS, width });
    expect(Math.max(...text.split('\n').map(textWidth))).toBeLessThanOrEqual(width);
    await expect(text).toMatchFileSnapshot(`../golden/fleet-${width}.txt`);
  });

  it('lists every cluster with --verbose', () => {
    const text = renderFleetTable(fleetOverview(60), { ...RENDER_DEFAULTS, verbose: true });
    for (let index = 0; index < 60; index += 1) expect(text).toContain(`cluster-${String(index).padStart(3, '0')}`);
    expect(text).not.toContain('--verbose');
  });

  it('is short with --quiet', () => {
    const text = renderFleetTable(fleetOverview(60), { ...RENDER_DEFAULTS, quiet: true });
    expect(text).toContain('Clusters, the worst first');
    expect(text).not.toContain('Common to several clusters');
  });

  it('says that a fleet of nothing is nothing', () => {
    expect(renderFleetTable(new FleetTally(EXIT_POLICY).overview([]), RENDER_DEFAULTS)).toBe('0 clusters: none.\n');
  });
});

describe('the Markdown of a fleet', () => {
  it('is as in its golden file', async () => {
    await expect(renderFleetMarkdown(fleetOverview(60))).toMatchFileSnapshot('../golden/fleet.md');
  });

  it('fits into a comment however many clusters there are, and says what is cut off', () => {
    const text = renderFleetMarkdown(fleetOverview(3_000));
    expect(text.length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(text).toMatch(/[\d,]+ of [\d,]+ are cut off here/);
  });
});

describe('names that would do something', () => {
  const alias = 'eu"><script>alert(1)</script>|`\u001b[31m';
  const report = policyRun(['shop.<b>'], {
    findings: [policyFinding({ namespace: 'shop.<b>', path: '<i>|`' })],
  }).report;
  const tally = new FleetTally(EXIT_POLICY);
  tally.add({ alias, report });
  tally.add({ alias: `${alias}2`, report });
  const hostile = tally.overview(['<u>']);

  it('do nothing in a page', () => {
    const page = renderFleetHtml(hostile, { pageOf: () => 'a"b' });
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).not.toContain('\u001b');
    expect(page).not.toMatch(/<(?:b|i|u)>|href="a"b/);
  });

  it('do nothing on a terminal, nor in Markdown', () => {
    expect(renderFleetTable(hostile, RENDER_DEFAULTS)).not.toContain('\u001b');
    expect(renderFleetMarkdown(hostile).replaceAll(/`[^`]*`/g, '')).not.toMatch(/(?<!\\)<(?:script|b|i|u)>/);
  });
});

describe('the overview of a fleet', () => {
  it('is what its schema says', () => {
    expect(fleetOverviewSchema.safeParse(fleetOverview(60)).error).toBeUndefined();
  });

  it('counts all findings that several clusters have, of which the table shows some', () => {
    const findings = Array.from({ length: 80 }, (_, number) => policyFinding({ path: `items.${number}` }));
    const tally = new FleetTally(EXIT_POLICY);
    for (const alias of ['a', 'b']) tally.add({ alias, report: policyRun(['shop.orders'], { findings }).report });
    const overview = tally.overview([]);
    expect(overview.alike).toHaveLength(80);
    expect(renderFleetTable(overview, RENDER_DEFAULTS)).toContain('and 50 more; --verbose lists all');
  });

  it('counts a place once for each cluster that has it, and only in clusters that count it', () => {
    const tally = new FleetTally(EXIT_POLICY);
    const suppressed = { by: 'a', reason: 'b', expires: null };
    for (const [index, changes] of [{}, {}, { suppressed }, { path: 'other' }].entries()) {
      const { report } = policyRun(['shop.orders'], { findings: [policyFinding(changes)] });
      tally.add({ alias: `c${index}`, report });
    }
    const { alike, checks } = tally.overview([]);
    expect(alike).toEqual([
      { check: 'unbounded-array', namespace: 'shop.orders', path: 'items', severity: 'error', targets: 2 },
    ]);
    expect(checks).toMatchObject([{ check: 'unbounded-array', targets: 3, findings: 3 }]);
  });
});
