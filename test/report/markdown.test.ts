import * as fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { COMMENT_LIMIT } from '../../src/report/markdown-text.js';
import { renderMarkdown } from '../../src/report/markdown.js';
import {
  ALL_REPORTS,
  baselineReport,
  HOSTILE_NAMES,
  hostileReport,
  PIPELINE_REPORTS,
} from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

/** The comment as HTML, read as GitHub reads it, HTML in it included. */
function rendered(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** Names of the elements in the HTML. */
function elementsOf(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(/<([a-z][a-z0-9]*)/gi), ([, name = '']) => name.toLowerCase()));
}

/** Text that GitHub searches for mentions and the like: outside of code. */
function plainTextOf(html: string): string {
  return html.replace(/<(code|pre)[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, '');
}

const EXPECTED_ELEMENTS = new Set([
  'blockquote',
  'br',
  'code',
  'details',
  'h3',
  'h4',
  'li',
  'ol',
  'p',
  'pre',
  'strong',
  'summary',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
]);

function inLetters(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
}

describe('renderMarkdown', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    await expect(renderMarkdown(report)).toMatchFileSnapshot(`golden/${name}.md`);
  });

  it.each(ALL_REPORTS)('holds nothing but the elements that it writes in the %s report', (_, report) => {
    const html = rendered(renderMarkdown(report));
    expect([...elementsOf(html)].filter((name) => !EXPECTED_ELEMENTS.has(name))).toEqual([]);
    expect(html).not.toMatch(/<\w[^>]*\s(on\w+|href|src|style)=/i);
  });

  it.each(ALL_REPORTS)('opens and closes every fold of the %s report', (_, report) => {
    const html = rendered(renderMarkdown(report));
    const count = (tag: string) => html.split(tag).length - 1;
    expect(count('<details>')).toBe(count('</details>'));
    expect(count('<summary>')).toBe(count('<details>'));
    expect(count('<details>')).toBe(renderMarkdown(report).split('\n<details>').length - 1);
  });

  it('has a row for each finding that counts, the worst first, each of three cells', () => {
    const findings = HOSTILE_NAMES.map((name) =>
      findingOf({ namespace: `shop.${name}`, path: `${name}.x`, message: name, check: 'deep-nesting' }),
    );
    const rows = rendered(renderMarkdown(reportOf({ findings }))).match(/<tr>[^]*?<\/tr>/g) ?? [];
    expect(rows).toHaveLength(HOSTILE_NAMES.length + 1);
    for (const row of rows) expect(row.match(/<t[dh]>/g)).toHaveLength(3);
    const severities = rendered(renderMarkdown(richReport()))
      .match(/<td>\S+ (error|warning|info)<\/td>/g)
      ?.map((cell) => /error|warning|info/.exec(cell)?.[0]);
    expect(severities).toEqual(['error', 'error', 'warning', 'warning', 'info']);
  });

  it('calls nobody and links nowhere, whatever names there are', () => {
    const text = plainTextOf(rendered(renderMarkdown(hostileReport())));
    expect(text).not.toMatch(/@\w|#\d|GH-\d|www\.|https?:\/\/|:tada:/);
  });

  it('shows names as they are', () => {
    const names = ['shop.a|b', 'shop.a`b', 'shop.`', 'shop.a*b_c', 'shop.<b>', 'shop.a\\|b', 'shop. x '];
    for (const name of names) {
      const html = rendered(renderMarkdown(reportOf({ findings: [findingOf({ namespace: name, message: 'm' })] })));
      const cell = /<br><code>([^]*?)<\/code>(?:<br>|<\/td>)/.exec(html)?.[1] ?? '';
      const shown = cell
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
      expect(shown).toBe(name);
    }
  });

  it('ends a block of commands only where it ends', () => {
    const remedy = reportedRemedy({
      steps: [{ text: 'r', command: { db: '```\n</details>', command: { collMod: '````x' } } }],
    });
    const html = rendered(renderMarkdown(reportOf({ findings: [findingOf({ remedy })] })));
    expect(html.match(/<pre>/g)).toHaveLength(2);
    expect(/<pre><code class="language-js">([^]*?)<\/code><\/pre>/.exec(html)?.[1]).toContain('````x');
  });

  it('lists the steps of a remedy, each with its command', () => {
    const command = { db: 'shop', command: { collMod: 'a' } };
    const remedy = reportedRemedy({
      steps: [
        { text: 'First.', command },
        { text: 'Then.', code: 'a ```\nb' },
      ],
    });
    const html = rendered(renderMarkdown(reportOf({ findings: [findingOf({ remedy })] })));
    expect(html).toContain('<ol>');
    expect(html.match(/<li>\s*<p>(First|Then)\.<\/p>\s*<pre>/g)).toHaveLength(2);
    expect(html).toContain('<pre><code>a ```\nb\n</code></pre>');
  });

  it('says what is new, worse, known and fixed, and what to put right', () => {
    const markdown = renderMarkdown(baselineReport());
    expect(markdown).toContain('### mongolint of `staging`');
    expect(markdown).toContain(
      'Compared with before: 1 new, 1 worse, 3 known, 1 fixed, 1 gone, 1 not seen this time. 1 known finding could not be checked again.',
    );
    expect(markdown).toContain('Worse: was warning.');
    expect(markdown).toContain('- ✅ 🛑 error · unbounded-array · `shop.carts` · `items`');
    expect(markdown).toMatch(
      /Gone with their collections[^-]*- ⚠️ warning · deep-nesting · `shop\.forms_2024` · `a\.b`/,
    );
    expect(markdown).toMatch(/Not seen this time[^-]*- ℹ️ info · mixed-types · `shop\.events` · `amount`/);
    expect(markdown).toContain('> The suppression of deep-nesting');
    expect(rendered(markdown).match(/<tr>/g)).toHaveLength(1 + 2);
  });

  it('keeps to what GitHub takes and says how many findings were cut off', () => {
    // Advice that differs in more than names and figures: what is alike is told once.
    const findings = Array.from({ length: 2_000 }, (_, index) =>
      findingOf({
        namespace: `shop.c${index}`,
        severity: index === 1_999 ? 'error' : 'info',
        remedy: reportedRemedy({ steps: [{ text: `Ask ${inLetters(index)}.` }] }),
      }),
    );
    const markdown = renderMarkdown(reportOf({ findings }));
    expect(markdown.length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(markdown.length).toBeGreaterThan(COMMENT_LIMIT * 0.9);
    expect(markdown).toMatch(/\| 🛑 error \| \*\*unbounded-array\*\*<br>`shop\.c1999`/);
    expect(markdown.match(/[\d,]+ of 2,000 are cut off here/g)).toHaveLength(2);
    expect(rendered(markdown).match(/<details>/g)?.length).toBe(rendered(markdown).match(/<\/details>/g)?.length);
  });

  it('leaves room for the reports that stand in one comment with it', () => {
    const findings = Array.from({ length: 2_000 }, (_, index) => findingOf({ namespace: `shop.c${index}` }));
    const one = renderMarkdown(reportOf({ findings }), { sharedBy: 3 });
    expect(`${one}\n${one}\n${one}`.length).toBeLessThanOrEqual(COMMENT_LIMIT);
  });

  it('keeps to the limit whatever there is', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 40 }), (names) => {
        expect(renderMarkdown(hostileReport([...names, ...HOSTILE_NAMES])).length).toBeLessThanOrEqual(COMMENT_LIMIT);
      }),
      { seed: 1, numRuns: 4 },
    );
  });
});
