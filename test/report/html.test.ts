import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { arrayGrowthOf } from '../../src/report/array-growth.js';
import { renderHtml } from '../../src/report/html/html-report.js';
import { html, Html } from '../../src/report/html/prose-html.js';
import type { Report } from '../../src/report/report.js';
import { growthReport } from '../support/report/growth-report.js';
import { ALL_REPORTS, PIPELINE_REPORTS } from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

describe('html', () => {
  it.each([
    ['text', html`<p>${'<b>&"\''}</p>`, '<p>&lt;b&gt;&amp;&quot;&#39;</p>'],
    ['a number', html`<p>${1.5}</p>`, '<p>1.5</p>'],
    ['nothing', html`<p>${null}</p>`, '<p></p>'],
    ['HTML', html`<p>${html`<b>${'<'}</b>`}</p>`, '<p><b>&lt;</b></p>'],
    ['a list', html`<p>${['<', html`<br>`]}</p>`, '<p>&lt;<br></p>'],
    ["mongolint's own source", html`<style>${new Html('a > b {}')}</style>`, '<style>a > b {}</style>'],
  ])('puts %s into a template', (_, { source }, expected) => {
    expect(source).toBe(expected);
  });
});

const nightOf = (day: number, error: number, largest: number) => ({
  at: `2026-11-0${day}T03:00:00.000Z`,
  findings: { error, warning: 2, info: 0 },
  documents: 100,
  bytes: 1_024 * day,
  arrays: [{ namespace: 'shop.<b>', path: 'items', largest }],
});

