import { describe, expect, it } from 'vitest';
import { conclusion } from '../../src/report/conclusion.js';
import { doFirst } from '../../src/report/do-first.js';
import { renderHtml } from '../../src/report/html/html-report.js';
import { renderMarkdown } from '../../src/report/markdown.js';
import { PLAIN } from '../../src/report/paint.js';
import { renderTable } from '../../src/report/table.js';
import { findingOf, reportOf, sampledCollection } from '../support/report/sample-report.js';

const main = findingOf({ severity: 'info', fingerprint: 'f0'.repeat(8) });
const apart = findingOf({
  check: 'unsafe-server',
  title: 'Servers that are easy to break into or to lose',
  group: 'safety',
  severity: 'warning',
  namespace: '*',
  path: 'authentication',
  message: 'Access control is off.',
  fingerprint: 'ab'.repeat(8),
});
const collections = [sampledCollection('shop.threads')];
const both = reportOf({ findings: [apart, main], collections });
const alone = reportOf({ findings: [apart], collections });

/** Where each text begins; each must be there. */
function places(text: string, ...parts: readonly string[]): number[] {
  return parts.map((part) => {
    expect(text).toContain(part);
    return text.indexOf(part);
  });
}

describe('findings that stand apart', () => {
  it('are counted after the others, which may be none', () => {
    expect(conclusion(both, PLAIN)).toBe('1 info in 1 of 1 collection. Safety: 1 warning.');
    expect(conclusion(alone, PLAIN)).toBe('No anti-patterns found in 1 collection. Safety: 1 warning.');
    expect(conclusion(reportOf({ findings: [apart] }), PLAIN)).toBe('Safety: 1 warning.');
  });

  it('are never what to do first', () => {
    expect(doFirst(both.findings).map(({ finding }) => finding)).toEqual([main]);
    expect(doFirst(alone.findings)).toEqual([]);
  });

  it.each([{}, { verbose: true }, { quiet: true }])(
    'have a section of their own in a terminal, after the others: %o',
    (how) => {
      const text = renderTable(both, { width: 120, color: false, ...how });
      const [others, heading, line] = places(text, 'unbounded-array', '\nSafety\n', 'unsafe-server');
      expect(others).toBeLessThan(heading!);
      expect(heading).toBeLessThan(line!);
    },
  );

  it('have a section of their own in a comment', () => {
    const [others, heading, line] = places(
      renderMarkdown(both),
      '**unbounded-array**',
      '#### Safety',
      '**unsafe-server**',
    );
    expect(others).toBeLessThan(heading!);
    expect(heading).toBeLessThan(line!);
  });

  it('have a section of their own on a page', () => {
    const page = renderHtml(both);
    const [others, heading, card] = places(page, '<section id="findings"', '<section id="safety"', 'id="abababab');
    expect(others).toBeLessThan(heading!);
    expect(heading).toBeLessThan(card!);
    expect(page).toContain('1 findings');
  });
});
