import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportedRemedy, Skipped } from '../../src/finding.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { shortFingerprint } from '../../src/report/finding-list.js';
import type { Report } from '../../src/report/report.js';
import { renderTable, type TableOptions } from '../../src/report/table.js';
import { textWidth } from '../../src/report/text-layout.js';
import { reportWithFindings } from '../support/report/pipeline-reports.js';
import { recordedReport } from '../support/report/recorded-reports.js';
import { richReport } from '../support/report/rich-report.js';
import {
  CHECKS,
  findingOf,
  reportOf,
  sampledCollection,
  unsampledCollection,
} from '../support/report/sample-report.js';
import { UNPRINTABLE } from '../support/report/unprintable.js';

const HOSTILE = 'or\u001b[31mders\u001b]8;;http://evil\u0007\u202egnp.\u200b\r\n✓ all clear';

/** Hostile names wherever the server, or a check that quotes it, can put one. */
function hostileReport(name: string): Report {
  const namespace = `shop.${name}`;
  return reportOf({
    cluster: { topology: 'replicaSet', version: `6.0.5${name}`, name, tier: null, readFrom: null },
    findings: [
      findingOf({
        namespace,
        path: `${name}.posts`,
        message: `${name}.posts has no visible bound.`,
        evidence: { source: `sample${name}`, window: name, [name]: 1, names: [name, { [name]: name }] },
        remedy: reportedRemedy({
          steps: [
            { text: `Cap ${name}.posts.`, command: { db: name, command: { collMod: name, [name]: [name] } } },
            { text: name, code: `db.getCollection(${JSON.stringify(name)}).countDocuments({});` },
          ],
        }),
      }),
      findingOf({ namespace, path: name, suppressed: { by: name, reason: name, expires: name } }),
    ],
    skipped: [{ check: 'unbounded-array', namespace: `${namespace}2`, reason: 'fault', detail: `${name} failed.` }],
    collections: [sampledCollection(namespace), unsampledCollection(`${namespace}3`, name)],
  });
}

function skippedReport(count: number): Report {
  const namespaces = Array.from({ length: count }, (_, index) => `tenant_${index}.events`);
  return reportOf({
    checks: { ran: 0, skipped: CHECKS.length },
    collections: namespaces.map((namespace) => unsampledCollection(namespace, 'not authorized.')),
    skipped: namespaces.flatMap((namespace) =>
      CHECKS.map((check): Skipped => ({
        check,
        namespace,
        reason: 'privilege',
        detail: `reading documents of ${namespace}: not authorized; grant the privilege find on ${namespace}.`,
      })),
    ),
  });
}

const suppressedReport = () =>
  reportOf({
    findings: [
      findingOf({ suppressed: { by: '.mongolintrc.yaml', reason: 'archived nightly', expires: '2026-06-30' } }),
      findingOf({
        check: 'deep-nesting',
        severity: 'info',
        path: null,
        suppressed: { by: '.mongolintrc.yaml', reason: 'vendor format', expires: null },
      }),
    ],
    collections: [sampledCollection('shop.threads')],
  });

const goldens: readonly [string, Report, TableOptions][] = [
  ...[60, 80, 200].map((width): [string, Report, TableOptions] => [
    `demo-${width}`,
    recordedReport('demo'),
    { width, color: false },
  ]),
  ['demo-120-verbose', recordedReport('demo'), { width: 120, color: false, verbose: true }],
  ['demo-80-color', recordedReport('demo'), { width: 80, color: true }],
  ['demo-80-quiet', recordedReport('demo'), { width: 80, color: false, quiet: true }],
  ['baseline-80', recordedReport('baseline'), { width: 80, color: false }],
  ['faulted-120-verbose', recordedReport('faulted'), { width: 120, color: false, verbose: true }],
  ['sharded-120', recordedReport('sharded'), { width: 120, color: false }],
  ['clean-80', recordedReport('clean'), { width: 80, color: false }],
  ['empty-80', recordedReport('empty'), { width: 80, color: false }],
  ['hostile-names-80', hostileReport(HOSTILE), { width: 80, color: false, verbose: true }],
  ['only-skipped-80', skippedReport(1), { width: 80, color: false }],
  ['2000-skipped-80', skippedReport(2_000), { width: 80, color: false }],
  ['suppressed-80', suppressedReport(), { width: 80, color: false }],
];

/** Without the beginning of a statement that has no place to break at. */
function withoutNames(lines: readonly string[]): string[] {
  return lines.filter((line) => !/^\s*db\.\S+$/.test(stripVTControlCharacters(line)));
}

function hiding(collection: string): ReportedRemedy {
  return reportedRemedy({
    steps: [{ text: 'Hide the index.', command: { db: 'shop', command: { collMod: collection } } }],
  });
}

