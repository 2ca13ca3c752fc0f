import { type ShownFinding, shownFindings } from './alike-findings.js';
import { briefLines, MOST_IN_FULL } from './brief-findings.js';
import type { Finding } from '../finding.js';
import { formatBytes, formatCount, formatShare } from '../format.js';
import { conclusion } from './conclusion.js';
import { clusterTexts, coverageFacts, engineTexts } from './coverage.js';
import { driftLines } from './drift-lines.js';
import { factLines, scorecardFacts } from './scorecard.js';
import { fixFirst, fixFirstHeadline } from './fix-first.js';
import { namespaceLines } from './finding-details.js';
import { byNamespace, worstFirst } from '../findings/finding-order.js';
import { isActive } from './finding-status.js';
import { placeOf } from './finding-text.js';
import { notJudgedLines } from './not-judged.js';
import { overviewLines } from './overview.js';
import { columnWidth, plainTable, TABLE_GAP } from './plain-table.js';
import { type Paint, painter } from './paint.js';
import { printableReport } from './printable-report.js';
import { firstAdvised } from './remedy-lines.js';
import type { Report } from './report.js';
import { missingKnown } from './missing-known.js';
import { knownLines, missingLines, suppressedLines } from './settled-findings.js';
import { RENDER_DEFAULTS } from './report-options.js';
import { clipped, flowed, indented, labelled, wrapped } from './text-layout.js';
import {
  findingsOfShape,
  reasonText,
  shapeFigures,
  shapeShares,
  bulkInsertsText,
  shownShapes,
  topShapesHeading,
} from './top-shapes-text.js';
import type { ReportedCollection } from './reported-collection.js';

const NOT_KNOWN = '–';
const HEADS = ['Documents', 'Average', 'Size', 'On disk', 'Indexes', 'Sampled'] as const;

/** How the table is rendered. */
export interface TableOptions {
  /** Columns of the terminal; below {@link LEAST_WIDTH}, that is used. */
  readonly width: number;
  readonly color: boolean;
  /** Only the overview and the conclusion. */
  readonly quiet?: boolean;
  /** Nothing cut or left out: every finding in full, every name that was skipped, and a table of the collections. */
  readonly verbose?: boolean;
  /** How many of the costliest operations are shown. */
  readonly top?: number;
}

/** With less, no name fits into the overview. Columns. */
export const LEAST_WIDTH = 60;

const INDENT = 2;

/**
 * The report for people. No line is longer than the width, except names and commands that can't be broken. Every text from
 * the server is made safe to print.
 */
