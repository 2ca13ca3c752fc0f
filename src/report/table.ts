import type { Finding } from '../finding.js';
import { byNamespace, worstFirst } from '../findings/finding-order.js';
import { formatBytes, formatCount, formatShare, inWords } from '../format.js';
import { type ShownFinding, shownFindings } from './alike-findings.js';
import { conclusion } from './conclusion.js';
import { clusterTexts, coverageFacts, engineTexts } from './coverage.js';
import { driftLines, driftsOf } from './drift-text.js';
import { firstAdvised, namespaceLines } from './finding-details.js';
import { findingListLines, shortFingerprint } from './finding-list.js';
import { isActive } from './finding-status.js';
import { firstStepLines } from './first-steps.js';
import { missingKnown, knownLines, missingLines, suppressedLines } from './missing-known.js';
import { notJudgedLines } from './not-judged.js';
import { type Paint, painter } from './paint.js';
import { columnWidth, plainTable, TABLE_GAP } from './plain-table.js';
import { printableReport } from './printable-report.js';
import { RENDER_DEFAULTS, type RenderOptions } from './report-options.js';
import type { Report } from './report.js';
import type { ReportedCollection } from './reported-collection.js';
import { factLines, scorecardFacts } from './scorecard.js';
import { clipped, flowed, indented, LEAST_WIDTH, wrapped } from './text-layout.js';
import {
  findingsOfShape,
  reasonText,
  shapeFigures,
  bulkInsertsText,
  topShapesHeading,
  type ReportedShape,
} from './top-shapes-text.js';

const NOT_KNOWN = '–';
const HEADS = ['Documents', 'Average', 'Size', 'On disk', 'Indexes', 'Sampled'] as const;

/** Of fewer columns than {@link LEAST_WIDTH}, that many are used. */
export type TableOptions = Pick<RenderOptions, 'width' | 'color'> &
  Partial<Pick<RenderOptions, 'quiet' | 'verbose' | 'top'>>;

const INDENT = 2;

/**
 * The report for people: what costs most, a list of the findings, and what to do about the first ones; with `verbose`, every
 * finding in full, every name that was skipped, and a table of the collections. No line is longer than the width, except
 * names and commands that can't be broken. Every text from the server is made safe to print.
 */