/** The commands that are shown if two checks of one path advise this. */
function commandsShown(...remedies: readonly ReportedRemedy[]): readonly string[] | null {
  const findings = remedies.map((remedy, index) => findingOf({ check: `check-${index}`, remedy }));
  return renderTable(reportOf({ findings }), { width: 80, color: false, verbose: true }).match(/collMod/g);
}

/** A screen of 80 columns. */
const SCREEN = 45;

/** As long as those of the demo: its three lines each. */
function fiveShapes(): Report['topShapes'] {
  return Array.from({ length: 5 }, (_, index) => ({
    namespace: `demo_${index}.orders_joined_first`,
    kind: 'aggregate',
    shape: 'aggregate, then $lookup of demo.buyers_joined_first, $addFields, $limit',
    source: 'profiler',
    executions: 5,
    milliseconds: 910,
    msShare: 0.2,
    examinedShare: 0.2,
    rankByTime: index + 1,
    rankByExamined: index + 1,
    documentsExamined: 120_000,
    keysExamined: 60_000,
    returned: 50,
    findings: [],
    why: 'reads what it returns',
  }));
}

describe('renderTable', () => {
  it.each([30, 200])('takes one screen for %i findings, however many', (count) => {
    const many = { ...reportWithFindings(count), topShapes: fiveShapes(), skipped: skippedReport(1).skipped };
    const lines = renderTable(many, { width: 80, color: false }).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(SCREEN);
    expect(lines.filter((line) => /^and \d+ more \(/.test(line))).toHaveLength(1);
    expect(renderTable(many, { width: 80, color: false, verbose: true }).split('\n').length).toBeGreaterThan(
      count * 10,
    );
  });

  it.each([60, 80, 200])('names every collection, path and index whole, at %i columns', (width) => {
    const path = `tenant_1_${'type_1_region_1_'.repeat(4)}at_-1`;
    const findings = [findingOf({ path, pathIs: 'missing-index' }), findingOf({ path: 'a.b[].c', severity: 'info' })];
    const text = renderTable(reportOf({ findings }), { width, color: false, quiet: true });
    expect(text).toContain(` ${path}`);
    expect(text).toContain(' a.b[].c');
    expect(text).not.toContain('missing index');
  });

  it('gives each finding the shortest beginning of its fingerprint that no other has', () => {
    const findings = ['aaaaaaaa11', 'aaaaaaaa22', 'bbbbbbbb33'].map((fingerprint) => findingOf({ fingerprint }));
    expect(findings.map(shortFingerprint(findings))).toEqual(['aaaaaaaa1', 'aaaaaaaa2', 'bbbbbbbb3']);
  });

  it('begins with no setting and no grade', () => {
    const text = renderTable(recordedReport('demo'), { width: 80, color: false, verbose: true });
    expect(text.split('\n')[0]).toMatch(/^mongolint /);
    expect(text).not.toMatch(/grade/i);
  });

  it.each(goldens)('renders %s as in its golden file', async (name, report, options) => {
    await expect(renderTable(report, options)).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it.each(goldens.filter(([name]) => !name.startsWith('hostile')))(
    'has no line beyond the width in %s',
    (_, report, options) => {
      const tooLong = renderTable(report, options)
        .split('\n')
        .filter((line) => textWidth(line) > options.width);
      expect(withoutNames(tooLong)).toEqual([]);
    },
  );

  it('has longer lines only for names and commands that cannot be broken', () => {
    const name = 'an_unbreakable_name_'.repeat(6);
    const long = renderTable(hostileReport(name), { width: 80, color: false })
      .split('\n')
      .filter((line) => textWidth(line) > 80);
    expect(long.length).toBeGreaterThan(0);
    expect(long.filter((line) => !line.includes(name))).toEqual([]);
  });

  it('differs with colour in nothing but colour', () => {
    const plain = renderTable(richReport(), { width: 80, color: false });
    const color = renderTable(richReport(), { width: 80, color: true });
    expect(color).not.toBe(plain);
    expect(stripVTControlCharacters(color)).toBe(plain);
  });

  it('aligns columns behind wide characters', () => {
    const findings = ['shop.カタログ', 'shop.ab', 'shop.👨‍👩‍👧'].map((namespace) =>
      findingOf({ namespace, path: 'posts' }),
    );
    const rows = renderTable(reportOf({ findings }), { width: 200, color: false, quiet: true }).split('\n').slice(2, 5);
    const columns = rows.map((row) => textWidth(row.slice(0, row.search(/(?<=posts +)\S/))));
    expect(columns).toEqual(Array(3).fill(columns[0]));
    expect(columns[0]).toBeGreaterThan(20);
  });

  it('prints nothing that acts or hides, whatever names there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(60, 80, 200), (name, width) => {
        const text = renderTable(hostileReport(name + HOSTILE), { width, color: false, verbose: true });
        expect(text.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
        expect(text).not.toMatch(/^ *✓/m);
      }),
      { seed: 1, numRuns: 15 },
    );
  });

  it('shows a remedy once, where two checks say the same of one path', () => {
    const second = findingOf({ check: 'long-reference-array' });
    const text = renderTable(reportOf({ findings: [findingOf(), second, findingOf({ path: 'tags' })] }), {
      width: 80,
      color: false,
      verbose: true,
    });
    expect(text).toMatch(/^ {2}remedy {4}as above, under long-reference-array$/m);
  });

  it('repeats no command that stands above, under another check of the same path', () => {
    expect(commandsShown(hiding('a'), hiding('a'))).toHaveLength(1);
    expect(commandsShown(hiding('a'), hiding('b'))).toHaveLength(2);
  });

  it('numbers steps, and gives each command lines of its own', () => {
    const command = { db: 'shop', command: { collMod: 'orders', index: { name: 'by_customer', hidden: true } } };
    const remedy = reportedRemedy({
      steps: [
        { text: 'Hide the index.', command },
        { text: '', command: { db: 'shop', command: { ping: 1 } } },
        { text: 'If nothing got slower after a week, drop it.' },
      ],
    });
    for (const width of [80, 200]) {
      const table = renderTable(reportOf({ findings: [findingOf({ remedy })] }), {
        width,
        color: false,
        verbose: true,
      });
      const [, shown = ''] = /^( {2}remedy[^]*?)^ {2}more/m.exec(table) ?? [];
      expect(shown).toBe(
        [
          '  remedy    1. Hide the index.',
          '',
          '               db.getSiblingDB("shop").orders.hideIndex("by_customer");',
          '',
          '               db.getSiblingDB("shop").runCommand({ ping: 1 });',
          '',
          '            2. If nothing got slower after a week, drop it.',
          '',
          '',
        ].join('\n'),
      );
    }
  });

  it('refers to a long remedy that stands above for another collection, and shows its command all the same', () => {
    const text = 'Put this validator to work, which all sampled documents satisfy, and look through it first. '
      .repeat(3)
      .trim();
    const findings = ['shop.a', 'shop.b', 'shop.c'].map((namespace) =>
      findingOf({
        namespace,
        remedy: reportedRemedy({
          steps: [
            { text, command: { db: 'shop', command: { collMod: namespace } } },
            { text: 'List the others.', code: `db.getSiblingDB("shop").getCollection("${namespace}").find();` },
          ],
        }),
      }),
    );
    const table = renderTable(reportOf({ findings }), { width: 80, color: false, verbose: true });
    expect(table.match(/Put\s+this\s+validator/g)).toHaveLength(3);
    expect(table.match(/^ {2}remedy {4}as above, for shop\.a$/gm)).toHaveLength(2);
    expect(table.match(/runCommand/g)).toHaveLength(3);
    expect(table.match(/List the others\./g)).toHaveLength(1);
    expect(table.match(/getCollection\("shop\.[abc]"\)/g)).toHaveLength(3);
  });

  it('repeats a short remedy', () => {
    const findings = ['shop.a', 'shop.b'].map((namespace) =>
      findingOf({ namespace, remedy: reportedRemedy({ steps: [{ text: 'Drop the index.' }] }) }),
    );
    expect(
      renderTable(reportOf({ findings }), { width: 80, color: false, verbose: true }).match(/Drop the index\./g),
    ).toHaveLength(2);
  });

  it('puts 500 findings into an overview first, then each in full with --verbose', () => {
    const findings = Array.from({ length: 500 }, (_, index) =>
      findingOf({
        namespace: `shop.c${String(index % 100).padStart(2, '0')}`,
        path: `a${index}`,
        severity: (['info', 'error', 'warning'] as const)[index % 3] ?? 'info',
      }),
    );
    const lines = renderTable(reportOf({ findings }), { width: 80, color: false, verbose: true }).split('\n');
    const begin = lines.findIndex((line) => line.startsWith('error'));
    const overview = lines.slice(begin, begin + 500).map((line) => line.trim().split(/\s+/)[0]);
    expect(overview).toEqual([...Array(167).fill('error'), ...Array(166).fill('warning'), ...Array(167).fill('info')]);
    expect(lines.filter((line) => line.includes('mongolint explain unbounded-array'))).toHaveLength(500);
    expect(lines.filter((line) => /^shop\.c\d\d/.test(line))).toHaveLength(100);
  });

  it('needs few lines for 2,000 collections that were skipped for one reason, unless verbose', () => {
    const brief = renderTable(skippedReport(2_000), { width: 80, color: false });
    expect(brief.replaceAll(/\s+/g, ' ')).toContain('missing privilege (2,000)');
    expect(brief.split('\n').length).toBeLessThan(15);
    expect(renderTable(skippedReport(2_000), { width: 80, color: false, verbose: true })).toContain(
      'tenant_1999.events',
    );
  });

  it('uses 60 columns where the terminal is narrower', () => {
    expect(renderTable(richReport(), { width: 20, color: false })).toBe(
      renderTable(richReport(), { width: 60, color: false }),
    );
  });
});
