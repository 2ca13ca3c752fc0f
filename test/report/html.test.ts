import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html/page.js';
import { html, Html } from '../../src/report/html/html-text.js';
import { ALL_REPORTS, PIPELINE_REPORTS } from './pipeline-reports.js';
import { richReport } from './rich-report.js';
import { findingOf, reportOf } from './sample-report.js';

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

describe('renderHtml', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    // Style and script are constants, and looked at in a browser.
    const page = renderHtml(report).replace(/(<(style|script)>)[^]*?(<\/\2>)/g, '$1$3').replace(/sha256-[^&]+/g, 'sha256-…');
    await expect(page).toMatchFileSnapshot(`golden/${name}.html`);
  });

  it.each(ALL_REPORTS)('holds one style and one script in the %s report, and their hashes in its policy', (_, report) => {
    const page = renderHtml(report);
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    for (const [element, directive] of [['style', 'style-src'], ['script', 'script-src']]) {
      const contents = Array.from(page.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g')), ([, content = '']) => content);
      expect(contents).toHaveLength(1);
      const hash = createHash('sha256').update(contents[0] ?? '').digest('base64');
      expect(policy.replaceAll('&#39;', "'")).toContain(`${directive} 'sha256-${hash}'`);
    }
    expect(policy).toMatch(/^default-src &#39;none&#39;;/);
    expect(policy).not.toContain('unsafe');
  });

  it.each(ALL_REPORTS)('names no address to load from in the %s report', (_, report) => {
    const page = renderHtml(report);
    const references = Array.from(page.matchAll(/\s(?:src|href|srcset|action|data|poster)="([^"]*)"/g), ([, address]) => address);
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
      const heights = Array.from(plot.matchAll(/<rect [^>]*height="([\d.]+)"[^>]*><title>[^:]*: ([\d,]+)/g), ([, height, count]) => [Number(height), Number(count?.replace(',', ''))]);
      expect(heights.length).toBeGreaterThan(0);
      for (const [height = 0, count = 0] of heights) expect(height > 0).toBe(count > 0);
    }
  });
});