describe('renderHtml', () => {
  it('draws how earlier runs went, if there are any', () => {
    const nights = [nightOf(1, 3, 10), nightOf(2, 1, 40)];
    const page = renderHtml({ ...richReport(), nights });
    expect(page).toContain('<title>Findings over 2 runs</title>');
    expect(page).toContain('<desc>error 3 → 1; warning 2; info 0</desc>');
    expect(page).toContain('Size of the documents: 1 KB → 2 KB');
    expect(page).toContain('Longest items of shop.&lt;b&gt;, in elements: 10 → 40');
    expect(renderHtml({ ...richReport(), nights: nights.slice(1) })).not.toContain('id="nights"');
  });

  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    // Style and script are constants, and looked at in a browser.
    const page = renderHtml(report)
      .replace(/(<(style|script)>)[^]*?(<\/\2>)/g, '$1$3')
      .replace(/sha256-[^&]+/g, 'sha256-…');
    await expect(page).toMatchFileSnapshot(`golden/${name}.html`);
  });

  it.each(ALL_REPORTS)(
    'holds one style and one script in the %s report, and their hashes in its policy',
    (_, report) => {
      const page = renderHtml(report);
      const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
      for (const [element, directive] of [
        ['style', 'style-src'],
        ['script', 'script-src'],
      ]) {
        const contents = Array.from(
          page.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g')),
          ([, content = '']) => content,
        );
        expect(contents).toHaveLength(1);
        const hash = createHash('sha256')
          .update(contents[0] ?? '')
          .digest('base64');
        expect(policy.replaceAll('&#39;', "'")).toContain(`${directive} 'sha256-${hash}'`);
      }
      expect(policy).toMatch(/^default-src &#39;none&#39;;/);
      expect(policy).not.toContain('unsafe');
    },
  );

  it.each(ALL_REPORTS)('names no address to load from in the %s report', (_, report) => {
    const page = renderHtml(report);
    const references = Array.from(
      page.matchAll(/\s(?:src|href|srcset|action|data|poster)="([^"]*)"/g),
      ([, address]) => address,
    );
    expect(references.filter((address) => !/^(#|data:image\/svg\+xml,)/.test(address ?? ''))).toEqual([]);
    expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^>]*\s(?:on\w+|style)=/i);
    expect(page.match(/@import|url\(/g)).toBeNull();
  });

  it('keeps ids apart, of findings with one fingerprint too', () => {
    const page = renderHtml(reportOf({ findings: [findingOf(), findingOf(), ...richReport().findings] }));
    const ids = Array.from(page.matchAll(/\sid="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('draws each distribution with every bar that counts something', () => {
    const page = renderHtml(richReport());
    const plots = page.match(/<figure class="plot">[^]*?<\/figure>/g) ?? [];
    const distributions = richReport().findings.filter(({ evidence }) => evidence.distribution !== undefined);
    expect(plots).toHaveLength(distributions.length);
    for (const plot of plots) {
      const heights = Array.from(
        plot.matchAll(/<rect [^>]*height="([\d.]+)"[^>]*><title>[^:]*: ([\d,]+)/g),
        ([, height, count]) => [Number(height), Number(count?.replace(',', ''))],
      );
      expect(heights.length).toBeGreaterThan(0);
      for (const [height = 0, count = 0] of heights) expect(height > 0).toBe(count > 0);
    }
  });
});

const plotsOf = (page: string) => page.match(/<figure class="plot growth">[^]*?<\/figure>/g) ?? [];
const passedIn = (days: number) => ({ typical: [1, days], largest: null });

describe('the plot of a growing array', () => {
  const finding = findingOf(growthReport().findings[0]);
  const plotOf = (figures: Record<string, number | number[] | Record<string, Record<string, number[] | null>>>) =>
    plotsOf(renderHtml(reportOf({ findings: [{ ...finding, evidence: { ...finding.evidence, ...figures } }] })))[0] ??
    '';

  it('stands with every finding whose evidence carries growth, and with no other', () => {
    const { findings } = growthReport();
    const growing = findings.filter(({ evidence }) => arrayGrowthOf(evidence) !== null);
    expect(growing).toHaveLength(findings.length);
    expect(plotsOf(renderHtml(reportOf({ findings: [...findings, ...richReport().findings] })))).toHaveLength(
      findings.length,
    );
  });

  it.each([
    [
      'the last limit that is passed within two years',
      { '200 elements': passedIn(80), '1,000 elements': passedIn(540), '16 MB': passedIn(900) },
      'in 540 days',
    ],
    ['two years, where all are passed later', { '200 elements': passedIn(731) }, 'in 730 days'],
    ['hours, where that is enough', { '200 elements': passedIn(0.32) }, 'in 0.3 days'],
    [
      'as far as was measured, where all are passed already',
      { '200 elements': { typical: [0, 0], largest: [0, 0] } },
      'in 90 days',
    ],
    ['as far as was measured, where nothing is forecast', {}, 'in 90 days'],
  ])('reaches to %s', (_, forecastDays, expected) => {
    expect(plotOf({ forecastDays })).toContain(`>${expected}</text>`);
  });

  it('says in words what it draws', () => {
    expect(plotOf({})).toContain(
      '<desc>In a typical document 40 elements now and 1,142 (1,012 to 1,282) in 540 days. In the largest 310 now and 3,820 then.</desc>',
    );
  });

  it.each([
    ['both limits that are in reach', {}, ['warning', 'info']],
    [
      'no limit that is far',
      {
        typicalLength: 3,
        largestLength: 9,
        forecastDays: {},
        elementsPerDay: 0.3,
        elementsPerDayRange: [0.2, 0.5],
        largestElementsPerDay: 0.4,
      },
      [],
    ],
  ])('marks %s', (_, figures, expected) => {
    const marks = Array.from(plotOf(figures).matchAll(/class="mark (\w+)"/g), ([, severity]) => severity);
    expect(marks.toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    ['as measured', {}],
    ['where the largest grows out of it', { largestElementsPerDay: 4_000 }],
    ['where arrays are huge', { typicalLength: 2e6, largestLength: 3e6 }],
    [
      'where arrays are empty and stand still',
      { typicalLength: 0, largestLength: 0, elementsPerDay: 0, elementsPerDayRange: [0, 0], largestElementsPerDay: 0 },
    ],
  ])('draws nothing outside of its frame: %s', (_, figures) => {
    const plot = plotOf(figures);
    const frame = /viewBox="0 0 (\d+) (\d+)" role="img"/.exec(plot) ?? [];
    const [width, height] = [Number(frame[1]), Number(frame[2])];
    const drawing = plot.slice(0, plot.indexOf('<figcaption>'));
    const points = Array.from(drawing.matchAll(/ points="([^"]*)"/g), ([, list = '']) =>
      list.split(/[ ,]/).map(Number),
    ).flat();
    const [across, down] = [/ c?x[12]?="([^"]*)"/g, / c?y[12]?="([^"]*)"/g].map((name) =>
      Array.from(drawing.matchAll(name), ([, value]) => Number(value)),
    ) as [number[], number[]];
    across.push(...points.filter((_point, index) => index % 2 === 0));
    down.push(...points.filter((_point, index) => index % 2 === 1));
    expect(across.length).toBeGreaterThan(10);
    expect(across.filter((value) => !(value >= 0 && value <= width))).toEqual([]);
    expect(down.filter((value) => !(value >= 0 && value <= height))).toEqual([]);
  });
});

const shapeOf = (documentsExamined: number | null) => ({
  namespace: 'shop.<b>',
  kind: 'find' as const,
  shape: 'find by `email` ($eq)',
  source: 'profiler',
  executions: 10,
  milliseconds: null,
  msShare: null,
  examinedShare: null,
  rankByTime: null,
  rankByExamined: null,
  documentsExamined,
  keysExamined: documentsExamined === null ? null : 0,
  returned: 1,
  findings: [],
});
const at = (findings: Report['findings'], documentsExamined: number | null) => ({
  ...reportOf({ findings }),
  topShapes: [shapeOf(documentsExamined)],
});
const cardOf = (page: string) => /<div class="card before-after">[^]*?<\/div>/.exec(page)?.[0] ?? '';

describe('before and after', () => {
  it('draws findings and what an execution examines of both reports, as bars of one scale', () => {
    const [before, after] = [at([findingOf({ severity: 'error' })], 12_000), at([], 30)];
    const card = cardOf(renderHtml(after, { before }));
    expect(card).toContain('shop.&lt;b&gt;');
    expect(card.replace(/<[^>]*>/g, ' ').replace(/ +/g, ' ')).toMatch(/Before After [^]*12,000 30 /);
    // The bar of 12,000 is whole, that of 30 is not empty.
    expect(card).toMatch(/<rect width="72"[^>]*\/><\/svg> 12,000</);
    expect(card).toMatch(/<rect width="1"[^>]*\/><\/svg> 30</);
    expect(card).toMatch(/error<\/th>.* 1<\/td>.*<rect width="0"[^>]*\/><\/svg> 0<\/td>/);
  });

  it('leaves out what only one of them knows, and the card without an older report', () => {
    const [before, after] = [at([], null), at([], 30)];
    expect(cardOf(renderHtml(after, { before }))).not.toContain('per execution');
    expect(cardOf(renderHtml(after))).toBe('');
  });
});