export function renderTable(
  report: Report,
  { width, color, quiet = false, verbose = false, top = RENDER_DEFAULTS.top }: TableOptions,
): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const [inner, paint, safe] = [columns - INDENT, painter(color), printableReport(report)];
  const active = safe.findings.filter(isActive);
  const shown = verbose ? worstFirst(active).map((finding) => ({ finding, alike: [] })) : shownFindings(active);
  const short = shortFingerprint(safe.findings);
  const list = findingListLines(shown, short, columns, paint, { all: verbose || quiet });
  const concluding = wrapped(conclusion(safe, paint), columns);
  const sections = quiet
    ? [list, concluding]
    : [
        headLines(safe, columns, paint),
        topShapesLines(safe, short, top, columns, paint),
        list,
        ...(verbose
          ? detailSections(active, safe, columns, paint)
          : [
              section(
                'First steps',
                [...firstStepLines(shown, short, inner, paint), ...hintLines(shown, short, inner, paint)],
                paint,
              ),
            ]),
        section('Drift', driftSectionLines(safe, inner, paint, verbose), paint),
        ...missingKnown(safe).map((missing) => section(missing.heading, missingLines(missing, inner, paint), paint)),
        ...(verbose ? accepted(safe, inner, paint) : []),
        section('Configuration to fix', noticeLines(safe, inner, paint), paint),
        section('Collections', verbose ? collectionLines(safe.collections, columns, paint) : [], paint),
        section('Coverage', coverageLines(safe, inner, paint, verbose), paint),
        section('Not judged', notJudgedLines(safe.skipped, inner, paint, { all: verbose }), paint),
        concluding,
      ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

/** Of what is accepted, the conclusion has the counts. */
function accepted(report: Report, width: number, paint: Paint): string[][] {
  return [
    section('Scorecard', factLines(scorecardFacts(report, { all: true }), width, paint), paint),
    section('Known', knownLines(report, width, paint), paint),
    section('Suppressed', suppressedLines(report, width, paint), paint),
  ];
}

/** How to get the rest. */
function hintLines(
  [first]: readonly ShownFinding[],
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
): string[] {
  if (first === undefined) return [];
  const text = `In full: mongolint explain ${short(first.finding)}, --verbose, or --format html=report.html`;
  return wrapped(paint('aside', text), width);
}

/** The facts that warn of something are always shown. */
const DETAILS: ReadonlySet<string> = new Set([
  'cut short',
  'not random',
  'not sampled',
  'not recorded',
  'let pass',
  'query settings',
  'reads',
  'unnamed',
]);
const IN_ONE_LINE: ReadonlySet<string> = new Set(['sampled', 'checks']);

function coverageLines(report: Report, width: number, paint: Paint, all: boolean): string[] {
  const facts = coverageFacts(report, { all });
  if (all) return factLines(facts, width, paint);
  const first = facts.filter(({ label }) => IN_ONE_LINE.has(label)).flatMap(({ texts }) => texts);
  const left = facts.filter(({ label }) => DETAILS.has(label)).map(({ label }) => label);
  const warning = facts.filter(
    ({ label }) => !DETAILS.has(label) && !IN_ONE_LINE.has(label) && label !== 'cluster' && label !== 'collections',
  );
  return factLines(
    [
      { label: 'sampled', texts: first, short: true },
      ...warning,
      ...(left.length === 0 ? [] : [{ label: 'and more', texts: [`${inWords(left)}: --verbose`], short: false }]),
    ],
    width,
    paint,
  );
}

function headLines({ tool, target, cluster, startedAt }: Report, width: number, paint: Paint): string[] {
  const when = `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
  const [server = ''] = clusterTexts(cluster);
  const heading = [`${tool.name} ${tool.version}`, ...(target === undefined ? [] : [target])];
  const head = [...heading.map((text) => paint('heading', text)), server, paint('aside', when)];
  const ofEngine = engineTexts(cluster).flatMap((text) => wrapped(paint('caution', text), width));
  return [...flowed(head, ' · ', width), ...ofEngine];
}

/** Each with what it costs, and its findings or why it has none. */
function topShapesLines(
  report: Report,
  short: (finding: Finding) => string,
  most: number,
  width: number,
  paint: Paint,
): string[] {
  const lines = (report.topShapes ?? []).slice(0, most).flatMap((shape) => {
    const found = findingsOfShape(shape, report.findings);
    const verdict =
      found.length === 0
        ? paint('aside', `no finding: ${reasonText(shape)}`)
        : paint('label', `finding ${found.map(short).join(', ')}`);
    const head = [paint('figure', shortShares(shape)), paint('name', shape.namespace), shape.shape];
    return [
      ...flowed(head, ' · ', width - INDENT),
      ...indented(flowed([...shapeFigures(shape), verdict], ' · ', width - 2 * INDENT), INDENT),
    ];
  });
  const bulk = most === 0 ? null : bulkInsertsText(report, most);
  return lines.length === 0
    ? []
    : [
        ...wrapped(paint('heading', `${topShapesHeading(report)}.`), width),
        ...indented([...lines, ...(bulk === null ? [] : wrapped(paint('aside', bulk), width - INDENT))], INDENT),
      ];
}

function shortShares({ msShare, examinedShare }: ReportedShape): string {
  const shares = [
    ...(msShare === null ? [] : [`${formatShare(msShare)} of time`]),
    ...(examinedShare === null ? [] : [`${formatShare(examinedShare)} examined`]),
  ];
  return shares.join(', ');
}

function detailSections(active: readonly Finding[], { collections }: Report, width: number, paint: Paint): string[][] {
  const byName = new Map(collections.map((collection) => [collection.namespace, collection]));
  const groups = byNamespace(active);
  const advised = firstAdvised(groups.flatMap((group) => group.findings));
  return groups.map((group) => namespaceLines(group, advised, byName.get(group.namespace), width, paint));
}

function driftSectionLines(report: Report, width: number, paint: Paint, all: boolean): string[] {
  return driftsOf(report).flatMap((drift) => driftLines(drift, width, paint, { all }));
}

function noticeLines({ notices = [] }: Report, width: number, paint: Paint): string[] {
  return notices.flatMap(({ text }) => wrapped(paint('caution', text), width));
}

function section(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : [paint('heading', title), ...indented(lines, INDENT)];
}

function collectionLines(collections: readonly ReportedCollection[], width: number, paint: Paint): string[] {
  if (collections.length === 0) return [];
  const figures = collections.map(figuresOf);
  const widths = HEADS.map((head, index) => columnWidth([head, ...figures.map((row) => row[index] ?? '')]));
  const rest = width - widths.reduce((sum, column) => sum + column + TABLE_GAP, 0);
  return plainTable(
    ['Namespace', ...HEADS],
    collections.map(({ namespace }, index) => [clipped(namespace, rest, 'middle'), ...(figures[index] ?? [])]),
    paint,
    HEADS,
  );
}

function figuresOf({
  documents,
  averageDocumentSize,
  size,
  storageSize,
  indexes,
  sampled,
}: ReportedCollection): string[] {
  return [
    known(documents, formatCount),
    known(averageDocumentSize, formatBytes),
    known(size, formatBytes),
    known(storageSize, formatBytes),
    known(indexes, formatCount),
    known(sampled?.documents ?? null, formatCount),
  ];
}

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? NOT_KNOWN : format(value);
}
