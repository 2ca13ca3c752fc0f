import type { Finding } from '../finding.js';
import { byNamespace, isMain, worstFirst } from '../findings/finding-order.js';
import { terminalData } from '../text/terminal-text.js';
import { shownFindings } from './alike-findings.js';
import { briefCoverage } from './brief-coverage.js';
import { collectionsSection, scorecardSection } from './collection-state.js';
import { conclusion, SAFETY } from './conclusion.js';
import { clusterTexts, coverageSection, engineTexts } from './coverage.js';
import { DO_FIRST, doFirst, type FirstThing } from './do-first.js';
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
import type { CodeBlock } from './remedy-steps.js';
import { RENDER_DEFAULTS, type RenderOptions } from './report-options.js';
import type { Report } from './report.js';
import { sectionLines, titled } from './section-lines.js';
import { BRIEF, type Section, WHOLE } from './section.js';
import { notJudgedSection } from './skipped.js';
import { clipped, flowed, LEAST_WIDTH, wrapped } from './text-layout.js';
import { topShapesLines } from './top-shapes-lines.js';

/** {@link LEAST_WIDTH} columns are used if there are fewer. */
export type TableOptions = Pick<RenderOptions, 'width' | 'color'> &
  Partial<Pick<RenderOptions, 'quiet' | 'verbose' | 'top'>>;

const INDENT = 2;

/**
 * The report for people, on one screen: what costs most, what to do first, and a line for each other finding; with `verbose`,
 * every finding in full, every name that was skipped, and a table of the collections. No line is longer than the width, except
 * names and commands that can't be broken. Every text from the server is made safe to print.
 */
export function renderTable(
  report: Report,
  { width, color, quiet = false, verbose = false, top = RENDER_DEFAULTS.top }: TableOptions,
): string {
  const columns = Math.max(LEAST_WIDTH, Math.floor(width));
  const page: Page = { report: printableReport(report), columns, paint: painter(color), top };
  if (quiet) return pageText([allFindings(page), apartLines(page), concludingLines(page)]);
  return pageText(verbose ? verboseParts(page) : briefParts(page));
}

interface Page {
  readonly report: Report;
  readonly columns: number;
  readonly paint: Paint;
  /** How many of the costliest operations are shown. */
  readonly top: number;
}

/** What a terminal shows at once, with the prompt below it. */
const SCREEN = 45;
/** Findings that are listed even if the rest fills a screen. */
const LEAST_LISTED = 6;
/** Lines that say what a thing costs: the finding says it whole. */
const MOST_LINES = 2;

function briefParts(page: Page): string[][] {
  const { report, columns, paint, top } = page;
  const short = shortFingerprint(report.findings);
  const active = report.findings.filter(isActive);
  const first = doFirst(active);
  const rest = active.filter((finding) => isMain(finding) && !first.some((thing) => thing.finding === finding));
  const sections = [...driftSections(report, BRIEF), ...missingSections(report, BRIEF), noticesSection(report)];
  const above = [
    headLines(report, columns, paint),
    topShapesLines(report, short, top, columns, paint),
    doFirstLines(first, short, columns, paint),
  ];
  const below = [
    apartLines(page),
    ...sections.map((section) => sectionLines(section, columns, paint)),
    [...coverageLines(report, columns, paint), ...concludingLines(page)],
  ];
  const taken = [...above, ...below].reduce((sum, { length }) => sum + (length === 0 ? 0 : length + 1), 0);
  const room = Math.max(LEAST_LISTED, SCREEN - taken);
  return [...above, findingListLines(shownFindings(rest), short, columns, paint, room), ...below];
}

function verboseParts(page: Page): string[][] {
  const { report, columns, paint, top } = page;
  const sections = [
    ...driftSections(report, WHOLE),
    ...missingSections(report, WHOLE),
    scorecardSection(report, WHOLE),
    quietSection(report),
    noticesSection(report),
    collectionsSection(report),
    coverageSection(report, WHOLE),
    notJudgedSection(report.skipped, WHOLE),
  ];
  const short = shortFingerprint(report.findings);
  return [
    headLines(report, columns, paint),
    topShapesLines(report, short, top, columns, paint, { isWhole: true }),
    doFirstLines(doFirst(report.findings), short, columns, paint, { withSteps: false }),
    allFindings(page),
    ...detailParts(page, isMain),
    apartLines(page),
    ...detailParts(page, (finding) => !isMain(finding)),
    ...sections.map((section) => sectionLines(section, columns, paint)),
    concludingLines(page),
  ];
}

