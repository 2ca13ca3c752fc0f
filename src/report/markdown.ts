import type { Drift } from '../drift/drift-schema.js';
import { worstFirst } from '../findings/finding-order.js';
import { formatCount, formatDuration } from '../format.js';
import { shownFindings } from './alike-findings.js';
import { conclusion } from './conclusion.js';
import { clusterTexts, coverageFacts, engineTexts } from './coverage.js';
import { driftGroups, driftsOf, loneCollections, notComparedGroups } from './drift-text.js';
import { isActive } from './finding-status.js';
import {
  findingDetails,
  findingRow,
  findingTable,
  fixFirstMarkdown,
  missingFindingLine,
  quietFindingLine,
} from './markdown-finding.js';
import {
  COMMENT_LIMIT,
  COMMENT_MARKER,
  filledSection,
  foldedSection,
  markdownCode,
  type MarkdownSection,
  markdownText,
} from './markdown-text.js';
import { missingKnown } from './missing-known.js';
import { PLAIN } from './paint.js';
import { printableReport } from './printable-report.js';
import { RENDER_DEFAULTS, type RenderOptions, type SharingOptions } from './report-options.js';
import type { Report } from './report.js';
import { type ReportFact, scorecardFacts } from './scorecard.js';
import { REASON_TEXT, type SkippedGroup, skippedGroups } from './skipped-groups.js';
import { clipped, listed } from './text-layout.js';
import {
  findingsOfShape,
  reasonText,
  shapeFigures,
  shapeShares,
  bulkInsertsText,
  topShapesHeading,
  type ReportedShape,
} from './top-shapes-text.js';

const SHOWN_NAMES = 10;

/** Shares of the remaining room, in the order in which sections get it. */
const SHARES = {
  notJudged: 0.2,
  notices: 0.2,
  costliest: 0.2,
  table: 0.4,
  drift: 0.5,
  coverage: 0.2,
  fixed: 0.2,
  quiet: 0.3,
  details: 1,
} as const;

const SHOWN = 5;

/** Longest name of a cluster or a target that is shown whole. Columns. */
const NAME_WIDTH = 80;

/** The report as a comment for a merge request, never above {@link COMMENT_LIMIT}. */
export function renderMarkdown(
  report: Report,
  {
    sharedBy = 1,
    top = RENDER_DEFAULTS.top,
    codeUrl,
    changed = [],
  }: SharingOptions & Partial<Pick<RenderOptions, 'top' | 'codeUrl' | 'changed'>> = {},
): string {
  const safe = printableReport(report);
  const { topShapes = [] } = safe;
  const findings = worstFirst(safe.findings);
  const active = findings.filter(isActive);
  const quiet = findings.filter((finding) => !isActive(finding));
  const [head, foot] = [headText(safe), footText(safe)];
  let room = Math.floor(COMMENT_LIMIT / sharedBy) - 1 - head.length - foot.length;
  const fill = (section: MarkdownSection): string => {
    const text = filledSection(section, Math.floor(room * section.share));
    room -= text.length;
    return text;
  };
  const groups = skippedGroups(safe.skipped).map(groupLines);
  const notJudged = fill(foldedSection('Not judged', groups, SHARES.notJudged));
  const notices = fill({
    pieces: (safe.notices ?? []).map(({ text }) => `> ${markdownText(text)}\n\n`),
    share: SHARES.notices,
    wrap: (text) => text,
  });
  const costliest = fill(
    foldedSection(
      topShapesHeading(safe),
      [...topShapes.slice(0, top).map((shape) => shapeItem(shape, safe)), ...bulkItems(safe, top)],
      SHARES.costliest,
    ),
  );
  const all = shownFindings(active);
  const ofChange = all.filter(({ finding, alike }) =>
    [finding, ...alike].some(({ locations = [] }) => locations.some(({ file }) => changed.includes(file))),
  );
  const shown = [...ofChange, ...all.filter((each) => !ofChange.includes(each))];
  const first = ofChange.length === 0 ? '' : `${changedText(ofChange.length)}\n\n`;
  const table = fill({
    pieces: shown.map(findingRow),
    share: SHARES.table,
    wrap: (rows) => first + findingTable(rows),
  });
  const drifts = driftsOf(safe);
  const notCompared = drifts.map((drift) => fill(notComparedSection(drift, SHARES.notJudged))).join('');
  const differences = drifts.map((drift) => fill(driftSection(drift, SHARES.drift))).join('');
  const coverage = fill(foldedSection('Coverage', factItems(coverageFacts(safe, { all: false })), SHARES.coverage));
  const missing = missingKnown(safe).map(({ id, heading, findings: ones }) =>
    fill(
      foldedSection(
        heading,
        ones.map((one) => missingFindingLine(one, id)),
        SHARES.fixed,
      ),
    ),
  );
  const scorecard = fill(foldedSection('Scorecard', factItems(scorecardFacts(safe, { all: false })), SHARES.coverage));
  const known = fill(foldedSection('Suppressed, or known to the baseline', quiet.map(quietFindingLine), SHARES.quiet));
  const details = fill({
    pieces: shown.map((each) => findingDetails(each, codeUrl)),
    share: SHARES.details,
    wrap: (text) => text,
  });
  return [
    head,
    notices,
    costliest,
    table,
    differences,
    notCompared,
    details,
    ...missing,
    known,
    scorecard,
    coverage,
    notJudged,
    foot,
  ].join('');
}