export function renderTable(
  report: Report,
  { width, color, quiet = false, verbose = false, top = RENDER_DEFAULTS.top }: TableOptions,
): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const paint = painter(color);
  const safe = printableReport(report);
  const active = safe.findings.filter(isActive);
  const shown = verbose ? worstFirst(active).map((finding) => ({ finding, alike: [] })) : shownFindings(active);
  const concluding = wrapped(conclusion(safe, paint), columns);
  const sections = quiet
    ? [overviewSection(shown, columns, paint), concluding]
    : [
        headLines(safe, columns, paint),
        topShapesLines(safe, top, columns, paint),
        fixFirstLines(safe.findings, columns, paint),
        section('Scorecard', factLines(scorecardFacts(safe, { all: verbose }), columns - INDENT, paint), paint),
        overviewSection(shown, columns, paint),
        ...detailSections(verbose ? shown : shown.slice(0, MOST_IN_FULL), safe, columns, paint),
        ...briefSection(verbose ? [] : shown.slice(MOST_IN_FULL), columns, paint),
        section('Drift', driftSectionLines(safe, columns - INDENT, paint, verbose), paint),
        ...missingKnown(safe).map((missing) =>
          section(missing.word, missingLines(missing, columns - INDENT, paint), paint),
        ),
        section('Known', knownLines(safe, columns - INDENT, paint), paint),
        section('Suppressed', suppressedLines(safe, columns - INDENT, paint), paint),
        section('Configuration to fix', noticeLines(safe, columns - INDENT, paint), paint),
        section('Collections', verbose ? collectionLines(safe.collections, columns, paint) : [], paint),
        section('Coverage', factLines(coverageFacts(safe, { all: verbose }), columns - INDENT, paint), paint),
        section('Not judged', notJudgedLines(safe.skipped, columns - INDENT, paint, { all: verbose }), paint),
        endLines(safe, shown, columns, paint),
        concluding,
      ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
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
function topShapesLines(report: Report, most: number, width: number, paint: Paint): string[] {
  const lines = shownShapes(report, most).flatMap((shape) => {
    const found = findingsOfShape(shape, report.findings).map(
      ({ severity, check, path }) =>
        `${paint(severity, severity)} ${check}${path === null ? '' : ` ${paint('name', path)}`}`,
    );
    const head = [paint('figure', shapeShares(shape)), paint('name', shape.namespace), shape.shape];
    const findings = found.length > 0 ? flowed(found, ', ', width - 2 * INDENT - FINDINGS.length) : null;
    return [
      ...flowed(head, ' · ', width - INDENT),
      ...indented(wrapped(shapeFigures(shape), width - 2 * INDENT), INDENT),
      ...indented(
        findings === null
          ? wrapped(paint('aside', `No finding: ${reasonText(shape)}`), width - 2 * INDENT)
          : labelled(FINDINGS, FINDINGS.length, findings),
        INDENT,
      ),
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

const FINDINGS = 'Findings: ';

function overviewSection(shown: readonly ShownFinding[], width: number, paint: Paint): string[] {
  return shown.length === 0 ? [] : overviewLines(shown, width, paint);
}

function detailSections(
  shown: readonly ShownFinding[],
  { collections }: Report,
  width: number,
  paint: Paint,
): string[][] {
  const byName = new Map(collections.map((collection) => [collection.namespace, collection]));
  const groups = byNamespace(shown.map(({ finding }) => finding));
  const said = {
    advised: firstAdvised(groups.flatMap((group) => group.findings)),
    alike: new Map(shown.map(({ finding, alike }) => [finding, alike])),
  };
  return groups.map((group) => namespaceLines(group, said, byName.get(group.namespace), width, paint));
}

/** Again at the end of a long report, which a terminal shows: what wastes most, or else the worst. */
function endLines({ findings }: Report, shown: readonly ShownFinding[], width: number, paint: Paint): string[] {
  if (shown.length <= MOST_IN_FULL) return [];
  const first = fixFirstLines(findings, width, paint);
  if (first.length > 0) return first;
  return section('Fix first', overviewLines(shown.slice(0, MOST_IN_FULL), width - INDENT, paint), paint);
}

function fixFirstLines(findings: readonly Finding[], width: number, paint: Paint): string[] {
  const first = fixFirst(findings);
  if (first === null) return [];
  const lines = first.findings.flatMap(({ finding, share }) => {
    const texts = [paint('figure', formatShare(share)), finding.check, paint('name', placeOf(finding))];
    return flowed(texts, ' · ', width - INDENT);
  });
  return [...wrapped(paint('heading', `${fixFirstHeadline(first)}.`), width), ...indented(lines, INDENT)];
}

function briefSection(shown: readonly ShownFinding[], width: number, paint: Paint): string[][] {
  if (shown.length === 0) return [];
  return [
    [paint('heading', 'Further findings'), paint('aside', '─'.repeat(width)), '', ...briefLines(shown, width, paint)],
  ];
}

function driftSectionLines({ drift }: Report, width: number, paint: Paint, all: boolean): string[] {
  return drift === undefined ? [] : driftLines(drift, width, paint, { all });
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
    [{ head: 'Namespace' }, ...HEADS.map((head) => ({ head, align: 'right' as const }))],
    collections.map(({ namespace }, index) => [clipped(namespace, rest, 'middle'), ...(figures[index] ?? [])]),
    paint,
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
