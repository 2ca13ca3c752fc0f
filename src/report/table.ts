import type { Finding } from '../finding.js';
import { byNamespace, worstFirst } from '../findings/finding-order.js';
import { formatShare } from '../format.js';
import { terminalData } from '../text/terminal-text.js';
import { type ShownFinding, shownFindings } from './alike-findings.js';
import { collectionsSection, scorecardSection } from './collection-state.js';
import { conclusion } from './conclusion.js';
import { clusterTexts, coverageFacts, coverageSection, engineTexts } from './coverage.js';
import { driftSections } from './drift-text.js';
import { firstAdvised, namespaceLines } from './finding-details.js';
import { findingListLines, shortFingerprint } from './finding-list.js';
import { isActive } from './finding-status.js';
import type { FleetOverview } from './fleet/fleet-overview.js';
import { fleetSections, fleetSentences } from './fleet/fleet-sections.js';
import { missingSections, quietSection } from './missing-known.js';
import { indented } from './narrow-text.js';
import { type Paint, painter } from './paint.js';
import { printableReport } from './printable-report.js';
import { type CodeBlock, shownSteps } from './remedy-steps.js';
import { RENDER_DEFAULTS, type RenderOptions } from './report-options.js';
import type { Report } from './report.js';
import { sectionLines, titled } from './section-lines.js';
import { BRIEF, type Section, WHOLE } from './section.js';
import { notJudgedSection } from './skipped.js';
import { flowed, labelled, LEAST_WIDTH, wrapped } from './text-layout.js';
import {
  bulkInsertsText,
  findingsOfShape,
  reasonText,
  type ReportedShape,
  shapeFigures,
  topShapesHeading,
} from './top-shapes-text.js';

/** {@link LEAST_WIDTH} columns are used if there are fewer. */
export type TableOptions = Pick<RenderOptions, 'width' | 'color'> &
  Partial<Pick<RenderOptions, 'quiet' | 'verbose' | 'top'>>;

type Short = ReturnType<typeof shortFingerprint>;

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
  const [paint, safe, limits] = [painter(color), printableReport(report), verbose ? WHOLE : BRIEF];
  const active = safe.findings.filter(isActive);
  const shown = verbose ? worstFirst(active).map((finding) => ({ finding, alike: [] })) : shownFindings(active);
  const short = shortFingerprint(safe.findings);
  const list = findingListLines(shown, short, columns, paint, { all: verbose || quiet });
  const concluding = wrapped(conclusion(safe, paint), columns);
  const notices: Section = {
    id: 'notices',
    heading: 'Configuration to fix',
    count: null,
    entries: (safe.notices ?? []).map(({ text }) => ({ head: [text], tone: 'caution' })),
  };
  const sections = (parts: readonly Section[]) => parts.map((part) => sectionLines(part, columns, paint));
  return pageText(
    quiet
      ? [list, concluding]
      : [
          headLines(safe, columns, paint),
          topShapesLines(safe, short, top, columns, paint),
          list,
          ...(verbose ? detailParts(safe, columns, paint) : [firstSteps(shown, short, columns, paint)]),
          ...sections([...driftSections(safe, limits), ...missingSections(safe)]),
          ...(verbose ? sections([scorecardSection(safe, limits), quietSection(safe)]) : []),
          ...sections([notices, ...(verbose ? [collectionsSection(safe)] : [])]),
          ...sections([verbose ? coverageSection(safe, limits) : briefCoverage(safe)]),
          ...sections([notJudgedSection(safe.skipped, limits)]),
          concluding,
        ],
  );
}

/** The overview of many targets for people, as wide as the terminal. */
export function renderFleetTable(fleet: FleetOverview, { width, color, quiet, verbose }: RenderOptions): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const [paint, safe] = [painter(color), terminalData(fleet)];
  const sections = fleetSections(safe, verbose ? WHOLE : BRIEF).slice(0, quiet ? 2 : undefined);
  const concluding = fleetSentences(safe).flatMap((sentence, index) =>
    wrapped(paint(index === 0 ? 'heading' : 'caution', sentence), columns),
  );
  return pageText([...sections.map((section) => sectionLines(section, columns, paint)), concluding]);
}

