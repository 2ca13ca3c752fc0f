import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { shownFindings } from '../../src/report/alike-findings.js';
import { renderHtml } from '../../src/report/html/html-report.js';
import { renderMarkdown } from '../../src/report/markdown.js';
import { renderTable } from '../../src/report/table.js';
import { textWidth } from '../../src/report/text-layout.js';
import { policyFinding } from '../support/policy-finding.js';
import { reportOf, sampledCollection } from '../support/report/sample-report.js';

// The labels were written before the first run of the code.

const redundant = (number: number, changes: Partial<Finding> = {}): Finding => {
  const [namespace, path] = [`shop.collection${number}`, `field${number}_1`];
  const steps = [
    { text: `Look for \`${path}\` in hint() calls of the application. It takes ${number * 40} KB of ${namespace}.` },
    { text: 'Hide it.', command: { db: 'shop', command: { collMod: namespace, index: { name: path, hidden: true } } } },
  ];
  return policyFinding({
    check: 'redundant-index',
    severity: 'info',
    title: 'Redundant index',
    namespace,
    path,
    message: `\`field${number}_1_placed_1\` serves every query that \`${path}\` serves.`,
    remedy: reportedRemedy({ steps }),
    ...changes,
  });
};
const redundants = (count: number, changes: Partial<Finding> = {}) =>
  Array.from({ length: count }, (_, number) => redundant(number, changes));
const other = policyFinding({ check: 'unbounded-array', severity: 'warning', namespace: 'shop.collection1' });
const worst = policyFinding({ check: 'oversized-document', namespace: 'shop.big' });

describe('shownFindings', () => {
  it.each<[string, readonly Finding[], number[]]>([
    ['ten with one advice', redundants(10), [9]],
    ['four', redundants(4), [3]],
    ['two', redundants(2), [1]],
    ['one', redundants(1), [0]],
    ['three warnings', redundants(3, { severity: 'warning' }), [0, 0, 0]],
    ['errors', redundants(5, { severity: 'error' }), [0, 0, 0, 0, 0]],
    ['several severities', [...redundants(4), ...redundants(4, { severity: 'warning' })], [3, 3]],
    [
      'another advice',
      [...redundants(4), redundant(5, { remedy: reportedRemedy({ steps: [{ text: 'Drop it.' }] }) })],
      [3, 0],
    ],
    ['several checks', [...redundants(4), ...redundants(4, { check: 'unused-index' })], [3, 3]],
    ['what several checks found', redundants(5, { furtherReasons: [other] }), [0, 0, 0, 0, 0]],
    ['none', [], []],
  ])('%s', (_, findings, expected) => {
    expect(shownFindings(findings).map(({ alike }) => alike.length)).toEqual(expected);
  });

  it('keeps the order, and each finding once', () => {
    const shown = shownFindings([...redundants(10), other, worst]);
    expect(shown.map(({ finding }) => finding.check)).toEqual([
      'oversized-document',
      'unbounded-array',
      'redundant-index',
    ]);
    expect(new Set(shown.flatMap(({ finding, alike }) => [finding, ...alike])).size).toBe(12);
  });
});

const count = (text: string, part: string) => text.split(part).length - 1;

describe('a report with ten findings alike', () => {
  const findings = [...redundants(10), other, worst];
  const collections = [...new Set(findings.map(({ namespace }) => namespace))].map((name) => sampledCollection(name));
  const report = reportOf({ findings, collections });

  it.each([80, 200])('is a line in a table of %i columns', (width) => {
    const text = renderTable(report, { width, color: false });
    const lines = text.split('\n');
    expect(lines.filter((line) => / \+9$|and 9 more like it/.test(line))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('redundant-index'))).toHaveLength(1);
    expect(lines.filter((line) => textWidth(line) > width && !line.includes('db.'))).toEqual([]);
  });

  it('is told one by one with --verbose', () => {
    const text = renderTable(report, { width: 100, color: false, verbose: true });
    expect(count(text, 'more like it')).toBe(0);
    expect(count(text, 'mongolint explain redundant-index')).toBe(10);
  });

  it('is one row and one section of Markdown', () => {
    const text = renderMarkdown(report);
    expect(count(text, 'and 9 more like it')).toBe(2);
    expect(count(text, 'mongolint explain redundant-index')).toBe(1);
    for (let number = 1; number < 10; number += 1) expect(text).toContain(`- \`shop.collection${number}\` · `);
  });

  it('is folded in HTML, with a card for each', () => {
    const text = renderHtml(report);
    expect(count(text, 'and 9 more like it')).toBe(1);
    expect(count(text, 'data-check="redundant-index"')).toBe(10);
  });
});