function allFindings(page: Page): string[] {
  return listLines(page, isMain);
}

function apartLines(page: Page): string[] {
  const lines = listLines(page, (finding) => !isMain(finding));
  return titled(SAFETY, lines, page.paint);
}

function listLines({ report, columns, paint }: Page, isShown: (finding: Finding) => boolean): string[] {
  const shown = worstFirst(report.findings.filter((finding) => isActive(finding) && isShown(finding)));
  const alone = shown.map((finding) => ({ finding, alike: [] }));
  return findingListLines(alone, shortFingerprint(report.findings), columns, paint);
}

function concludingLines({ report, columns, paint }: Page): string[] {
  return wrapped(conclusion(report, paint), columns);
}

function noticesSection({ notices = [] }: Report): Section {
  const entries = notices.map(({ text }) => ({ head: [text], tone: 'caution' as const }));
  return { id: 'notices', heading: 'Configuration to fix', count: null, entries };
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

/** Each in words: what it is, what it costs, what the remedy saves, and, unless it follows, its first step. */
function doFirstLines(
  things: readonly FirstThing[],
  short: (finding: Finding) => string,
  width: number,
  paint: Paint,
  { withSteps = true }: { readonly withSteps?: boolean } = {},
): string[] {
  const [first] = things;
  if (first === undefined) return [];
  const indent = INDENT + numberOf(0).length;
  const room = width - indent;
  const lines = things.flatMap(({ finding, title, costs, asides, saves, commands, step }, index) => {
    const { severity, check } = finding;
    const head = [paint(severity, severity), paint('aside', short(finding)), check].join(' ');
    const facts = [
      head,
      ...(saves === null ? [] : [paint('figure', saves)]),
      ...costs.map((cost) => clipped(cost, MOST_LINES * room)),
      ...asides,
    ];
    const action = [
      ...(step === null ? [] : wrapped(step, room)),
      ...commands.flatMap((block) => commandLines(block, room).map((line) => paint('command', line))),
    ];
    const [named = '', ...more] = wrapped(paint('name', title), room);
    return [
      ' '.repeat(INDENT) + numberOf(index) + named,
      ...indented([...more, ...flowed(facts, ' · ', room), ...(withSteps ? action : [])], indent),
    ];
  });
  const hint = `mongolint explain ${short(first.finding)} says more`;
  return [`${paint('heading', DO_FIRST)} ${paint('aside', `(${hint})`)}`, ...lines];
}

function numberOf(index: number): string {
  return `${index + 1}. `;
}

function coverageLines(report: Report, width: number, paint: Paint): string[] {
  const { texts, todos } = briefCoverage(report);
  return [
    ...todos.flatMap((text) => wrapped(paint('caution', text), width)),
    ...texts.flatMap((text) => wrapped(paint('aside', text), width)),
  ];
}

function headLines({ tool, target, cluster, startedAt }: Report, width: number, paint: Paint): string[] {
  const when = `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
  const [server = ''] = clusterTexts(cluster);
  const heading = [`${tool.name} ${tool.version}`, ...(target === undefined ? [] : [target])];
  const head = [...heading.map((text) => paint('heading', text)), server, paint('aside', when)];
  const ofEngine = engineTexts(cluster).flatMap((text) => wrapped(paint('caution', text), width));
  return [...flowed(head, ' · ', width), ...ofEngine];
}

function detailParts({ report, columns, paint }: Page, isShown: (finding: Finding) => boolean): string[][] {
  const byName = new Map(report.collections.map((collection) => [collection.namespace, collection]));
  const groups = byNamespace(report.findings.filter((finding) => isActive(finding) && isShown(finding)));
  const advised = firstAdvised(groups.flatMap((group) => group.findings));
  return groups.map((group) => namespaceLines(group, advised, byName.get(group.namespace), columns, paint));
}

/** In few lines; where a string holds a space, only between the members of brackets. */
function commandLines(block: CodeBlock, width: number): string[] {
  const [whole = ''] = block.lines(Number.POSITIVE_INFINITY);
  const isBreakable = !/"[^"]* [^"]*"/.test(whole.replaceAll(/"[^" ]*"/g, ''));
  return isBreakable ? wrapped(whole, width) : block.lines(width);
}