/** Parts of a page, with an empty line between what is not empty. */
function pageText(parts: readonly (readonly string[])[]): string {
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** What to do about the first findings, and how to get the rest. */
function firstSteps(shown: readonly ShownFinding[], short: Short, width: number, paint: Paint): string[] {
  const [first] = shown;
  if (first === undefined) return [];
  const hint = `In full: mongolint explain ${short(first.finding)}, --verbose, or --format html=report.html`;
  const inner = width - INDENT;
  const lines = [...firstStepLines(shown, short, inner, paint), ...wrapped(paint('aside', hint), inner)];
  return titled('First steps', indented(lines, INDENT), paint);
}

/** The facts that warn of something are always shown. */
const DETAILS: ReadonlySet<string> = new Set([
  'cut short',
  'not random',
  'not sampled',
  'not recorded',
  'exempt',
  'query settings',
  'reads',
  'unnamed',
]);

const IN_ONE_LINE: ReadonlySet<string> = new Set(['sampled', 'checks']);

/** What was read in one line, what warns of something, and that there is more. */
function briefCoverage(report: Report): Section {
  const facts = coverageFacts(report, BRIEF).filter(({ label }) => label !== 'cluster' && label !== 'collections');
  const first = facts.filter(({ label }) => IN_ONE_LINE.has(label)).flatMap(({ texts }) => texts);
  const warning = facts.filter(({ label }) => !DETAILS.has(label) && !IN_ONE_LINE.has(label));
  const more = facts.some(({ label }) => DETAILS.has(label));
  return {
    ...coverageSection(report, BRIEF),
    facts: [
      { label: 'sampled', texts: first, short: true },
      ...warning,
      ...(more ? [{ label: 'more detail', texts: ['--verbose'], short: true }] : []),
    ],
  };
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
function topShapesLines(report: Report, short: Short, most: number, width: number, paint: Paint): string[] {
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
  if (lines.length === 0) return [];
  const bulk = bulkInsertsText(report, most);
  const last = bulk === null ? [] : wrapped(paint('aside', bulk), width - INDENT);
  return [
    ...wrapped(paint('heading', `${topShapesHeading(report)}.`), width),
    ...indented([...lines, ...last], INDENT),
  ];
}

function shortShares({ msShare, examinedShare }: ReportedShape): string {
  const shares = [
    ...(msShare === null ? [] : [`${formatShare(msShare)} of time`]),
    ...(examinedShare === null ? [] : [`${formatShare(examinedShare)} examined`]),
  ];
  return shares.join(', ');
}

function detailParts({ findings, collections }: Report, width: number, paint: Paint): string[][] {
  const byName = new Map(collections.map((collection) => [collection.namespace, collection]));
  const groups = byNamespace(findings.filter(isActive));
  const advised = firstAdvised(groups.flatMap((group) => group.findings));
  return groups.map((group) => namespaceLines(group, advised, byName.get(group.namespace), width, paint));
}

/** What a person looks into in a day. */
const FIRST = 5;

const GAP = 2;

/**
 * What to do about the first findings: the commands that anybody may run, or else the first sentence of the first step. The
 * rest is in the page of each finding.
 */
function firstStepLines(
  shown: readonly ShownFinding[],
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
): string[] {
  const shownBefore = new Set<string>();
  return shown.slice(0, FIRST).flatMap(({ finding }) => {
    const id = short(finding);
    const column = width - id.length - GAP;
    const steps = shownSteps(finding.remedy);
    const commands = steps.flatMap(({ blocks }) => blocks.filter(({ isCommand }) => isCommand));
    const lines =
      commands.length > 0
        ? commands.flatMap((block) => commandLines(block, column).map((line) => paint('command', line)))
        : wrapped(firstSentence(steps[0]?.text ?? ''), column);
    // What one step puts right is said once.
    const text = lines.join('\n');
    if (shownBefore.has(text)) return [];
    shownBefore.add(text);
    return labelled(paint('aside', id), id.length + GAP, lines);
  });
}

/** In few lines; where a string holds a space, only between the members of brackets. */
function commandLines(block: CodeBlock, width: number): string[] {
  const [whole = ''] = block.lines(Number.POSITIVE_INFINITY);
  const isBreakable = !/"[^"]* [^"]*"/.test(whole.replaceAll(/"[^" ]*"/g, ''));
  return isBreakable ? wrapped(whole, width) : block.lines(width);
}

/** A point within a name or a figure ends no sentence. */
function firstSentence(text: string): string {
  return /^.+?\.(?=\s+[A-Z`{])/s.exec(text)?.[0] ?? text;
}
