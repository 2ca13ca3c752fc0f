import { isMain } from '../findings/finding-order.js';
import { formatCount, formatDuration } from '../format.js';
import { terminalData, terminalText } from '../text/terminal-text.js';
import { shownFindings } from './alike-findings.js';
import { scorecardSection } from './collection-state.js';
import { conclusion, SAFETY } from './conclusion.js';
import { clusterTexts, coverageSection, engineTexts } from './coverage.js';
import { driftSections } from './drift-text.js';
import { isActive } from './finding-status.js';
import type { FleetOverview } from './fleet/fleet-overview.js';
import { fleetSections, fleetSentences } from './fleet/fleet-sections.js';
import { findingDetails, findingRow, doFirstMarkdown, findingTable, markdownSection } from './markdown-finding.js';
import {
  COMMENT_LIMIT,
  COMMENT_MARKER,
  filledSection,
  markdownCode,
  type MarkdownSection,
  markdownText,
} from './markdown-text.js';
import { missingSections, quietSection } from './missing-known.js';
import { PLAIN } from './paint.js';
import { printableReport } from './printable-report.js';
import { RENDER_DEFAULTS, type RenderOptions, type SharingOptions } from './report-options.js';
import type { Report } from './report.js';
import { COMMENT } from './section.js';
import { notJudgedSection } from './skipped.js';
import type { FailedTarget } from './target-reports.js';
import { clipped } from './text-layout.js';
import { topShapesSection } from './top-shapes-text.js';

/** Shares of the remaining room, in the order in which sections get it. */
const SHARES = {
  notJudged: 0.2,
  notices: 0.2,
  costliest: 0.2,
  table: 0.4,
  apart: 0.2,
  drift: 0.5,
  coverage: 0.2,
  fixed: 0.2,
  quiet: 0.3,
  details: 1,
} as const;

/** The same of the overview of a fleet. */
const FLEET_SHARES = [0.3, 0.5, 0.6, 0.8, 1] as const;

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
  const active = safe.findings.filter(isActive);
  const all = shownFindings(active.filter(isMain));
  const apart = shownFindings(active.filter((finding) => !isMain(finding)));
  const ofChange = all.filter(({ finding, alike }) =>
    [finding, ...alike].some(({ locations = [] }) => locations.some(({ file }) => changed.includes(file))),
  );
  const shown = [...ofChange, ...all.filter((each) => !ofChange.includes(each))];
  const changes = ofChange.length === 0 ? '' : `${changedText(ofChange.length)}\n\n`;
  const [head, foot] = [headText(safe), footText(safe)];
  const fill = filling(Math.floor(COMMENT_LIMIT / sharedBy) - 1 - head.length - foot.length);
  const notJudged = fill(markdownSection(notJudgedSection(safe.skipped, COMMENT), SHARES.notJudged));
  const notices = fill(
    openSection(
      (safe.notices ?? []).map(({ text }) => `> ${markdownText(text)}\n\n`),
      SHARES.notices,
    ),
  );
  const costliest = fill(markdownSection(topShapesSection(safe, top), SHARES.costliest));
  const first = fill(openSection([doFirstMarkdown(safe.findings)], SHARES.costliest));
  const table = fill(openSection(shown.map(findingRow), SHARES.table, (rows) => changes + findingTable(rows)));
  const ofApart = [
    openSection(apart.map(findingRow), SHARES.apart, (rows) => `#### ${SAFETY}\n\n${findingTable(rows)}`),
    openSection(
      apart.map((each) => findingDetails(each, codeUrl)),
      SHARES.apart,
    ),
  ].map(fill);
  const drifts = driftSections(safe, COMMENT).map((each) => fill(markdownSection(each, SHARES.drift, true)));
  const coverage = fill(markdownSection(coverageSection(safe, COMMENT), SHARES.coverage));
  const missing = missingSections(safe).map((each) => fill(markdownSection(each, SHARES.fixed)));
  const scorecard = fill(markdownSection(scorecardSection(safe, COMMENT), SHARES.coverage));
  const quiet = fill(markdownSection(quietSection(safe), SHARES.quiet));
  const details = fill(
    openSection(
      shown.map((each) => findingDetails(each, codeUrl)),
      SHARES.details,
    ),
  );
  const parts = [
    head,
    notices,
    costliest,
    first,
    table,
    ...drifts,
    details,
    ...ofApart,
    ...missing,
    quiet,
    scorecard,
    coverage,
  ];
  return [...parts, notJudged, foot].join('');
}

/** The overview of many targets as a comment, never above {@link COMMENT_LIMIT}. */
export function renderFleetMarkdown(fleet: FleetOverview): string {
  const safe = terminalData(fleet);
  const head = `${COMMENT_MARKER}\n### mongolint\n\n${markdownText(fleetSentences(safe).join(' '))}\n\n`;
  const fill = filling(COMMENT_LIMIT - head.length);
  const sections = fleetSections(safe, COMMENT).map((section, index) =>
    fill(markdownSection(section, FLEET_SHARES[index] ?? 1, true)),
  );
  return [head, ...sections].join('');
}

export function renderFailedMarkdown({ target, message }: FailedTarget): string {
  const of = target === undefined ? '' : ` of ${markdownCode(terminalText(target))}`;
  return `${COMMENT_MARKER}\n### mongolint${of}\n\n${markdownText(terminalText(message))}\n`;
}

/** What fills the room with sections, one after another: each takes its share of what the others left. */
function filling(room: number): (section: MarkdownSection) => string {
  let left = room;
  return (section) => {
    const text = filledSection(section, Math.floor(left * section.share));
    left -= text.length;
    return text;
  };
}

function openSection(
  pieces: readonly string[],
  share: number,
  wrap: MarkdownSection['wrap'] = (text) => text,
): MarkdownSection {
  return { pieces, share, wrap };
}

function changedText(findings: number): string {
  return findings === 1
    ? 'The first finding is about a file that changed.'
    : `The first ${formatCount(findings)} findings are about files that changed.`;
}

function headText(report: Report): string {
  const { tool, target } = report;
  const of = target === undefined ? '' : ` of ${markdownCode(target)}`;
  const ofEngine = engineTexts(report.cluster).map((text) => `${markdownText(text)}\n\n`);
  return `${COMMENT_MARKER}\n### ${tool.name}${of}\n\n${markdownText(conclusion(report, PLAIN))}\n\n${ofEngine.join('')}`;
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