function bulkItems(report: Report, top: number): string[] {
  const text = top === 0 ? null : bulkInsertsText(report, top);
  return text === null ? [] : [`- ${markdownText(text)}\n`];
}

function changedText(findings: number): string {
  return findings === 1
    ? 'The first finding is about a file that changed.'
    : `The first ${formatCount(findings)} findings are about files that changed.`;
}

function shapeItem(shape: ReportedShape, { findings }: Report): string {
  const found = findingsOfShape(shape, findings).map(
    ({ severity, check, path }) => `${severity} ${check}${path === null ? '' : ` ${path}`}`,
  );
  const verdict = found.length === 0 ? `No finding: ${reasonText(shape)}` : `Findings: ${found.join(', ')}`;
  return `- **${markdownText(shapeShares(shape))}**: ${markdownCode(shape.namespace)}, ${markdownText(shape.shape)}. ${markdownText(`${shapeFigures(shape).join('; ')}. ${verdict}`)}.\n`;
}

function headText(report: Report): string {
  const { tool, target } = report;
  const of = target === undefined ? '' : ` of ${markdownCode(target)}`;
  const ofEngine = engineTexts(report.cluster).map((text) => `${markdownText(text)}\n\n`);
  return `${COMMENT_MARKER}\n### ${tool.name}${of}\n\n${markdownText(conclusion(report, PLAIN))}\n\n${ofEngine.join('')}${fixFirstMarkdown(report.findings)}`;
}

function footText({ tool, cluster, startedAt, finishedAt }: Report): string {
  const when = `${startedAt.slice(0, 16).replace('T', ' ')} UTC, in ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`;
  const texts = [
    `${tool.name} ${tool.version}`,
    ...clusterTexts(cluster).map((text) => clipped(text, NAME_WIDTH)),
    when,
  ];
  return `${texts.map(markdownText).join(' · ')}\n`;
}

function factItems(facts: readonly ReportFact[]): string[] {
  return facts.map(({ label, texts }) => `- **${label}:** ${texts.map(markdownText).join(' · ')}\n`);
}

function groupLines({ reason, checks, namespaces, count, details }: SkippedGroup): string {
  const places = listed(namespaces.map(markdownCode), SHOWN, count);
  const which = checks.includes('*') ? 'every check' : checks.map(markdownText).join(', ');
  const why = details.slice(0, SHOWN).map((detail) => `  ${markdownText(detail)}\n`);
  return `- **${REASON_TEXT[reason]}:** ${places} (${which})\n${why.join('')}`;
}

/** What differs between two runs, as a list for each namespace. */
function driftSection(drift: Drift, share: number): MarkdownSection {
  const lone = loneCollections(drift).map(
    ({ heading, namespaces }) => `- **${markdownText(heading)}:** ${names(namespaces)}\n`,
  );
  const groups = driftGroups(drift).map(({ namespace, messages }) => {
    const items = messages.map((message) => `  - ${markdownText(message)}\n`);
    return `- ${namespace === null ? '**Servers**' : markdownCode(namespace)}\n${items.join('')}`;
  });
  return { pieces: [...lone, ...groups], share, wrap: (text) => `#### Drift\n\n${text}\n` };
}

/** What one of the runs does not know. */
function notComparedSection(drift: Drift, share: number): MarkdownSection {
  const pieces = notComparedGroups(drift).map(({ heading, places, detail }) => {
    const of = places.length === 0 ? '' : ` ${names(places)}:`;
    return `- **${markdownText(heading)}:**${of} ${markdownText(detail)}\n`;
  });
  return { pieces, share, wrap: (text) => `${text}\n` };
}

function names(list: readonly string[]): string {
  return listed(list.map(markdownCode), SHOWN_NAMES);
}
